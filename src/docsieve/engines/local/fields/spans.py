"""Dates, amounts and other typed values on the pages, found once for all fields."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from docsieve.engines.local.page.view import DocumentView, Piece, Token
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.lexicon import MEANINGS
from docsieve.values.amounts import find_amounts
from docsieve.values.contact.internet import find_emails
from docsieve.values.contact.phones import find_phones
from docsieve.values.currencies import find_currencies
from docsieve.values.dates import day_order, find_dates
from docsieve.values.ibans import find_ibans
from docsieve.values.numbers import DecimalMark, decimal_mark, find_numbers
from docsieve.values.percentages import find_percentages
from docsieve.values.times import find_times

Finds = list[tuple[int, int, Any]]

_REMARK = re.compile(r" \(\d{1,4}\)")
"""The code of the word before it, as in `Invoice (380)`."""

_VERSION = re.compile(r"v?\d{1,2}\.\d{1,2}", re.I)
_GLUED_DATES = re.compile(r"(?<=[/.]\d\d)[-–](?=\d{1,2}[/.]\d{1,2}[/.])|(?<=[/.]\d{4})[-–](?=\d{1,2}[/.]\d{1,2}[/.])")
MAX_PIECE_LENGTH = 4_000

_ID = re.compile(
    r"(?<![\w.,/-])(?:[A-Z]{1,3}[-/. #]|[^\W\d_]{1,6}[-/.#]?)?[#]?"
    r"(?=[\w/.-]*\d)\w(?:[\w/.\-]|(?<=\d),(?=\d{3}(?!\d)))*\w(?!\w)|(?<![\w.,])\d(?![\w.,])"
)
_GROUPED = re.compile(r"(?<![\w.,/-])(?=[\dA-Z]*\d)[\dA-Z]{2,12}(?: \d[\dA-Z]{1,7}){1,5}$")
"""An identifier written in groups: `DE 298 771`, `5503 2217`."""

_SHORTEST_GROUPED = 6
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
_BEFORE_YEAR = re.compile(r"\b(?:of|in|since|until|from|von|vom|seit|de|du|del|da|do|em|en)\s$", re.I)
_LETTER = frozenset(((612, 792), (612, 1008)))
_ENGLISH = re.compile(r"\b(?:the|and|of the|for)\b")
_URL = re.compile(
    r"(?:https?://|www\.)[^\s,;|]+|\b[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?:com|net|org|de|fr|eu|co|io|info|my|at|ch|it|nl|es|uk|us)\b(?:/[^\s,;|]*)?",
    re.I,
)


@dataclass(slots=True, eq=False)
class Span:
    """A typed value within a piece: the words from `first` to `last` (inclusive)."""

    piece: Piece
    first: int
    last: int
    text: str
    value: Any
    quality: float = 1.0

    @property
    def tokens(self) -> list[Token]:
        return self.piece.tokens[self.first : self.last + 1]


@dataclass(slots=True, eq=False)
class Spans:
    """All spans of a document by type, found on first use."""

    view: DocumentView
    day_first: bool | None = None
    decimal: DecimalMark | None = None
    _found: dict[str, list[Span]] = field(default_factory=dict)
    _by_piece: dict[str, dict[int, list[Span]]] = field(default_factory=dict)

    def of(self, kind: str) -> list[Span]:
        if kind not in self._found:
            finder = self._finders().get(kind)
            pieces = self.view.pieces if finder else ()
            self._found[kind] = [span for piece in pieces for span in _spans(piece, finder)] if finder else []
        return self._found[kind]

    def within(self, kind: str, piece: Piece) -> list[Span]:
        if kind not in self._by_piece:
            by_piece: dict[int, list[Span]] = {}
            for span in self.of(kind):
                by_piece.setdefault(id(span.piece), []).append(span)
            self._by_piece[kind] = by_piece
        return self._by_piece[kind].get(id(piece), [])

    def _finders(self) -> dict[str, Callable[[str], Iterable[tuple[int, int, Any, float]]]]:
        def sure(finds: Iterable[tuple[int, int, Any]]) -> Iterable[tuple[int, int, Any, float]]:
            return ((start, end, value, 1.0) for start, end, value in finds)

        return {
            "date": lambda text: sure(find_dates(_parted(text), day_first=self.day_first)),
            "time": lambda text: sure(find_times(text)),
            "amount": lambda text: _amounts(text, self.decimal),
            "number": lambda text: _numbers(text, self.decimal),
            "integer": lambda text: _numbers(text, self.decimal),
            "percent": lambda text: sure(find_percentages(text, decimal=self.decimal)),
            "phone": lambda text: sure(find_phones(text)),
            "email": lambda text: sure(find_emails(text)),
            "iban": lambda text: sure(find_ibans(text)),
            "url": lambda text: sure((m.start(), m.end(), m.group()) for m in _URL.finditer(text) if "@" not in text),
            "currency": lambda text: sure(find_currencies(text)),
            "id": lambda text: _ids(text),
        }


def spans_of(view: DocumentView) -> Spans:
    texts = [piece.text[:MAX_PIECE_LENGTH] for piece in view.pieces]
    order = day_order(texts)
    return Spans(view, False if order is None and _is_on_letter_paper(view) else order, decimal_mark(texts))


def _is_on_letter_paper(view: DocumentView) -> bool:
    """Whether all pages are of a size used in the United States, where the month comes first, and in English."""
    sizes = {(round(page.page.width), round(page.page.height)) for page in view.pages}
    english = any(_ENGLISH.search(piece.head) for page in view.pages[:1] for piece in page.pieces)
    return bool(sizes) and sizes <= _LETTER and english


def _spans(piece: Piece, find: Callable[[str], Iterable[tuple[int, int, Any, float]]]) -> Iterable[Span]:
    text = piece.text[:MAX_PIECE_LENGTH]
    if not text:
        return
    starts, at = [], 0
    for token in piece.tokens:
        starts.append(at)
        at += len(token.text) + 1
    for start, end, value, quality in find(text):
        while start < end and text[start].isspace():
            start += 1
        while end > start and text[end - 1].isspace():
            end -= 1
        first = max((i for i, s in enumerate(starts) if s <= start), default=0)
        last = max((i for i, s in enumerate(starts) if s < end), default=first)
        yield Span(piece, first, last, text[start:end], value, quality)


def _parted(text: str) -> str:
    """Replace the dash between two dates, because a date with slashes does not end before a dash."""
    return _GLUED_DATES.sub("~", text)


def _amounts(text: str, decimal: DecimalMark | None) -> Iterable[tuple[int, int, Any, float]]:
    taken: list[tuple[int, int]] = []
    for start, end, amount in find_amounts(text, decimal=decimal):
        taken.append((start, end))
        exponent = amount.value.as_tuple().exponent
        yield start, end, amount.value, 1.0 if isinstance(exponent, int) and exponent >= -2 else 0.6
    dates = [(start, end) for start, end, _ in find_dates(text)]
    for start, end, value in find_numbers(text, decimal=decimal):
        if not any(s < end and start < e for s, e in (*taken, *dates)):
            yield start, end, value, _bare(value, text[end : end + 2])


def _bare(value: Decimal, after: str) -> float:
    """How likely a number without a currency is an amount of money."""
    if "%" in after or value >= 10**7:
        return 0.2
    return 0.4 if abs(value) < 100 and value == int(value) else 0.55


def _numbers(text: str, decimal: DecimalMark | None) -> Iterable[tuple[int, int, Any, float]]:
    dates = [(start, end) for start, end, _ in find_dates(text)]
    taken: list[tuple[int, int]] = []
    for start, end, value in find_numbers(text, decimal=decimal):
        if not any(s < end and start < e for s, e in dates):
            taken.append((start, end))
            yield start, end, value, 1.0
    for start, end, amount in find_amounts(text, decimal=decimal):
        if not any(s < end and start < e for s, e in (*taken, *dates)):
            yield start, end, amount.value, 0.9


def _ids(text: str) -> Iterable[tuple[int, int, Any, float]]:
    dates = [(start, end) for start, end, _ in find_dates(text)]
    money = [
        (start, end)
        for start, end, amount in find_amounts(text)
        if amount.value != int(amount.value) or amount.currency
    ]
    ibans = find_ibans(text)
    yield from ((start, end, value, 1.0) for start, end, value in ibans)
    grouped = _grouped(text, [(start, end) for start, end, _ in ibans] + dates + money)
    if grouped is not None:
        yield *grouped, text[slice(*grouped)], 1.0
    for match in _ID.finditer(text):
        start, end = match.span()
        if any(s < end and start < e for s, e, _ in ibans):
            continue
        start += _label_before(match.group())
        quality = 1.0
        if any(s < end and start < e for s, e in dates):
            quality = 0.35
        elif any(s < end and start < e for s, e in money):
            quality = 0.25
        elif _is_a_year(text, start, end) or _REMARK.fullmatch(text[max(start - 2, 0) : end + 1]):
            quality = 0.3
        elif end - start < 3 or (grouped is not None and start >= grouped[0]):
            quality = 0.6
        elif _VERSION.fullmatch(text[start:end]):
            quality = 0.3
        elif sum(map(str.isdigit, text[start:end])) < 2:
            quality = 0.9
        yield start, end, text[start:end], quality


def _is_a_year(text: str, start: int, end: int) -> bool:
    return bool(_YEAR.fullmatch(text[start:end]) and _BEFORE_YEAR.search(text[:start]))


def _grouped(text: str, others: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Where an identifier in groups ends the text, unless it is something else, or so short that it may be a row."""
    found = _GROUPED.search(text)
    if found is None or len(found.group().replace(" ", "")) < _SHORTEST_GROUPED:
        return None
    start, end = found.span()
    return None if any(s < end and start < e for s, e in others) else (start, end)


def _label_before(text: str) -> int:
    """How many leading characters of an identifier are a label word: `numero 331/A`."""
    word, space, _ = text.partition(" ")
    return len(word) + 1 if space and (word.islower() or set(canonical(word)) <= MEANINGS.keys()) else 0
