"""Facts about a candidate that its label and its form do not show: other amounts, dates, labels and headings around it.

They are facts, not weights: the judge learns what each is worth.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from docsieve.engines.local.fields.candidates import Candidate, Scene
from docsieve.engines.local.fields.objections import answers, is_of_another_type, own_share, section, words_of_label
from docsieve.engines.local.vocabulary.targets import Words

FACTS = (
    "own_share", "section", "in_rows", "largest", "implied", "zero", "timed", "in_range", "edge", "other_label",
    "numbering", "of_another_type", "answers", "preceded", "followed",
)  # fmt: skip

_STARTS, _ENDS = frozenset(("from", "start")), frozenset(("to", "end"))
_EDGES = {"period_start": (_STARTS, _ENDS), "period_end": (_ENDS, _STARTS)}
_MANY = 8
_NUMBERING = frozenset(("number", "id", "code", "reference"))


@dataclass(slots=True)
class Facts:
    """The facts of one document. What all candidates share is computed once."""

    scene: Scene
    _largest: Decimal | None = field(init=False)
    _implied: dict[Decimal, float] = field(init=False)

    def __post_init__(self) -> None:
        amounts = [span for span in self.scene.spans.of("amount") if span.quality == 1.0]
        self._largest = max((span.value for span in amounts), default=None)
        self._implied = _implied(self.scene)

    def of(self, each: Candidate) -> list[float]:
        """In the order of `FACTS`."""
        words = words_of_label(each)
        amount = each.target.type == "amount"
        return [
            own_share(each, self.scene),
            section(each, self.scene),
            float(each.in_rows),
            float(amount and each.value is not None and each.value == self._largest),
            self._implied.get(each.value, 0.0) if amount else 0.0,
            float(amount and each.value == 0),
            float(self._timed(each)),
            self._in_range(each),
            _edge(each, words),
            self._other_label(each),
            float(not _NUMBERING.isdisjoint(words)),
            float(is_of_another_type(each)),
            answers(each, self.scene),
            *_around(each, self.scene),
        ]

    def _timed(self, each: Candidate) -> bool:
        """Whether the row of a date also has a time of day."""
        if each.span is None or each.target.type != "date":
            return False
        row = self.scene.page(each.span).rows[each.span.piece.row]
        return any(self.scene.spans.within("time", piece) for piece in row.pieces)

    def _in_range(self, each: Candidate) -> float:
        """For one of two dates that are a period: 1 if the field is about a period, -1 if it is about a day."""
        if each.span is None or each.target.type != "date":
            return 0.0
        ranges = self.scene.ranges
        if ranges.first_of(each.span) is None and not ranges.is_start(each.span):
            return 0.0
        return 1.0 if each.target.name in _EDGES else -1.0

    def _other_label(self, each: Candidate) -> float:
        """How close the value is to a label, if that label is not the field's."""
        if each.clue is not None or each.span is None:
            return 0.0
        return max((clue.strength for clue in self.scene.clues(each.span)[:1] if clue.words), default=0.0)


def _around(each: Candidate, scene: Scene) -> tuple[float, float]:
    """How many words are before and after the value in its piece, at most a few: a form has none after an answer."""
    piece = scene.captions.piece_of(each.tokens)
    inside = [at for at, token in enumerate(piece.tokens) if id(token) in each.tokens] if piece is not None else []
    if piece is None or not inside:
        return 0.0, 0.0
    return float(min(inside[0], _MANY)), float(min(len(piece.tokens) - 1 - inside[-1], _MANY))


def _edge(each: Candidate, words: Words) -> float:
    """Whether the label names the end of a period that the field is about: 1, or only the other end: -1."""
    if each.target.name not in _EDGES:
        return 0.0
    mine, other = (not edge.isdisjoint(words) for edge in _EDGES[each.target.name])
    return float(mine) - float(other)


def _implied(scene: Scene) -> dict[Decimal, float]:
    """Totals that follow from other amounts, identified by their labels.

    1 for net plus tax, 2 for cash minus change, 3 for a total with its rounding: the later, the more surely meant.
    """
    by_word: dict[str, set[Decimal]] = {}
    for each in scene.spans.of("amount"):
        if each.quality < 1.0 or not (given := scene.clues(each)):
            continue
        for kind in _kinds(frozenset(given[0].words)):
            by_word.setdefault(kind, set()).add(each.value)
    added = {net + tax for net in by_word.get("net", ()) for tax in by_word.get("tax", ())}
    paid = {paid - change for paid in by_word.get("paid", ()) for change in by_word.get("change", ())}
    rounded = {total + by for total in by_word.get("total", ()) for by in by_word.get("rounding", ()) if by}
    ranks: Sequence[set[Decimal]] = (added, paid, rounded)
    return {value: float(rank) for rank, values in enumerate(ranks, 1) for value in values if value > 0}


_SAID: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "paid": (frozenset(("cash", "paid", "card")), frozenset(("change", "total"))),
    "change": (frozenset(("change",)), frozenset()),
    "net": (frozenset(("subtotal", "net", "excluding")), frozenset()),
    "rounding": (frozenset(("rounding",)), frozenset(("total",))),
    "total": (frozenset(("total",)), frozenset(("subtotal", "item", "quantity", "excluding"))),
    "tax": (frozenset(("tax",)), frozenset(("including", "excluding", "id"))),
}
"""What an amount is by a word of its label, unless that has another word."""


def _kinds(words: frozenset[str]) -> list[str]:
    return [kind for kind, (some, none) in _SAID.items() if words & some and not words & none]
