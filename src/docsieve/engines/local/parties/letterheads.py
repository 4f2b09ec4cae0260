"""The letterhead of a page: which line is the sender's name."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docsieve.domain.pages.page import Table
from docsieve.engines.local.page.columns import above, below, ends_as_label
from docsieve.engines.local.page.view import MAX_HEAD_LENGTH, PageView, Piece, Token, said
from docsieve.engines.local.vocabulary.concepts import ROLES
from docsieve.engines.local.vocabulary.lexicon import MEANINGS
from docsieve.values.amounts import find_amounts
from docsieve.values.contact.addresses import address_clue
from docsieve.values.dates import find_dates
from docsieve.values.names import company_clue, person_clue
from docsieve.values.numbers import parse_number

# Any line may be the sender's name. What speaks for a line counts the same, and so does what speaks against it.
BASE = 0.2
FOR = 0.2
AGAINST = 0.3
LONGER, UNSURE_OF_LONGER = 0.1, -0.2
IN_WINDOW, SEEN_IN_WINDOW = 0.4, 0.05

_TITLE_WORDS_TEXT = (
    "invoice receipt tax cash bill statement order copy original duplicate page date welcome thank official "
    "simplified credit debit note memo delivery sales customer document quotation number bill title slip time "
    "total to phone fax email website contract confirmation summary description item gst id registration reprint "
    "address ship seller buyer supplier company name store"
)
_TITLE_WORDS = frozenset(_TITLE_WORDS_TEXT.split())
_TITLES = frozenset(("invoice", "receipt", "statement", "quotation"))
_NOTICE = re.compile(r"\(c\)|©|copyright|page\b|seite\b", re.I)
REGISTRATION = re.compile(
    r"^\W*(?:co[-.\s]*(?:reg|no)|reg|roc|company\s+(?:reg|no)|gst|sst|tax|vat|ust|no\.?\s*id|[(\[]?\s*[\w-]{0,4}\d{4,}[\w-]*\s*[)\]]?\W*$|\(.*\d{4,}.*\)$)",
    re.I,
)
_TRAILING_NUMBER = re.compile(r"\s*[(\[]\s*(?:co\.?|reg|no|roc)?[^()\[\]]*\d{4,}[^()\[\]]*[)\]]?\s*$", re.I)
_BARE_NUMBER = re.compile(r"\s+[A-Z]{0,3}-?\d{5,}[-\w]*$")
_MEASURE = re.compile(r"\b\d+(?:[.,]\d+)?\s?(?:[kmc]?g|m?l|[mck]?m|oz|lbs?|pcs|stk|%)(?!\w)", re.I)
_MAX_PARTY_COLUMNS = 2
_SALUTATION = re.compile(
    r"(?:herrn?|frau|firma|mr|mrs|ms|m|mme|sr|sra|an|to|attn|attention|z\.?\s?hd?\.?.*)\.?:?", re.I
)
PARTING = re.compile(r"\s+[●•·|∙]\s+|\s+[-–]\s+(?=\S+.*\d)")
_ONLY_FORM = re.compile(
    r"[(\[]?(?:m|malaysia|kl|s|sarawak|sabah)?[)\]]?\s*(?:s[dcoi0]n\.?\s*bhd\.?|s/b|ltd\.?|inc\.?|gmbh|llc|limited)\.?",
    re.I,
)
_HEAD_ROWS = 14
_MAX_NUMBER = 40
_FAINT = 0.25
LIKE_ADDRESS = 0.4
_OF_BUYERS = frozenset(("buyer", "bill", "sold", "customer", "ship"))
_MAX_TRADE_WORDS = 3
_MAX_LONGER, _MAX_MORE_LINES = 3, 2
_LARGE_LETTERS = 1.25
_FIRST_LINES = 10
_WIDE_SPACE = 1.7


@dataclass(slots=True, eq=False)
class Name:
    tokens: Sequence[Token]
    piece: Piece
    score: float
    page: PageView
    why: str
    label: float = 0.0
    """How well the label that it follows names the field; 0 if it was found by its form and place."""

    @property
    def text(self) -> str:
        text = PARTING.split(said(self.tokens)[:MAX_HEAD_LENGTH])[0]
        text = _TRAILING_NUMBER.sub("", text) or text
        bare = _BARE_NUMBER.sub("", text)
        return (bare if company_clue(bare) == 1.0 else text).strip(" :;,|*-=_~")

    @property
    def _is_label(self) -> bool:
        row = self.page.rows[self.piece.row].pieces
        after = row[self.piece.place + 1].text if self.piece.place + 1 < len(row) else ""
        return self.piece.is_label or ends_as_label(self.piece) or after.startswith(":")

    @property
    def _is_item(self) -> bool:
        """Whether it is in a row of a list, or has a measure, as in `Anvil 250 kg`."""
        cell = self.piece.cell
        in_table = cell is not None and cell[1] > 0 and not self.piece.boxed
        if cell is not None and in_table and lists_items(self.page.page.tables[cell[0]]):
            return True
        return _MEASURE.search(self.text) is not None

    @property
    def plausible(self) -> bool:
        text = self.text
        letters = sum(map(str.isalpha, text))
        if (
            text.startswith("(")
            or letters < 2
            or letters * 2 < len(text.replace(" ", ""))
            or self._is_label
            or ":" in text[2:20]
        ):
            return False
        place = text if PARTING.search(self.piece.head) else said(self.tokens)
        if self._is_item or _SALUTATION.fullmatch(text) or address_clue(place) >= 0.5 or find_dates(text):
            return False
        words = {word for token in self.tokens for word in token.names}
        return not words <= _TITLE_WORDS and (not words & ROLES["ship_to"] or company_clue(text) > 0)


def lists_items(table: Table) -> bool:
    """Whether a table has several rows and a column of numbers. Others may be the layout of a letterhead."""
    if table.columns <= _MAX_PARTY_COLUMNS or table.rows <= _MAX_PARTY_COLUMNS:
        return False
    filled = Counter(each.column for each in table.cells if each.row > 0 and each.text.strip())
    numbers = Counter(
        each.column for each in table.cells if each.row > 0 and parse_number(each.text[:_MAX_NUMBER]) is not None
    )
    return any(2 * numbers[column] >= filled[column] for column in numbers)


def names_in(page: PageView) -> list[Name]:
    """Every line of the letterhead that could be the sender's name, with the reason."""
    texts = [piece.text.casefold() for piece in page.pieces]
    found: list[Name] = []
    rank = 0
    joined: set[int] = set()
    for piece in (piece for row in page.rows[: 4 * _HEAD_ROWS] for piece in row.pieces):
        if piece.boxed or id(piece.tokens[0]) in joined:
            continue
        if sum(map(str.isalpha, piece.text)) < 3 or len(piece.tokens) > (24 if PARTING.search(piece.head) else 12):
            continue
        line = whole_line(piece, page)
        joined |= {id(token) for token in line}
        name = Name(_with_form(line, piece, page), piece, 0.0, page, f"name at the head of page {page.number}")
        name.score = _score(name, rank, texts)
        rank += 1
        if name.score > _FAINT:
            found.append(name)
    return found + [longer for name in found[:_MAX_LONGER] for longer in _longer(name, found)]


