"""Learns from verified extractions: the right labels of a field, recurring values, and where they are."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from docsieve.domain.extraction import Spot
from docsieve.domain.schemas.fields import ITEM, Scalar, fields_of
from docsieve.domain.schemas.shape import leaves
from docsieve.engines.local.fields.candidates import TYPED, Scene, scene_of
from docsieve.engines.local.fields.evidence import clues
from docsieve.engines.local.fields.spans import Span, spans_of
from docsieve.engines.local.lessons.drawn import within, words_within
from docsieve.engines.local.lessons.layouts import Spotting, likeness, marks_of, spotting
from docsieve.engines.local.lessons.record import FORMAT
from docsieve.engines.local.page.places import Place, mark, places_of, skeleton
from docsieve.engines.local.page.view import view
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target, Words, targets_of
from docsieve.engines.port import Example
from docsieve.values.normal import normalized

MAX_LABELS = 200
MAX_KNOWN = 2_000
MAX_LAYOUTS = 200
ENOUGH_ALIKE = 0.8

_DOUBT = 4.0
"""The untrained score of a label counts as much as this many examples."""


_CAME_AGAIN = 2
_MAX_SPELLING_LENGTH = 300
_STRONG = 0.8
_SAYS_SOMETHING = 0.2
_MIN_LEFT = 0.93


@dataclass(slots=True, eq=False)
class _Gathered:
    right: Counter[Words] = field(default_factory=Counter)
    wrong: Counter[Words] = field(default_factory=Counter)
    known: dict[str, Counter[str]] = field(default_factory=dict)
    read: int = 0
    texts: int = 0


def learn(examples: Sequence[Example]) -> dict[str, Any]:
    """Return lessons for `LocalFields.propose`. The same examples in the same order give the same lessons."""
    gathered: dict[str, _Gathered] = {}
    targets: dict[str, Target] = {}
    layouts: list[dict[str, Any]] = []
    for example in examples:
        seen = view(example.materials)
        scene = scene_of(seen, spans_of(seen))
        truth = dict(leaves(example.value))
        where: dict[str, Spotting] = {}
        for target in targets_of(fields_of(example.schema)):
            pattern = target.field.pattern
            if ITEM in target.field.path or truth.get(pattern) is None:
                continue
            targets[pattern] = target
            into, drawn = gathered.setdefault(pattern, _Gathered()), example.spots.get(pattern, ())
            place = _learn_field(target, truth[pattern], scene, into, drawn)
            if place:
                where[pattern] = spotting(place, scene.pages[place[0][1].document, place[0][1].page])
        _add_layout(layouts, marks_of(seen), where)
    fields = {pattern: _kept(targets[pattern], each) for pattern, each in sorted(gathered.items())}
    return {"format": FORMAT, "examples": len(examples), "fields": fields, "layouts": layouts[-MAX_LAYOUTS:]}


def _learn_field(target: Target, value: Scalar, scene: Scene, into: _Gathered, drawn: Sequence[Spot]) -> Place:
    """Count which labels belong to right values and which to wrong ones; return where the value was.

    A drawn box selects one of several locations, and shows the location if something else was read there.
    """
    if target.type in TYPED and target.party is None:
        read, place = _learn_typed(target, value, scene, into, drawn)
        into.read += read
        if read or target.field.kind != "string":
            return place
    text = str(value)
    into.known.setdefault(mark(skeleton(text)), Counter())[text] += 1
    places = list(places_of(text, scene.view.pages))
    if drawn:
        inside = words_within(drawn, scene.view.pages)
        places = [each for each in places if within(*each[0], drawn)] or ([inside] if inside else [])
    into.texts += bool(places)
    for place in places:
        tokens, piece = place[0]
        span = Span(piece, piece.tokens.index(tokens[0]), piece.tokens.index(tokens[-1]), "", None)
        page = scene.pages[piece.document, piece.page]
        into.right.update({clue.words: 1 for clue in clues(span, page)[:2] if clue.words})
    return places[0] if places else []


def _learn_typed(
    target: Target, value: Scalar, scene: Scene, into: _Gathered, drawn: Sequence[Spot]
) -> tuple[bool, Place]:
    """Whether the value was read correctly, and where it was if there was only one location."""
    expected = normalized(value, target.field, day_first=scene.spans.day_first)
    spans = [span for span in scene.spans.of(target.type) if not scene.ranges.excludes(target.name, span)]
    same = [span for span in spans if normalized(span.text, target.field, day_first=scene.spans.day_first) == expected]
    meant = _drawn_around(spans, same, drawn) if drawn else same
    right = {words for span in meant for words in _first_label(span, scene)}
    if meant:  # otherwise the value was not read, and nothing is known about the others
        others = {id(span) for span in spans} - {id(span) for span in (*same, *meant)}
        wrong = {words for span in spans if id(span) in others for words in _first_label(span, scene)}
        into.right.update(right)
        into.wrong.update(wrong - right)
    if len(meant) == 1:
        return True, [(meant[0].tokens, meant[0].piece)]
    return bool(meant), words_within(drawn, scene.view.pages) if drawn else []


def _drawn_around(spans: Sequence[Span], same: Sequence[Span], drawn: Sequence[Spot]) -> list[Span]:
    """The candidates in the box with the right value; otherwise the only one in it, which was misread."""
    inside = [span for span in spans if within(span.tokens, span.piece, drawn)]
    return [span for span in inside if span in same] or (inside if len(inside) == 1 else [])


def _first_label(span: Span, scene: Scene) -> list[Words]:
    return [clue.words for clue in scene.clues(span) if clue.words and clue.strength >= _STRONG][:1]


def _add_layout(layouts: list[dict[str, Any]], marks: list[str], where: dict[str, Spotting]) -> None:
    """Of several nearly identical layouts, keep only the newest."""
    same = [at for at, each in enumerate(layouts) if likeness(set(each["marks"]), set(marks)) >= ENOUGH_ALIKE]
    for at in reversed(same):
        where = {**layouts[at]["fields"], **where}
        del layouts[at]
    layouts.append({"marks": marks, "fields": where})


def _kept(target: Target, each: _Gathered) -> dict[str, Any]:
    matcher = Matcher(target)
    labels = {}
    for words in {**each.right, **each.wrong}:
        right, wrong = each.right[words], max(each.wrong[words], 0)
        before = matcher.score(words)
        if not words or len(words) > 8 or (before < _SAYS_SOMETHING and (right < 2 or right <= wrong)):
            continue
        taught = (right + _DOUBT * before) / (right + wrong + _DOUBT)
        labels[" ".join(words)] = round(max(taught, _MIN_LEFT * before), 3)
    strongest = sorted(labels.items(), key=lambda pair: (-abs(pair[1] - 0.5), pair[0]))[:MAX_LABELS]
    known = {key: _spelling(spelled, target) for key, spelled in list(each.known.items())[-MAX_KNOWN:]}
    as_text = target.type in TYPED and each.texts > each.read
    return {"labels": dict(sorted(strongest)), "known": known, "as_text": as_text}


def _spelling(spelled: Counter[str], target: Target) -> str | None:
    """The verified spelling of a recurring text or of a sender. Neither is private to one document."""
    text, _ = max(spelled.items(), key=lambda pair: (pair[1], pair[0]))
    return (
        text[:_MAX_SPELLING_LENGTH]
        if spelled.total() >= _CAME_AGAIN or (target.party and target.role == "seller")
        else None
    )
