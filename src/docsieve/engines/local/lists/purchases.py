"""Purchased items on receipts without headings: lines with a name and an amount, above the total."""

import re
from collections import Counter
from collections.abc import Sequence

from docsieve.engines.local.fields.candidates import Scene
from docsieve.engines.local.fields.spans import Span
from docsieve.engines.local.lists.groups import Cell, Group, Listing
from docsieve.engines.local.page.view import MAX_HEAD_LENGTH, PageView, Piece, Row, Token, said, spot
from docsieve.engines.local.vocabulary.targets import ROW_CONCEPTS
from docsieve.values.amounts import parse_amount
from docsieve.values.currencies import currency_of

PURCHASES = 0.5
_END_TEXT = (
    "total subtotal tax cash change card paid due balance rounding tip gratuity amount pay visa deposit net purchase"
    " price charge credit"
)
_END = frozenset(_END_TEXT.split())
_SUMS = frozenset(("total", "subtotal", "balance", "due"))
_OF_PURCHASES = frozenset(("item", "line", "purchase", "sales", "order", "detail", "position", "service", "entry"))
_COUNTS = frozenset(("item", "quantity", "number"))
_QUANTITY = re.compile(r"^(\d{1,3})(?:\s*(?:x|@|pcs|ea)\b.*)?$|^(\d{1,3})[xX]$", re.I)
_MULTIPLIERS = frozenset(("x", "X", "×", "@", "*"))
_MEASURED = re.compile(
    r"\d+(?:[.,]\d+)?\s*(?:x|×|\*|@|at|à|pcs?|ea|st[kc]?\.?|un\.?|lb|1b|kg|g|oz|l)?\s*(?:net\s*)?(?:x|×|\*|@|/)?\s*"
    r"[^\w\s]?\s*\d*[.,]\d{2}(?:\s*/\s*(?:lb|1b|kg|g|oz|l|ea|pcs?|st[kc]?\.?|un\.?))?",
    re.I,
)
_FLAGGED = re.compile(r"(\S?\d+[.,]\d{2})([A-Z]{1,2}\d?)")
_UNITS = frozenset(("G", "KG", "L", "ML", "CL", "LB", "OZ", "M", "CM", "MM"))
_MANY = 3
_CODE = re.compile(r"\d{6,}")
_MAX_PAGES = 2


def purchase_listings(group: Group, scene: Scene) -> list[Listing]:
    """Only for lists of items with name, quantity and price."""
    names = {column.target.name: at for at, column in enumerate(group.columns)}
    if not group.scalars and not _OF_PURCHASES & set(group.words):
        return []
    if "item_name" not in names or not set(names) & (ROW_CONCEPTS - {"item_name"}):
        return []
    rows = [row for page in scene.view.pages[:_MAX_PAGES] for row in _rows(page, scene, names)]
    return [Listing(rows, PURCHASES, "in a plain list: names and amounts", "purchases")] if rows else []


def _rows(page: PageView, scene: Scene, names: dict[str, int]) -> list[dict[int, Cell]]:
    found: list[tuple[bool, dict[int, Cell]]] = []
    pending: Row | None = None
    flags = _flags(page, scene)
    for row in page.rows:
        words = {word for piece in row.pieces[:2] for token in piece.tokens[:3] for word in token.names}
        amounts = _amounts(row, scene)
        ends = _ends_items(words) or bool(amounts and "tax" in words)
        if found and ends:
            break
        if (words and words <= _COUNTS) or _MEASURED.fullmatch(row.text[:MAX_HEAD_LENGTH].strip()):
            continue
        if amounts and "discount" in words:
            continue
        if not amounts or ends:
            pending = row if len(row.pieces) == 1 and not ends else None
            continue
        entry = _entry(row, amounts, names, pending, flags)
        if entry:
            found.append((amounts[-1].value < 0, entry))
        pending = None
    negative = sum(is_negative for is_negative, _ in found)
    discounts = negative * 2 < len(found)  # otherwise the goods were returned
    return [entry for is_negative, entry in found if not (is_negative and discounts)]


def _flags(page: PageView, scene: Scene) -> set[str]:
    """Letters that begin many lines with an amount: codes of taxes, not parts of names."""
    firsts = [row.pieces[0].tokens[0].text for row in page.rows if _amounts(row, scene)]
    return {text for text, times in Counter(firsts).items() if len(text) == 1 and text.isalpha() and times >= _MANY}


