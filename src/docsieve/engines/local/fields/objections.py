"""What speaks against a candidate whatever its label: each objection halves its score.

The score, how well a label fits times how close it is, only orders candidates until the judge weighs them. It sees the
same facts.
"""

from collections.abc import Iterator, Sequence

from docsieve.engines.local.fields.candidates import Candidate, Scene
from docsieve.engines.local.vocabulary.targets import Target, Words
from docsieve.values.amounts import find_amounts
from docsieve.values.dates import find_dates

HALF = 0.5

_LIKE_A_LABEL = 0.5
_ANSWERS = 0.6
_MAX_TYPED = 40
_CHOICES = frozenset(("enum", "currency", "boolean"))
_TEXTS = frozenset(("name", "person", "text", "address"))
_TITLES = frozenset(("type", "title", "kind", "subject"))
_IN_SENTENCES = frozenset(("sentence", "question", "mark"))
"""Sentences and forms say themselves what a value is, whatever heading is over it."""

_SAY_WHY = _IN_SENTENCES | {"form", "taught"}


def object_to(found: Sequence[Candidate], scene: Scene) -> None:
    for each in found:
        if each.way not in _IN_SENTENCES:
            each.score *= HALF ** sum(_objections(each, scene))


def _objections(each: Candidate, scene: Scene) -> Iterator[bool]:
    yield section(each, scene) < 0
    yield own_share(each, scene) < 1
    yield label_likeness(each, scene) >= _LIKE_A_LABEL
    yield is_of_another_type(each)
    yield answers(each, scene) >= _ANSWERS


def section(each: Candidate, scene: Scene) -> float:
    """1 if a heading over the value or its label names the field's object, -1 under the heading of another one."""
    group = each.target.group
    piece = scene.captions.piece_of(each.tokens) if group in scene.sections.named else None
    if piece is None or each.way in _IN_SENTENCES:
        return 0.0
    if group in scene.sections.named_by(words_of_label(each)):
        return 1.0
    inside = scene.sections.of(piece)
    return 0.0 if not inside else 1.0 if group in inside else -1.0


def own_share(each: Candidate, scene: Scene) -> float:
    """How well the label fits the field, next to the field of the schema that it fits best."""
    words = words_of_label(each)
    return scene.names.own_share(each.target, words) if words else 1.0


def answers(each: Candidate, scene: Scene) -> float:
    """For a value that was found without a label: how surely it answers a label that is not the field's."""
    without = each.clue is None and each.way not in _SAY_WHY and each.target.type not in _CHOICES
    piece = scene.captions.piece_of(each.tokens) if without else None
    if piece is None:
        return 0.0
    first = next(at for at, token in enumerate(piece.tokens) if id(token) in each.tokens)
    mine = {*each.target.words, *(word for phrase in each.target.known for word in phrase)}
    others = [clue for clue in scene.clues_at(piece, first) if clue.words]
    if any(mine.intersection(clue.words) for clue in others):
        return 0.0
    return max((clue.strength * scene.names.score(clue.words) for clue in others), default=0.0)


def label_likeness(each: Candidate, scene: Scene) -> float:
    """How much the value looks like a label, 0 for fields whose values do: titles, kinds, and members of a choice."""
    may_be_title = each.target.type in _CHOICES or not _TITLES.isdisjoint(each.target.words)
    return 0.0 if may_be_title else scene.looks_like_label(each.tokens)


def is_of_another_type(each: Candidate) -> bool:
    """Whether a text is nothing but an amount of money or a date, which typed fields ask for."""
    text = each.text
    if not _is_text(each.target) or len(text) > _MAX_TYPED or not any(map(str.isdigit, text)):
        return False
    money = [(start, end) for start, end, amount in find_amounts(text) if amount.currency]
    return any(end - start == len(text) for start, end in (*money, *((day[0], day[1]) for day in find_dates(text))))


def words_of_label(each: Candidate) -> Words:
    return each.clue.words if each.clue is not None else ()


def _is_text(target: Target) -> bool:
    return target.type in _TEXTS and target.concept is None
