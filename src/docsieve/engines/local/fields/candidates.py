"""Typed values that could belong to a field, each with its best label and position."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from docsieve.domain.extraction import Spot
from docsieve.engines.local.fields.evidence import Clue, clues, followers
from docsieve.engines.local.fields.ranges import Ranges
from docsieve.engines.local.fields.spans import Span, Spans
from docsieve.engines.local.page.captions import Captions
from docsieve.engines.local.page.sections import Sections
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Token, spot
from docsieve.engines.local.vocabulary.labels import LabelTable
from docsieve.engines.local.vocabulary.matcher import FieldNames, Matcher, means_something
from docsieve.engines.local.vocabulary.targets import Target, groups_of
from docsieve.values.dates import find_dates

SUMS = frozenset(("total", "amount_due"))
"""Concepts whose value usually comes last among amounts."""

_UNLABELED = 0.4
_MIN_MATCH = 0.2
"""A label that fits less is surely that of something else, such as `Total GST` for a total."""

_SOONER = 0.05
"""What the first of several candidates is ahead of others with as good a label."""

_PLAIN = re.compile(r"\d+|[\d.]{1,9}")
_UNMISTAKABLE = frozenset(("phone", "email", "url", "iban"))
_TELLING = frozenset(("date", "amount", "percent", "time"))
_FEW = 6
_USUAL = frozenset(("issue_date", "time", "period_start", "period_end"))
"""Concepts that documents often show without a label."""

TYPED = frozenset(("amount", "number", "integer", "percent", "date", "time", "phone", "email", "url", "iban", "id"))


Way = Literal[
    "after", "before", "right", "below", "heading", "party", "sentence", "question", "mark", "form", "taught", "alone"
]
"""How a candidate was found: by a label and where it is, or without one."""

WAYS: tuple[Way, ...] = get_args(Way)


@dataclass(slots=True, eq=False)
class Candidate:
    """`score` is what the rules think of it, until the judge replaces it with the probability that it is right."""

    target: Target
    text: str
    spots: list[Spot]
    score: float
    why: str
    way: Way
    tokens: frozenset[int] = frozenset()
    """The words of the value, by identity, so that two fields do not use the same ones."""
    value: Any = None
    match: float = 0.0
    """How well the words of its label match the field, wherever the label is."""
    clue: Clue | None = None
    span: Span | None = None
    in_rows: bool = False
    """Whether it is a value in a row of a list."""


_WAYS_OF_CLUES: dict[str, Way] = {
    "after": "after", "before": "before", "right of": "right", "below": "below", "sum below": "below",
}  # fmt: skip


@dataclass(slots=True, eq=False)
class Scene:
    """The context shared by all fields."""

    view: DocumentView
    spans: Spans
    ranges: Ranges
    captions: Captions
    sections: Sections
    names: FieldNames
    pages: dict[tuple[int, int], PageView] = field(default_factory=dict)
    _clues: dict[int, list[Clue]] = field(default_factory=dict)
    _clues_at: dict[tuple[int, int], list[Clue]] = field(default_factory=dict)
    _labeled: dict[str, LabelTable[tuple[int, Clue]]] = field(default_factory=dict)

    def page(self, span: Span) -> PageView:
        return self.pages[span.piece.document, span.piece.page]

    def looks_like_label(self, tokens: frozenset[int]) -> float:
        """How much the words of a candidate, by identity, look like a label: 0 is a value, 1 a label."""
        return self.captions.likeness(tokens)

    def labeled(self, kind: str) -> LabelTable[tuple[int, Clue]]:
        """All labels next to values of a type, with the indices of those values."""
        if kind not in self._labeled:
            table: LabelTable[tuple[int, Clue]] = LabelTable()
            for at, span in enumerate(self.spans.of(kind)):
                for clue in (*self.clues(span), *(followers(span) if kind == "number" else ())):
                    table.add(clue.words, (at, clue))
            self._labeled[kind] = table
        return self._labeled[kind]

    def clues(self, span: Span) -> list[Clue]:
        if id(span) not in self._clues:
            first = self.ranges.first_of(span)
            self._clues[id(span)] = clues(first or span, self.page(span))
        return self._clues[id(span)]

    def clues_at(self, piece: Piece, first: int) -> list[Clue]:
        """The possible labels of a text that begins with a word of a piece."""
        key = id(piece), first
        if key not in self._clues_at:
            text = piece.tokens[first].text
            self._clues_at[key] = clues(Span(piece, first, first, text, text), self.pages[piece.document, piece.page])
        return self._clues_at[key]


def scene_of(view: DocumentView, spans: Spans, targets: Sequence[Target] = ()) -> Scene:
    names = FieldNames(targets)
    captions = Captions(view, names.score)
    sections = Sections(view, groups_of(targets))
    pages = {(page.document, page.number): page for page in view.pages}
    return Scene(view, spans, Ranges(spans), captions, sections, names, pages)


def typed_candidates(target: Target, matcher: Matcher, scene: Scene, *, unlabeled: bool) -> list[Candidate]:
    """Values of the wanted type that have a matching label, in reading order.

    The others are candidates too if their form alone may say whose they are, or with `unlabeled`.
    """
    best: dict[int, tuple[float, Clue | None]] = {}
    for words, labeled in scene.labeled(target.type).like(matcher.beginnings):
        score = matcher.score(words)
        for at, clue in labeled if score > 0 else ():
            if at not in best or score * clue.strength > best[at][0]:
                best[at] = score * clue.strength, clue
    spans = scene.spans.of(target.type)
    alone = _UNLABELED if can_be_unlabeled(target) else 0.0
    found = []
    for at in range(len(spans)) if unlabeled or alone else sorted(best):
        span = spans[at]
        label, told = best.get(at, (0.0, None))
        if not scene.ranges.excludes(target.name, span) and (told is not None or unlabeled or _is_whole(span, target)):
            found.append(candidate(target, span, max(label, alone), told, label))
    for place, each in enumerate(reversed(found) if target.name in SUMS else found) if len(found) > 1 else ():
        each.score += _SOONER / (1 + place)
    return found


def _is_whole(span: Span, target: Target) -> bool:
    """Whether a value without a label is written so that it can hardly be something else: a phone number in parts."""
    return target.type != "phone" or (not _PLAIN.fullmatch(span.text) and not find_dates(span.text))


def can_be_unlabeled(target: Target) -> bool:
    """Whether a value can belong to the field without a label, because of its form and position."""
    return target.type in _UNMISTAKABLE or (target.name in _USUAL and not target.extra)


def is_one_of_few(target: Target, scene: Scene) -> bool:
    """Whether few values of a document are of the field's type, and the type says what they are."""
    return target.type in _TELLING and len(scene.spans.of(target.type)) <= _FEW


