"""The rows of a table under each possible header: facts that are the same for every list of the schema."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from docsieve.domain.pages.page import Cell
from docsieve.engines.local.page.view import runs_left
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.values.dates import parse_date

TableRow = dict[int, Cell]

HEADER_ROWS = 4
_DEPTHS = (1, 2, 3)
_LOOKED_AT = 40
_NEARLY_ALL = 0.8
_LABELED = re.compile(r"[^:]{2,40}:\s+\S")
_NUMBER = re.compile(r"[^\w\s]?\s?\(?-?\d[\d.,'\s]*\)?\s?(?:[^\w\s]|[A-Z]{3})?")
YEAR = re.compile(r"\b(?:19|20)\d\d\b")


class Body:
    """The rows from `start` on, with the headings in `heads` by column."""

    def __init__(self, rows: Sequence[TableRow], start: int, heads: dict[int, str]) -> None:
        self.start = start
        self.heads = heads
        self.rows = rows[start : start + _LOOKED_AT]
        self.labels = {place: canonical(text) for place, text in heads.items()}
        self._texts: dict[int, list[str]] = {}
        self._wordy: dict[int, bool] = {}

    def texts(self, place: int) -> list[str]:
        """The non-empty cells of a column."""
        if place not in self._texts:
            self._texts[place] = [row[place].text for row in self.rows if place in row and row[place].text.strip()]
        return self._texts[place]

    def is_text(self, place: int) -> bool:
        if place not in self._wordy:
            texts = self.texts(place)
            wordy = sum(sum(map(str.isalpha, text)) * 2 > len(text) for text in texts)
            self._wordy[place] = bool(texts) and wordy * 2 > len(texts)
        return self._wordy[place]

    def kind(self, place: int) -> str:
        """What nearly all cells of a column are: `percent`, `date`, `number`, or `""`, also if they only count."""
        texts = self.texts(place)
        found = Counter(_kind(text) for text in texts)
        kind, times = found.most_common(1)[0] if found else ("", 0)
        counts = [text.strip(" .") for text in texts] == [str(at) for at in range(1, len(texts) + 1)]
        return "" if counts or times < _NEARLY_ALL * len(texts) else kind

    @cached_property
    def places(self) -> list[int]:
        """The columns that have a heading or are mostly filled."""
        filled = Counter(place for row in self.rows for place in row)
        usual = (place for place, count in filled.items() if count * 2 > len(self.rows))
        return [place for place in sorted({*self.heads, *usual}) if self.texts(place)]

    @cached_property
    def has_headings(self) -> bool:
        """Whether the headings are words rather than numbers."""
        return sum(map(str.isdigit, YEAR.sub("", self._said))) * 2 <= self._letters

    @cached_property
    def is_labeled(self) -> bool:
        """Whether what could be headings are labels with their values: `Make: Ford`."""
        return sum(_LABELED.match(text) is not None for text in self.heads.values()) * 2 > len(self.heads)

    @cached_property
    def is_foreign(self) -> bool:
        """Whether the headings are in another script than names of fields."""
        return self._letters > 0 and sum(map(str.isascii, filter(str.isalpha, self._said))) * 2 < self._letters

    @cached_property
    def runs_left(self) -> bool:
        return runs_left(self._said)

    @cached_property
    def _said(self) -> str:
        return " ".join(self.heads.values())

    @cached_property
    def _letters(self) -> int:
        return sum(map(str.isalpha, self._said))


def _kind(text: str) -> str:
    if "%" in text:
        return "percent"
    if parse_date(text) is not None:
        return "date"
    return "number" if _NUMBER.fullmatch(text.strip()) else ""


def bodies_of(rows: Sequence[TableRow]) -> Iterator[Body]:
    for header in range(min(HEADER_ROWS, len(rows) - 1)):
        for depth in _DEPTHS:
            if header + depth < len(rows):
                yield Body(rows, header + depth, heads_of(rows[header : header + depth]))


def heads_of(rows: Sequence[TableRow]) -> dict[int, str]:
    heads: dict[int, str] = {}
    seen: set[object] = set()
    for row in rows:
        for column, cell in row.items():
            if (cell.box, cell.text) in seen:
                continue  # it spans several rows
            seen.add((cell.box, cell.text))
            for spread in range(column, column + cell.column_span):
                heads[spread] = f"{heads.get(spread, '')} {cell.text}".strip()
    return heads