def _ends_items(words: set[str]) -> bool:
    """Whether the line is a sum, a tax or a payment; `bar` is cash in German, but `BAR S BACON` is an item."""
    ending = words & _END
    return bool(ending & _SUMS) or 2 * len(ending) > len(words)


def _amounts(row: Row, scene: Scene) -> list[Span]:
    spans = [span for piece in row.pieces for span in scene.spans.within("amount", piece) if span.quality == 1.0]
    spans += _with_a_flag(row.pieces[-1])
    if not spans or scene.spans.within("date", row.pieces[0]) or spans[-1].piece is not row.pieces[-1]:
        last = row.pieces[-1]
        return spans if spans and len(last.text) <= 2 else []  # a tax code may follow the amount
    return spans


def _with_a_flag(piece: Piece) -> list[Span]:
    """A last word that is an amount and the letters of a tax rate: `6,50TI`."""
    at = len(piece.tokens) - 1
    flagged = _FLAGGED.fullmatch(piece.tokens[at].text)
    amount = parse_amount(flagged[1]) if flagged is not None and flagged[2] not in _UNITS else None
    return [Span(piece, at, at, amount.text, amount.value)] if amount is not None else []


def _entry(
    row: Row, amounts: Sequence[Span], names: dict[str, int], pending: Row | None, flags: set[str]
) -> dict[int, Cell]:
    numbers = {id(token) for span in amounts for token in span.tokens}
    before = [token for piece in row.pieces for token in piece.tokens if id(token) not in numbers]
    before = [token for token in before if token.box[0] < amounts[-1].tokens[0].box[0]]
    if len(before) > 1 and before[0].text in flags:
        before = before[1:]
    quantity = _quantity(before)
    text = _trimmed([token for token in before if token not in quantity])
    owner = row.pieces[0]
    if sum(sum(map(str.isalpha, token.text)) for token in text) < 2:
        if pending is None:
            return {}
        text, owner = _trimmed(pending.pieces[0].tokens), pending.pieces[0]
    counted = bool(quantity) and quantity[0] is before[0]  # its name may have a colon: `1 Burger side: salad`
    if (":" in said([*text, *quantity])[:-1] and not counted) or currency_of(said(text)[:MAX_HEAD_LENGTH]):
        return {}
    entry = {names["item_name"]: Cell(said(text), [spot(text, owner)])}
    if quantity and "quantity" in names:
        entry[names["quantity"]] = Cell(re.sub(r"\D", "", quantity[0].text), [spot(quantity, row.pieces[0])])
    _put_amounts(entry, amounts, names)
    return entry


def _put_amounts(entry: dict[int, Cell], amounts: Sequence[Span], names: dict[str, int]) -> None:
    last, first = amounts[-1], amounts[0]
    total, price = names.get("line_total"), names.get("unit_price")
    if total is not None:
        entry[total] = Cell(last.text, [spot(last.tokens, last.piece)])
        if price is not None and len(amounts) > 1:
            entry[price] = Cell(first.text, [spot(first.tokens, first.piece)])
    elif price is not None:
        entry[price] = Cell(last.text, [spot(last.tokens, last.piece)])


def _trimmed(tokens: Sequence[Token]) -> list[Token]:
    """Without signs and codes at either end; `&` and `-` between words belong to the name."""
    wordy = [at for at, token in enumerate(tokens) if any(map(str.isalnum, token.text))]
    kept = list(tokens[wordy[0] : wordy[-1] + 1]) if wordy else []
    if len(kept) > 1 and _CODE.fullmatch(kept[0].text):
        kept = kept[1:]
    if len(kept) > 1 and _CODE.fullmatch(kept[-1].text):
        kept = kept[:-1]
    return kept


def _quantity(tokens: Sequence[Token]) -> list[Token]:
    """The quantity before or after the name, with the sign of multiplication after it."""
    for at in sorted({0, len(tokens) - 1}) if tokens else ():
        if _QUANTITY.match(tokens[at].text):
            times = at + 1 < len(tokens) and tokens[at + 1].text in _MULTIPLIERS
            return list(tokens[at : at + 2 if times else at + 1])
    return []