def whole_line(piece: Piece, page: PageView) -> list[Token]:
    """The words of a piece and of its neighbors, where a scan shows a wide space within a line."""
    row = page.rows[piece.row].pieces
    if page.page.origin != "ocr" or piece.cell is not None:
        return list(piece.tokens)
    first = last = piece.place
    while first > 0 and _goes_on(row[first - 1], row[first]):
        first -= 1
    while last + 1 < len(row) and _goes_on(row[last], row[last + 1]):
        last += 1
    return [token for each in row[first : last + 1] for token in each.tokens]


def _goes_on(left: Piece, right: Piece) -> bool:
    gap = right.box[0] - left.box[2]
    return gap < _WIDE_SPACE * min(left.height, right.height) and not ends_as_label(left) and not right.is_label


def _with_form(line: list[Token], piece: Piece, page: PageView) -> list[Token]:
    """Include the next line if it contains only the legal form of the company."""
    under = below(piece, page, limit=1, gap=1.0)
    if under and _ONLY_FORM.fullmatch(said(whole_line(under[0], page))[:MAX_HEAD_LENGTH].strip()):
        return [*line, *whole_line(under[0], page)]
    return line


def _longer(name: Name, found: Sequence[Name]) -> Iterable[Name]:
    """The name with one or two lines under it that may belong to it.

    They certainly do after an open bracket, and probably in large letters or where they begin with a word for a trade.
    """
    scores = {id(other.piece): other.score for other in found}
    tokens, best, last = list(name.tokens), name.score, name.piece
    for under in below(name.piece, name.page, limit=_MAX_MORE_LINES, gap=0.9):
        line = whole_line(under, name.page)
        other = Name(line, under, 0.0, name.page, "")
        said_before = said(tokens)[:MAX_HEAD_LENGTH]
        is_open = said_before.count("(") > said_before.count(")")
        if any(map(str.isdigit, other.text)) or not (is_open or _continues(last, other, said_before)):
            return
        large = min(last.height, under.height) > _LARGE_LETTERS * name.page.height
        trade = company_clue(f"x {line[0].text}") > 0
        tokens, last = [*tokens, *line], under
        best = max(best, scores.get(id(under), 0.0))
        bonus = LONGER if is_open or trade or large else UNSURE_OF_LONGER
        longer = Name(tokens, name.piece, best + bonus, name.page, name.why)
        if longer.text.count("(") <= longer.text.count(")"):
            yield longer


