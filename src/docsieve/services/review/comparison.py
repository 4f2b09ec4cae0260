"""Two extractions side by side, field by field."""

from dataclasses import dataclass
from typing import Any, Literal

from docsieve.db.extractions.rows import Extraction
from docsieve.domain.schemas.fields import Scalar, fields_of
from docsieve.domain.schemas.shape import leaves, pattern_of
from docsieve.values.normal import normalized

Outcome = Literal["same", "differs", "only_here", "only_there"]


@dataclass(frozen=True, slots=True)
class ComparedField:
    """`only_here` is a value of the first that the second has not, because it lacks the field or found nothing."""

    path: str
    outcome: Outcome
    here: Scalar
    there: Scalar
    confidence_here: float | None
    confidence_there: float | None


def compare(here: Extraction, there: Extraction) -> list[ComparedField]:
    """The first one's fields in their order, then what only the second has; leaves that neither found are the same."""
    ours, theirs = dict(leaves(here.value)), dict(leaves(there.value))
    fields = {each.pattern: each for each in (*fields_of(there.spec.schema), *fields_of(here.spec.schema))}
    compared = []
    for path in [*ours, *(path for path in theirs if path not in ours)]:
        one, other = ours.get(path), theirs.get(path)
        field = fields.get(pattern_of(path))
        outcome: Outcome = "same"
        if one is None or other is None:
            outcome = "same" if one is other else "only_here" if other is None else "only_there"
        elif normalized(one, field) != normalized(other, field):
            outcome = "differs"
        compared.append(ComparedField(path, outcome, one, other, _confidence(here, path), _confidence(there, path)))
    return compared


def _confidence(extraction: Extraction, path: str) -> float | None:
    about: dict[str, Any] = (extraction.metadata or {}).get(path, {})
    return about.get("confidence")
