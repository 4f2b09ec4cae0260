"""Index of the words of all pages of an extraction, to look up many values.

`text` contains the letters and digits of all words, folded and concatenated, so that a value is found regardless of
spaces, punctuation, line breaks and case. A run is a sequence of letters and digits; `edges` marks where runs start.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docsieve.domain.extraction import Material
from docsieve.domain.pages.coded import coded_fields
from docsieve.domain.pages.page import Box, FormField, Line, Page, Word

PAGE_END = "\n"
_RUN = re.compile(r"[^\W_]+")
_MAX_WORDS = 4_000_000
WIDE_SPACE = 0.7  # in heights of a word


@dataclass(slots=True)
class PageWord:
    """`line` and `row` are numbered across all pages. A row contains words side by side, even from different lines."""

    text: str
    box: Box
    confidence: float | None
    page: int
    line: int
    row: int = 0


@dataclass(slots=True)
class WordIndex:
    pages: list[tuple[Material, Page]] = field(default_factory=list)
    words: list[PageWord] = field(default_factory=list)
    lines: list[tuple[int, int]] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)
    row_middles: list[float] = field(default_factory=list)
    page_rows: list[tuple[int, int]] = field(default_factory=list)
    form_fields: dict[int, FormField] = field(default_factory=dict)
    text: str = ""
    starts: list[int] = field(default_factory=list)
    edges: bytearray = field(default_factory=bytearray)
    runs: list[list[str]] = field(default_factory=list)
    tokens: dict[str, list[int]] = field(default_factory=dict)
    _pairs: dict[tuple[str, str], list[int]] | None = None

    def word_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def pairs(self) -> dict[tuple[str, str], list[int]]:
        """Positions of pairs of runs, for values with only common runs. Built on first use."""
        if self._pairs is None:
            self._pairs = {}
            before, place = "", 0
            for word, runs in enumerate(self.runs):
                offset = self.starts[word]
                for run in runs:
                    self._pairs.setdefault((before, run), []).append(place)
                    before, place = run, offset
                    offset += len(run)
        return self._pairs

    def words_in(self, page: int, box: Box) -> list[int]:
        """The words of a page with their centers in the box, row by row."""
        first, last = self.page_rows[page]
        x0, y0, x1, y1 = box
        # A row's center is a mean, and rows of skewed scans are slanted, so one more row is checked on both sides.
        begin = max(bisect_right(self.row_middles, y0, first, last) - 1, first)
        end = min(bisect_right(self.row_middles, y1, first, last) + 1, last)
        return [
            each
            for row in self.rows[begin:end]
            for each in row
            if x0 <= middle_x(self.words[each].box) <= x1 and y0 <= middle_y(self.words[each].box) <= y1
        ]

    def line_text(self, line: int) -> tuple[str, list[int]]:
        """A line's words joined by spaces, and where each starts.

        Two spaces represent a wide gap: `19  100.16` are two columns, `19 100.16` may be one number.
        """
        first, last = self.lines[line]
        text = ""
        places: list[int] = []
        end = self.words[first].box[2] if first < last else 0.0
        for word in self.words[first:last]:
            height = word.box[3] - word.box[1]
            text += "" if not places else "  " if word.box[0] - end > WIDE_SPACE * height else " "
            places.append(len(text))
            text += word.text
            end = word.box[2]
        return text, places


def index_words(materials: Sequence[Material]) -> WordIndex:
    index = WordIndex()
    pieces: list[str] = []
    known: dict[str, list[str]] = {}
    offset = 0
    for material in materials:
        for page in material.pages:
            number = len(index.pages)
            index.pages.append((material, page))
            first = len(index.words)
            for words, form_field in _lines(page):
                if len(index.words) + len(words) > _MAX_WORDS:
                    break
                _add_line(index, words, form_field, number)
            for word in index.words[first:]:
                runs = known.get(word.text)
                if runs is None:
                    runs = known[word.text] = _RUN.findall(fold(word.text))
                index.starts.append(offset)
                index.runs.append(runs)
                for run in runs:
                    index.tokens.setdefault(run, []).append(offset)
                    pieces.append(run)
                    offset += len(run)
            pieces.append(PAGE_END)
            offset += 1
            _number_rows(index, first)
    index.text = "".join(pieces)
    index.edges = bytearray(offset + 1)
    for places in index.tokens.values():
        for place in places:
            index.edges[place] = 1
    for place, each in _page_ends(index.text):
        index.edges[place] = each
    return index


def fold(text: str) -> str:
    """Lower case without accents; ligatures and full-width letters become plain ones."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(each for each in decomposed if not unicodedata.combining(each))


def runs_of(text: str) -> list[str]:
    return _RUN.findall(fold(text))


def _page_ends(text: str) -> Iterator[tuple[int, int]]:
    place = text.find(PAGE_END)
    while place >= 0:
        yield place, 1
        place = text.find(PAGE_END, place + 1)


def _lines(page: Page) -> Iterator[tuple[list[Word], FormField | None]]:
    for line in page.lines:
        words = line.words or _split(line)
        if words:
            yield words, None
    for each in (*page.form_fields, *coded_fields(page.codes)):
        text = _form_text(each)
        if text:
            yield _split(Line(text, each.box)), each


def _form_text(form_field: FormField) -> str:
    value = form_field.value
    if form_field.kind in ("checkbox", "radio"):
        return "☒" if value not in (None, False, "", "Off") else "☐"
    if isinstance(value, list):
        return " ".join(value)
    return value if isinstance(value, str) else ""


def _split(line: Line) -> list[Word]:
    """Word boxes estimated with characters of equal width."""
    x0, y0, x1, y1 = line.box
    width = (x1 - x0) / max(len(line.text), 1)
    return [
        Word(match[0], (x0 + match.start() * width, y0, x0 + match.end() * width, y1))
        for match in re.finditer(r"\S+", line.text)
    ]


def _add_line(index: WordIndex, words: list[Word], form_field: FormField | None, page: int) -> None:
    line, first = len(index.lines), len(index.words)
    index.words += [PageWord(word.text, word.box, word.confidence, page, line) for word in words]
    index.lines.append((first, len(index.words)))
    if form_field is not None:
        index.form_fields[line] = form_field


def _number_rows(index: WordIndex, first: int) -> None:
    """Words with centers at nearly the same height form a row, from left to right."""
    first_row = len(index.rows)
    members: list[int] = []
    middle = height = 0.0
    for each in sorted(range(first, len(index.words)), key=lambda each: middle_y(index.words[each].box)):
        box = index.words[each].box
        if members and middle_y(box) - middle > 0.4 * max(height, 1.0):
            _close_row(index, members, middle)
            members = []
        middle = (middle * len(members) + middle_y(box)) / (len(members) + 1) if members else middle_y(box)
        height = min(height, box[3] - box[1]) if members else box[3] - box[1]
        members.append(each)
    if members:
        _close_row(index, members, middle)
    index.page_rows.append((first_row, len(index.rows)))


def _close_row(index: WordIndex, members: list[int], middle: float) -> None:
    for each in members:
        index.words[each].row = len(index.rows)
    index.rows.append(sorted(members, key=lambda each: index.words[each].box[0]))
    index.row_middles.append(middle)


def middle_x(box: Box) -> float:
    return (box[0] + box[2]) / 2


def middle_y(box: Box) -> float:
    return (box[1] + box[3]) / 2