def without_other_labels(found: Sequence[Candidate], scene: Scene) -> list[Candidate]:
    """Without values whose label surely names a common concept."""
    clues = ((each, scene.clues(each.span) if each.span is not None else ()) for each in found)
    return [each for each, given in clues if not any(means_something(clue.words) for clue in given)]


def without_weak_labels(found: Sequence[Candidate]) -> list[Candidate]:
    """Without values whose label is surely that of something else: the words for common concepts are well known."""
    return [each for each in found if each.clue is None or each.target.concept is None or each.match >= _MIN_MATCH]


def best_clue(matcher: Matcher, given: Sequence[Clue]) -> tuple[Clue | None, float]:
    best, most = None, 0.0
    for clue in given:
        score = matcher.score(clue.words) * clue.strength
        if score > most:
            best, most = clue, score
    return best, most


def candidate(target: Target, span: Span, worth: float, clue: Clue | None, label: float) -> Candidate:
    return Candidate(
        target,
        span.text,
        [spot(span.tokens, span.piece)],
        worth * span.quality,
        reason(clue, span.piece.page),
        _WAYS_OF_CLUES[clue.where] if clue else "alone",
        identities(span.tokens),
        span.value,
        label / clue.strength if clue else 0.0,
        clue,
        span,
    )


def identities(tokens: Iterable[Token]) -> frozenset[int]:
    return frozenset(id(token) for token in tokens)


def reason(clue: Clue | None, page: int) -> str:
    return f"{clue.where} '{clue.text[:40]}' on page {page}" if clue else f"by its form and place on page {page}"