def _continues(last: Piece, other: Name, before: str) -> bool:
    if company_clue(before) == 1.0 or other.text.endswith(",") or not other.plausible:
        return False
    if company_clue(other.text) == 1.0 and not company_clue(f"x {other.tokens[0].text}"):
        return False  # a separate name
    return 0.7 < other.piece.height / max(last.height, 0.1) < 1.4 and address_clue(other.text) < 0.3


def _score(name: Name, rank: int, texts: Sequence[str]) -> float:
    return BASE + FOR * _for(name, rank, texts) - AGAINST * _against(name, rank)


def _for(name: Name, rank: int, texts: Sequence[str]) -> float:
    """It is among the first lines, has a legal form or a trade, large letters, and an address or a number under it."""
    piece, text = name.piece, name.text
    under = below(piece, name.page, limit=3)
    addresses = (*(each.text for each in under), said(name.tokens)[len(text) : MAX_HEAD_LENGTH])
    known = (
        _TRAILING_NUMBER.search(piece.head) is not None,
        bool(under) and REGISTRATION.match(under[0].head) is not None,
        sum(text.casefold() in each for each in texts) > 1,
    )
    return (
        max(0.0, 1 - rank / _FIRST_LINES)
        + company_clue(text)
        + min(1.0, max(0.0, piece.height / max(name.page.height, 1.0) - 1.0))
        + any(address_clue(each) >= LIKE_ADDRESS for each in addresses)
        + any(known) / 2
    )


def _against(name: Name, rank: int) -> int:
    """It looks like a label, a title, an address or an item, or belongs to the buyer."""
    piece, page, text = name.piece, name.page, name.text
    words = {word for token in piece.tokens for word in token.names}
    over = above(piece, page)
    clue = company_clue(text)
    is_title = words <= _TITLE_WORDS or (words & _TITLES and len(words) <= 3 and clue < 1.0)
    is_label = bool(ends_as_label(piece) or is_title or ":" in text or _NOTICE.match(text))
    reasons = (
        is_label,
        is_label,
        sum(map(str.isdigit, text)) * 4 > len(text),
        rank > 0 and address_clue(text) >= LIKE_ADDRESS and clue < 1.0,
        rank > 0 and any(find_amounts(other.head) for other in page.rows[piece.row].pieces),
        len(text) < 4,
        text.islower(),
        len(name.tokens) <= _MAX_TRADE_WORDS and all(company_clue(f"x {token.text}") for token in name.tokens),
        rank > 0 and over is not None and (over.text.endswith(",") or address_clue(over.text) >= LIKE_ADDRESS),
        over is not None and not _OF_BUYERS.isdisjoint(word for token in over.tokens for word in token.names),
    )
    return sum(reasons)


def letter_blocks(page: PageView) -> Iterable[Name]:
    """Lines above an address without a label."""
    for row in page.rows[: len(page.rows) * 2 // 3 + 1]:
        for piece in row.pieces:
            name = Name(piece.tokens, piece, 0.0, page, f"name over an address on page {page.number}")
            words = {word for token in piece.tokens for word in token.names}
            if not name.plausible or PARTING.search(piece.head) or len(piece.tokens) > 8 or words <= MEANINGS.keys():
                continue
            lines = [line.text for line in below(piece, page, limit=5, gap=2.2)]
            if not lines or max(address_clue(text) for text in lines[:3]) < 0.35:
                continue
            over = above(piece, page, reach=1.2)
            first = (
                over is None or not Name(over.tokens, over, 0, page, "").plausible or bool(PARTING.search(over.head))
            )
            left = piece.box[0] < 0.5 * page.page.width
            sent = over is not None and (PARTING.search(over.head) or _SALUTATION.fullmatch(over.head))
            named = person_clue(name.text) or company_clue(name.text)
            name.score = IN_WINDOW + SEEN_IN_WINDOW * sum(map(bool, (first, left, sent, named)))
            yield name
