"""Learns from verified extractions: where to look for the values of a field, and how the judge errs about it.

Labels, recurring texts and layouts offer candidates. The residual is fitted on what they offer in examples that they
were not gathered from, so that it trusts them as far as they deserve on a new document.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from docsieve.domain.extraction import Spot
from docsieve.domain.schemas.fields import ITEM, Scalar, fields_of
from docsieve.domain.schemas.shape import leaves
from docsieve.engines.local.fields.candidates import TYPED, Candidate, Scene, scene_of
from docsieve.engines.local.fields.evidence import clues
from docsieve.engines.local.fields.spans import Span, spans_of
from docsieve.engines.local.fields.values import written_text
from docsieve.engines.local.lessons.columns import ListEvidence, gathered_lists, study_lists
from docsieve.engines.local.lessons.drawn import drawn_around, within, words_within
from docsieve.engines.local.lessons.layouts import Spotting, likeness, marks_of, spotting
from docsieve.engines.local.lessons.recall import alike
from docsieve.engines.local.lessons.record import FORMAT
from docsieve.engines.local.lessons.residual import Row, fit
from docsieve.engines.local.lessons.traits import nearness, traits_of
from docsieve.engines.local.lessons.weigh import Judged
from docsieve.engines.local.page.places import Place, mark, places_of, skeleton
from docsieve.engines.local.page.view import view
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target, Words, targets_of
from docsieve.engines.port import Example
from docsieve.values.normal import normalized

MAX_LABELS = 200
MAX_KNOWN = 2_000
MAX_LAYOUTS = 200
MAX_WEIGHED = 60
"""Of more examples, the residual is fitted on the newest."""

ENOUGH_ALIKE = 0.8
_FOLDS = 4
_CAME_AGAIN = 2
_MAX_SPELLING_LENGTH = 300
_MAX_LABEL_WORDS = 8
_SAME_TEXT = 0.92
_STRONG = 0.8
_FOUND_ANYWAY = 0.35
"""The rules find a label that matches this well without having learned it."""


class Proposing(Protocol):
    def __call__(self, example: Example, lessons: dict[str, Any] | None) -> Judged: ...


@dataclass(slots=True, eq=False)
class _Evidence:
    """The labels and the place of one field in one example."""

    target: Target
    right: set[Words] = field(default_factory=set)
    wrong: set[Words] = field(default_factory=set)
    text: str | None = None
    read: bool = False
    on_page: bool = False
    where: Spotting | None = None


@dataclass(slots=True, eq=False)
class _Studied:
    marks: list[str]
    fields: dict[str, _Evidence]
    lists: dict[str, ListEvidence]


def learn(examples: Sequence[Example], propose: Proposing, fields: Collection[str] | None = None) -> dict[str, Any]:
    """Return lessons for `LocalFields.propose`. The same examples in the same order give the same lessons."""
    studied = [_studied(example) for example in examples]
    lessons = _gathered(studied, fields)
    rows: list[Row] = []
    folds = min(len(examples), _FOLDS)
    first = max(0, len(examples) - MAX_WEIGHED)
    for fold in range(folds if folds > 1 else 0):
        others = _gathered([each for at, each in enumerate(studied) if at % folds != fold], fields)
        for at in range(first, len(examples)):
            if at % folds == fold:
                rows += _rows(at, examples[at], propose(examples[at], others), lessons["fields"])
    for pattern, residual in fit(rows).items():
        lessons["fields"][pattern]["residual"] = residual.stored()
    return lessons


def _rows(number: int, example: Example, judged: Judged, wanted: Collection[str]) -> list[Row]:
    truth = dict(leaves(example.value))
    features = iter(judged.features)
    rows = []
    for target, candidates in judged.single:
        pattern = target.field.pattern
        mine = [next(features) for _ in candidates]
        value = truth.get(pattern)
        right = _right(candidates, value, judged.scene, example.spots.get(pattern, ()))
        if pattern not in wanted or not (right or pattern in example.absent):
            continue  # if none is right, the value may be one of them that a person wrote in other words
        guesses = judged.taught.of(pattern).guesses
        rows += [
            Row(
                number, pattern, each, made.score, nearness(made, guesses), traits_of(made, judged.scene), made in right
            )
            for made, each in zip(candidates, mine, strict=True)
        ]
    return rows


def _right(candidates: Sequence[Candidate], value: Scalar, scene: Scene, drawn: Sequence[Spot]) -> set[Candidate]:
    """Those with the value. A drawn box selects one of several, or shows the one that was misread."""
    if value is None:
        return set()
    same = {
        each
        for each in candidates
        if (read := written_text(each.target, each.text, scene.spans)) is not None
        and _same(read, value, each.target, scene)
    }
    inside = {each for each in candidates if drawn_around(each.spots, drawn)}
    return (same & inside or inside) if inside else same


_STUDIED: WeakKeyDictionary[Example, _Studied] = WeakKeyDictionary()
"""Cross-validation learns from the same examples several times."""


def _studied(example: Example) -> _Studied:
    if example not in _STUDIED:
        _STUDIED[example] = _study(example)
    return _STUDIED[example]


def _study(example: Example) -> _Studied:
    seen = view(example.materials)
    scene = scene_of(seen, spans_of(seen))
    truth = dict(leaves(example.value))
    fields: dict[str, _Evidence] = {}
    targets = targets_of(fields_of(example.schema))
    for target in targets:
        pattern = target.field.pattern
        value = truth.get(pattern)
        if ITEM in target.field.path:
            continue
        if value is not None or pattern in example.absent:
            fields[pattern] = evidence = _Evidence(target)
        if value is not None:
            place = _locate(value, scene, evidence, example.spots.get(pattern, ()))
            if place:
                evidence.where = spotting(place, scene.pages[place[0][1].document, place[0][1].page])
    return _Studied(marks_of(seen), fields, study_lists(example.value, targets, scene))


def _locate(value: Scalar, scene: Scene, into: _Evidence, drawn: Sequence[Spot]) -> Place:
    """Note which labels belong to right values and which to wrong ones; return where the value was.

    A drawn box selects one of several locations, and shows the location if something else was read there.
    """
    target = into.target
    if target.type in TYPED and target.party is None:
        into.read, place = _locate_typed(value, scene, into, drawn)
        if into.read or target.field.kind != "string":
            return place
    into.text = str(value)
    places = list(places_of(into.text, scene.view.pages))
    if drawn:
        inside = words_within(drawn, scene.view.pages)
        places = [each for each in places if within(*each[0], drawn)] or ([inside] if inside else [])
    into.on_page = bool(places)
    for place in places:
        tokens, piece = place[0]
        span = Span(piece, piece.tokens.index(tokens[0]), piece.tokens.index(tokens[-1]), "", None)
        page = scene.pages[piece.document, piece.page]
        into.right.update(clue.words for clue in clues(span, page)[:2] if clue.words)
    return places[0] if places else []


def _locate_typed(value: Scalar, scene: Scene, into: _Evidence, drawn: Sequence[Spot]) -> tuple[bool, Place]:
    """Whether the value was read correctly, and where it was if there was only one location."""
    target = into.target
    spans = [span for span in scene.spans.of(target.type) if not scene.ranges.excludes(target.name, span)]
    same = [span for span in spans if _same(span.text, value, target, scene)]
    meant = _meant(spans, same, drawn) if drawn else same
    into.right = {words for span in meant for words in _first_label(span, scene)}
    if meant:  # otherwise the value was not read, and nothing is known about the others
        others = {id(span) for span in spans} - {id(span) for span in (*same, *meant)}
        wrong = {words for span in spans if id(span) in others for words in _first_label(span, scene)}
        into.wrong = wrong - into.right
    if len(meant) == 1:
        return True, [(meant[0].tokens, meant[0].piece)]
    return bool(meant), words_within(drawn, scene.view.pages) if drawn else []


def _same(read: Scalar, value: Scalar, target: Target, scene: Scene) -> bool:
    """Whether a person would say that this is the value, which they may have written in their own way."""
    day_first = scene.spans.day_first
    if normalized(read, target.field, day_first=day_first) == normalized(value, target.field, day_first=day_first):
        return True
    return target.field.kind == "string" and alike(skeleton(str(read)), skeleton(str(value))) >= _SAME_TEXT


def _meant(spans: Sequence[Span], same: Sequence[Span], drawn: Sequence[Spot]) -> list[Span]:
    """The candidates in the box with the right value; otherwise the only one in it, which was misread."""
    inside = [span for span in spans if within(span.tokens, span.piece, drawn)]
    return [span for span in inside if span in same] or (inside if len(inside) == 1 else [])


def _first_label(span: Span, scene: Scene) -> list[Words]:
    return [clue.words for clue in scene.clues(span) if clue.words and clue.strength >= _STRONG][:1]


def _gathered(studied: Sequence[_Studied], wanted: Collection[str] | None) -> dict[str, Any]:
    by_field: dict[str, list[_Evidence]] = {}
    layouts: list[dict[str, Any]] = []
    for each in studied:
        asked = {pattern: told for pattern, told in each.fields.items() if wanted is None or pattern in wanted}
        for pattern, evidence in asked.items():
            by_field.setdefault(pattern, []).append(evidence)
        where = {pattern: told.where for pattern, told in asked.items() if told.where is not None}
        _add_layout(layouts, each.marks, where)
    fields = {pattern: _kept(mine) for pattern, mine in sorted(by_field.items())}
    return {
        "format": FORMAT,
        "examples": len(studied),
        "fields": fields,
        "lists": gathered_lists([each.lists for each in studied], wanted),
        "layouts": layouts[-MAX_LAYOUTS:],
    }


def _add_layout(layouts: list[dict[str, Any]], marks: list[str], where: dict[str, Spotting]) -> None:
    """Of several nearly identical layouts, keep only the newest."""
    same = [at for at, each in enumerate(layouts) if likeness(set(each["marks"]), set(marks)) >= ENOUGH_ALIKE]
    for at in reversed(same):
        where = {**layouts[at]["fields"], **where}
        del layouts[at]
    layouts.append({"marks": marks, "fields": where})


def _kept(mine: Sequence[_Evidence]) -> dict[str, Any]:
    target = mine[-1].target
    texts: dict[str, Counter[str]] = {}
    for each in mine:
        if each.text is not None:
            texts.setdefault(mark(skeleton(each.text)), Counter())[each.text] += 1
    known = {key: _spelling(spelled, target) for key, spelled in list(texts.items())[-MAX_KNOWN:]}
    as_text = target.type in TYPED and sum(each.on_page for each in mine) > sum(each.read for each in mine)
    return {"labels": _new_labels(mine, target), "known": known, "as_text": as_text}


def _new_labels(mine: Sequence[_Evidence], target: Target) -> dict[str, float]:
    """Labels that say nothing by themselves, but came with right values more than once, and more than with wrong."""
    matcher = Matcher(target)
    right = Counter(words for each in mine for words in each.right)
    wrong = Counter(words for each in mine for words in each.wrong)
    shares = {
        words: round(times / (times + wrong[words] + 1), 3)
        for words, times in right.items()
        if times > max(1, wrong[words]) and len(words) <= _MAX_LABEL_WORDS and matcher.score(words) < _FOUND_ANYWAY
    }
    best = sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))[:MAX_LABELS]
    return {" ".join(words): share for words, share in sorted(best)}


def _spelling(spelled: Counter[str], target: Target) -> str | None:
    """The verified spelling of a recurring text or of a sender. Neither is private to one document."""
    text, _ = max(spelled.items(), key=lambda pair: (pair[1], pair[0]))
    came_again = spelled.total() >= _CAME_AGAIN or (target.party and target.role == "seller")
    return text[:_MAX_SPELLING_LENGTH] if came_again else None
