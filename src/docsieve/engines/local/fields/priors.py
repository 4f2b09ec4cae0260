"""Position and context features, independent of the label. All their weights are here."""

from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal

from docsieve.engines.local.fields.candidates import Candidate, Scene
from docsieve.engines.local.fields.evidence import COLON, LEFT
from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.vocabulary.targets import Target
from docsieve.values.dates import find_dates

# The score of an unlabeled value, from its form alone.
UNLABELED = {
    "issue_date": 0.42, "time": 0.45, "phone": 0.45, "email": 0.5, "website": 0.45, "iban": 0.6, "period_start": 0.3,
    "period_end": 0.3,
}  # fmt: skip
LABEL = 0.8
LARGEST_AMOUNT = 0.04
ADDS_UP = 0.05
PAID = 0.14
ROUNDED = 0.22
FINAL = 0.06
ONE_DATE = 0.6
OTHER_EDGE = 0.4
SECOND = 0.8
ONLY_ONE = 0.55
NO_NUMBER = 0.6
LATER = 0.07
EARLIER = 0.06
WITH_TIME = 0.1
TOP = 0.06
IN_OTHER_SECTION = 0.45
IN_NO_SECTION = 0.85
LOST_TO_FIELD = 2
WORTH_COMPARING = 0.3


_EDGES = frozenset(("from", "to", "start", "end", "valid", "period", "term"))
_STARTS, _ENDS = frozenset(("from", "start")), frozenset(("to", "end"))
_OPPOSITE = {"period_start": _ENDS, "period_end": _STARTS}
_NUMBERING = frozenset(("number", "id", "code", "reference"))
_FINAL = frozenset(("due", "rounding", "grand"))


def can_be_unlabeled(target: Target) -> bool:
    """Whether a value can belong to the field without a label, because of its form and position."""
    return target.name in UNLABELED or target.type in ("phone", "email", "url", "iban")


def weigh(found: Sequence[Candidate], scene: Scene) -> None:
    """Adjust the scores of a field's candidates by their positions."""
    if not found:
        return
    name = found[0].target.name
    base = 0.0 if found[0].target.extra else UNLABELED.get(name, 0.0)
    for each in found:
        each.score = max(each.label, base * (each.span.quality if each.span else 1.0))
    weighing = _BY_CONCEPT.get(name, _BY_TYPE.get(found[0].target.type))
    if weighing is not None:
        weighing(found, scene)
    if found[0].target.role is not None and found[0].target.party is None:
        _by_role(found, scene)


def weigh_places(found: Sequence[Candidate], scene: Scene) -> None:
    _prefer_own_section(found, scene)
    _leave_labels_to_others(found, scene)


def _leave_labels_to_others(found: Sequence[Candidate], scene: Scene) -> None:
    """A label that fits another field of the schema clearly better is that field's."""
    for each in found:
        if each.label_words and each.score >= WORTH_COMPARING:
            each.score *= scene.names.own_share(each.target, each.label_words) ** LOST_TO_FIELD


def _prefer_own_section(found: Sequence[Candidate], scene: Scene) -> None:
    """Of equal labels, the one under the heading of the field's object is meant, unless the label itself names one."""
    sections = scene.sections
    for each in found:
        group, piece = each.target.group, scene.captions.piece_of(each.tokens)
        if not group or piece is None or group in sections.named_by(each.label_words):
            continue
        inside = sections.of(piece)
        if inside and group not in inside:
            each.score *= IN_OTHER_SECTION
        elif not inside and group in sections.named:
            each.score *= IN_NO_SECTION


def _total(found: Sequence[Candidate], scene: Scene) -> None:
    largest = max((span.value for span in scene.spans.of("amount") if span.quality == 1.0), default=None)
    sums = _sums(scene)
    labeled = [each for each in found if each.label >= 0.2]
    order = len(labeled)
    for at, each in enumerate(labeled):
        each.score = each.label * LABEL
        each.score += LATER * at / order
        if each.clue is not None and set(each.clue.words) & _FINAL:
            each.score += FINAL
        if each.value == largest:
            each.score += LARGEST_AMOUNT
        each.score += sums.get(each.value, 0.0)
        if each.value is not None and each.value == 0 and largest:
            each.score *= 0.6


