"""What kind of error a judged field is: each that is not right is exactly one of six.

The names are those of Omni Extract Bench, which compares two JSON documents. Here the pages are known as well, so a
wrong value is also told apart by where it was read; docs/quality.md compares the two.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import Any

from docsieve.domain.extraction import Evidence
from docsieve.evaluation.figures import Leaf
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import ErrorKind, Outcome
from docsieve.evaluation.truth.boxes import meet

_ALIKE = 0.75
_MIN_PART = 4
_MAX_COMPARED = 400


def error_of(leaf: Leaf, sameness: Sameness, true_place: Sequence[Evidence]) -> ErrorKind | None:
    """None for a right value. `true_place` is where the pages show the truth, if they do."""
    if leaf.outcome is Outcome.right:
        return None
    if leaf.outcome is Outcome.missed:
        return ErrorKind.unfound
    if not leaf.proven:
        return ErrorKind.fabricated
    if leaf.outcome is Outcome.invented:
        return ErrorKind.invented_item if leaf.in_extra_item else ErrorKind.invented_field
    if any(meet(place, proof) for place in true_place for proof in leaf.evidence):
        return ErrorKind.misread
    return ErrorKind.misread if _alike(leaf, sameness, truth_is_placed=bool(true_place)) else ErrorKind.wrong_place


def count_errors(leaves: Iterable[Leaf]) -> dict[ErrorKind, int]:
    """All kinds, in the order in which they are listed."""
    found = Counter(leaf.error for leaf in leaves)
    return {kind: found[kind] for kind in ErrorKind}


def _alike(leaf: Leaf, sameness: Sameness, *, truth_is_placed: bool) -> bool:
    """Nearly the same letters, or a part of them. Where the pages show the truth elsewhere, no digit may differ."""
    value = _letters(sameness, leaf.pattern, leaf.value)
    for each in leaf.truth if isinstance(leaf.truth, list) else [leaf.truth]:
        truth = _letters(sameness, leaf.pattern, each)
        compared = SequenceMatcher(None, truth, value, autojunk=False)
        similar = compared.quick_ratio() >= _ALIKE and compared.ratio() >= _ALIKE
        part = min(len(truth), len(value)) >= _MIN_PART and (truth in value or value in truth)
        if (similar and _digits(truth) == _digits(value)) if truth_is_placed else (similar or part):
            return True
    return False


def _letters(sameness: Sameness, pattern: str, value: Any) -> str:
    return "".join(sameness.normal(pattern, value).split())[:_MAX_COMPARED]


def _digits(text: str) -> str:
    return "".join(each for each in text if each.isdigit())
