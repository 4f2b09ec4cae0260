"""The letterhead of a page: which line is the sender's name."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from docsieve.engines.local.page.columns import above, below, ends_as_label
from docsieve.engines.local.page.view import MAX_HEAD_LENGTH, PageView, Piece, Token, said
from docsieve.engines.local.vocabulary.lexicon import MEANINGS
from docsieve.values.addresses import address_clue
from docsieve.values.amounts import find_amounts
from docsieve.values.dates import find_dates
from docsieve.values.names import company_clue, person_clue

# Weights of the features of a company name.
BASE = 0.2
LEGAL_FORM = 0.3
TRADE = 0.1
FIRST = 0.25
LARGE = 0.18
OVER_ADDRESS = 0.2
OVER_REGISTRATION = 0.1
REPEATED = 0.08
LIKE_A_LABEL = -0.6
DIGITS = -0.25
LIKE_AN_ADDRESS = -0.35
UNDER_BUYER = -0.5
NEXT_TO_AMOUNT = -0.3
SHORT = -0.25
LOWER_CASE = -0.15

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
_SALUTATION = re.compile(
    r"(?:herrn?|frau|firma|mr|mrs|ms|m|mme|sr|sra|an|to|attn|attention|z\.?\s?hd?\.?.*)\.?:?", re.I
)
PARTING = re.compile(r"\s+[●•·|∙]\s+|\s+[-–]\s+(?=\S+.*\d)")
_ONLY_FORM = re.compile(
    r"[(\[]?(?:m|malaysia|kl|s|sarawak|sabah)?[)\]]?\s*(?:sdn\.?\s*bhd\.?|s/b|ltd\.?|inc\.?|gmbh|llc|limited)\.?", re.I
)
_HEAD_ROWS = 14
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

    @property
    def text(self) -> str:
        text = PARTING.split(said(self.tokens)[:MAX_HEAD_LENGTH])[0]
        return (_TRAILING_NUMBER.sub("", text) or text).strip(" :;,|*-=_~")

    @property
    def _is_label(self) -> bool:
        row = self.page.rows[self.piece.row].pieces
        after = row[self.piece.place + 1].text if self.piece.place + 1 < len(row) else ""
        return self.piece.is_label or ends_as_label(self.piece) or after.startswith(":")

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
        if _SALUTATION.fullmatch(text) or address_clue(text) >= 0.5 or find_dates(text):
            return False
        return not {word for token in self.tokens for word in token.names} <= _TITLE_WORDS


def names_in(page: PageView) -> list[Name]:
    """Every line of the letterhead that could be the sender's name, with the reason."""
    lines = [piece for row in page.rows[: 4 * _HEAD_ROWS] for piece in row.pieces]
    texts = [piece.text.casefold() for piece in page.pieces]
    found: list[Name] = []
    rank = 0
    for piece in lines:
        if piece.boxed:
            continue
        if sum(map(str.isalpha, piece.text)) < 3 or len(piece.tokens) > (24 if PARTING.search(piece.head) else 12):
            continue
        name = Name(_with_form(piece, page), piece, 0.0, page, f"name at the head of page {page.number}")
        name.score = _score(name, rank, texts)
        rank += 1
        if name.score > 0.25:
            found.append(name)
    found += [joint for joint in map(_two_lines, found[:2]) if joint is not None]
    return found


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


def _with_form(piece: Piece, page: PageView) -> list[Token]:
    """Include the next line if it contains only the legal form of the company."""
    under = below(piece, page, limit=1, gap=1.0)
    if under and _ONLY_FORM.fullmatch(under[0].head.strip()):
        return [*piece.tokens, *under[0].tokens]
    return list(piece.tokens)


def _two_lines(name: Name) -> Name | None:
    """A name that continues on the next line in the same font size."""
    piece, page = name.piece, name.page
    under = below(piece, page, limit=1, gap=0.9)
    if not under or piece.row > 2 or len(name.tokens) > len(piece.tokens) or company_clue(name.text) == 1.0:
        return None
    other = Name(under[0].tokens, under[0], 0.0, page, "")
    alike = 0.7 < under[0].height / max(piece.height, 0.1) < 1.4
    digits = any(map(str.isdigit, other.text + name.text))
    if not alike or digits or not other.plausible or company_clue(other.text) == 1.0 or other.text.endswith(","):
        return None
    large = min(piece.height, under[0].height) > _LARGE_LETTERS * page.height
    if not (large or company_clue(other.text)):
        return None
    return Name([*piece.tokens, *under[0].tokens], piece, name.score + 0.1, page, name.why)


def _score(name: Name, rank: int, texts: Sequence[str]) -> float:
    piece, page, text = name.piece, name.page, name.text
    words = {word for token in piece.tokens for word in token.names}
    score = BASE + FIRST * max(0.0, 1 - rank / 10)
    clue = company_clue(text)
    score += (LEGAL_FORM if rank < _FIRST_LINES else LEGAL_FORM / 3) if clue == 1.0 else TRADE if clue else 0.0
    score += LARGE * min(1.0, max(0.0, piece.height / max(page.height, 1.0) - 1.0))
    under = below(piece, page, limit=3)
    if (
        any(address_clue(each.text) >= 0.4 for each in under)
        or address_clue(said(name.tokens)[len(text) : MAX_HEAD_LENGTH]) >= 0.4
    ):
        score += OVER_ADDRESS
    if under and REGISTRATION.match(under[0].head):
        score += OVER_REGISTRATION
    if sum(text.casefold() in each for each in texts) > 1:
        score += REPEATED
    titled = words & _TITLES and len(words) <= 3 and clue < 1.0
    if ends_as_label(piece) or not words or words <= _TITLE_WORDS or ":" in text or titled or _NOTICE.match(text):
        score += LIKE_A_LABEL
    if sum(map(str.isdigit, text)) * 4 > len(text):
        score += DIGITS
    if address_clue(text) >= 0.4 and clue < 1.0:
        score += LIKE_AN_ADDRESS if rank else LIKE_AN_ADDRESS / 3
    if rank and any(find_amounts(other.head) for other in page.rows[piece.row].pieces):
        score += NEXT_TO_AMOUNT
    if len(text) < 4:
        score += SHORT
    if text.islower():
        score += LOWER_CASE
    over = above(piece, page)
    if over is not None and {word for token in over.tokens for word in token.names} & {
        "buyer",
        "bill",
        "sold",
        "customer",
        "ship",
    }:
        score += UNDER_BUYER
    return score


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
            score = 0.42 + (0.08 if first else -0.06) + (0.05 if left else 0.0)
            score += 0.06 if over is not None and PARTING.search(over.head) else 0.0
            score += 0.05 if over is not None and _SALUTATION.fullmatch(over.head) else 0.0
            score += 0.04 if person_clue(name.text) or company_clue(name.text) else 0.0
            name.score = score
            yield name