def _sums(scene: Scene) -> dict[Decimal, float]:
    """Totals implied by other amounts: cash minus change, or net plus tax, identified by their labels."""
    by_word: dict[str, set[Decimal]] = {}
    for each in scene.spans.of("amount"):
        if each.quality < 1.0 or not (given := scene.clues(each)):
            continue
        words = set(given[0].words)
        kinds = {
            "paid": {"cash", "paid", "card"} & words and not {"change", "total"} & words,
            "change": {"change"} & words,
            "net": {"subtotal", "net", "excluding"} & words,
            "rounding": {"rounding"} & words and not {"total"} & words,
            "total": {"total"} & words and not {"subtotal", "item", "quantity", "excluding"} & words,
            "tax": {"tax"} & words and not {"including", "excluding", "id"} & words,
        }
        for kind, holds in kinds.items():
            if holds:
                by_word.setdefault(kind, set()).add(each.value)
    paid = {paid - change for paid in by_word.get("paid", ()) for change in by_word.get("change", ())}
    rounded = {total + by for total in by_word.get("total", ()) for by in by_word.get("rounding", ()) if by}
    added = {net + tax for net in by_word.get("net", ()) for tax in by_word.get("tax", ())}
    worth = dict.fromkeys(added, ADDS_UP) | dict.fromkeys(paid, PAID) | dict.fromkeys(rounded, ROUNDED)
    return {value: bonus for value, bonus in worth.items() if value > 0}


def _issue_date(found: Sequence[Candidate], scene: Scene) -> None:
    seen = Counter(each.value for each in found)
    for at, each in enumerate(found):
        if each.span is None:
            continue
        if each.span.piece.page > 1:
            each.score *= 0.85
        row = scene.page(each.span).rows[each.span.piece.row]
        timed = any(scene.spans.within("time", piece) for piece in row.pieces)
        each.score += (WITH_TIME if timed else 0.0) + EARLIER / (1 + at) + 0.02 * min(seen[each.value] - 1, 2)
        if scene.ranges.first_of(each.span) or scene.ranges.is_start(each.span):
            each.score *= 0.75


def _first(found: Sequence[Candidate], scene: Scene) -> None:
    for at, each in enumerate(found):
        each.score += EARLIER / (1 + at)


def _id(found: Sequence[Candidate], scene: Scene) -> None:
    """Text below a title is its number only if the title contains a word for number."""
    for each in found:
        if each.clue is not None and each.clue.where == "below" and not _NUMBERING & set(each.clue.words):
            each.score *= NO_NUMBER
    _first(found, scene)


def _phone(found: Sequence[Candidate], scene: Scene) -> None:
    """Without a label, only text formatted like a phone number, in a typical position."""
    for at, each in enumerate(found):
        if each.label < 0.3 and each.span is not None:
            digits = sum(map(str.isdigit, each.text))
            written = (
                any(mark in each.text for mark in "()+ -.")
                and digits >= (7 if any(mark in each.text for mark in "()+-") else 8)
                and not find_dates(each.text)
            )
            page = scene.page(each.span)
            high = each.span.piece.box[1] < 0.4 * page.page.height
            each.score = UNLABELED["phone"] if written and high and not _labeled(each.span, scene) else 0.0
        each.score += EARLIER / (1 + at)


def _labeled(span: Span, scene: Scene) -> bool:
    """Whether the value has a label of something else: in its cell of a form, before a colon, or for a number."""
    near = scene.clues(span)[:1]
    return span.piece.boxed or any(
        clue.strength >= COLON or (clue.strength >= LEFT and clue.words[-1] in _NUMBERING)
        for clue in near
        if clue.words
    )


def _period(found: Sequence[Candidate], scene: Scene) -> None:
    for at, each in enumerate(found):
        if each.span is None:
            continue
        if scene.ranges.first_of(each.span) or scene.ranges.is_start(each.span):
            each.score = max(each.label, UNLABELED["period_start"]) * 0.9 + 0.1
        else:
            told = _EDGES.intersection(each.clue.words) if each.clue is not None else frozenset()
            each.score = each.label if told else each.label * ONE_DATE
            if told and len(told & _STARTS) + len(told & _ENDS) == 1 and told & _OPPOSITE[each.target.name]:
                each.score *= OTHER_EDGE
        each.score += EARLIER / (1 + at)


def _by_role(found: Sequence[Candidate], scene: Scene) -> None:
    """Of two similar numbers, the first is usually the seller's, the second the buyer's."""
    labeled = [each for each in found if each.score > 0.3]
    for at, each in enumerate(labeled):
        early = at == 0
        if len(labeled) > 1 and (found[0].target.role == "buyer") == early:
            each.score *= SECOND
    if found[0].target.role == "buyer" and len({each.text for each in labeled}) == 1:
        for each in labeled:
            each.score *= ONLY_ONE


_BY_CONCEPT: dict[str, Callable[[Sequence[Candidate], Scene], None]] = {
    "total": _total,
    "amount_due": _total,
    "issue_date": _issue_date,
    "period_start": _period,
    "period_end": _period,
    "net_total": _first,
    "tax_total": _total,
}
_BY_TYPE: dict[str, Callable[[Sequence[Candidate], Scene], None]] = {
    "phone": _phone,
    "email": _first,
    "url": _first,
    "iban": _first,
    "time": _first,
    "id": _id,
    "date": _first,
    "amount": _first,
    "number": _first,
    "percent": _first,
}
