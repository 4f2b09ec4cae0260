"""A document in visual order: words in pieces, pieces in rows, whatever their order in the file.

A piece is a run of words without a wide gap. A row is all pieces at one height, across columns. Pieces are in reading
order within a row, so that "after" means to the right in most scripts and to the left in right-to-left scripts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from statistics import median

from docsieve.domain.extraction import Material, Spot
from docsieve.domain.pages.page import Box, Line, Page, Word
from docsieve.engines.local.vocabulary.canon import canonical, rejoined

MAX_PAGE_WORDS = 20_000
"""Further words of a page are ignored. No page for human readers has so many."""

MAX_HEAD_LENGTH = 400

_GAP = 1.05
_MAX_BAND_ROWS = 100
_WIDE_LETTERS = 1.7
_SAME_WIDTH = 0.13
_MINUS = frozenset("-–−")
_MAX_SIGNS = 200
_MAX_LABEL_DIGITS = 2
_MAX_CAPTIONS = 12
_LETTERS_OF_A_LABEL = 5
_MIN_LABELS = 3
_WIDE_SPACES = 0.8
_WORDS_APART = 1.6
_MIN_SPACES = 10
_UNSIGNED = re.compile(r"\d[\d.,']*[.,]\d\d")
_GLUED = re.compile(r"(?!https?:|urn:|mailto:|ftp:)((?:[^\W\d_][\w./\-]*|\([^\W\d_]+)[^\W\d]?\.?:)(?=[^\s:/])", re.I)
_EQUATED = re.compile(r"([^\W\d_]{2,}=)(?=[^\s=])")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


CellKey = tuple[int, int, int]
"""The index of a table on its page, the row and the column."""


@dataclass(slots=True, eq=False)
class Token:
    text: str
    box: Box
    names: tuple[str, ...]
    """Its canonical words, see `canon`."""


@dataclass(slots=True, eq=False)
class Piece:
    tokens: list[Token]
    box: Box
    page: int
    document: int
    text: str = ""
    row: int = 0
    place: int = 0
    cell: CellKey | None = None
    heading: bool = False
    is_label: bool = False
    boxed: bool = False
    """`is_label` marks the label inside a cell of a ruled form, `boxed` all text of a cell with such a label.
    """

    @property
    def head(self) -> str:
        """The beginning of the text, for patterns, however long a hostile line is."""
        return self.text[:MAX_HEAD_LENGTH]

    @property
    def height(self) -> float:
        return self.box[3] - self.box[1]

    @property
    def middle(self) -> float:
        return (self.box[1] + self.box[3]) / 2


@dataclass(slots=True, eq=False)
class Row:
    pieces: list[Piece]
    box: Box

    @property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)


@dataclass(slots=True, eq=False)
class PageView:
    page: Page
    document: int
    rows: list[Row]
    height: float
    """The typical height of a line of text."""
    captions: dict[CellKey, list[Piece]] = field(default_factory=dict)
    """The labels in the cells of ruled forms, from the top and from the left."""

    @property
    def number(self) -> int:
        return self.page.number

    @property
    def pieces(self) -> Iterable[Piece]:
        return (piece for row in self.rows for piece in row.pieces)


@dataclass(slots=True, eq=False)
class DocumentView:
    pages: list[PageView] = field(default_factory=list)

    @property
    def pieces(self) -> Iterable[Piece]:
        return (piece for page in self.pages for piece in page.pieces)


def view(materials: Sequence[Material]) -> DocumentView:
    return DocumentView([_page_view(page, at) for at, material in enumerate(materials) for page in material.pages])


def spot(tokens: Sequence[Token], piece: Piece) -> Spot:
    return Spot(piece.page, union(token.box for token in tokens), said(tokens), piece.document)


def said(tokens: Iterable[Token]) -> str:
    return " ".join(token.text for token in tokens)


def union(boxes: Iterable[Box]) -> Box:
    x0, y0, x1, y1 = zip(*boxes, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def shared(first: tuple[float, float], second: tuple[float, float]) -> float:
    """The overlap of two intervals as a share of the shorter one."""
    common = min(first[1], second[1]) - max(first[0], second[0])
    return common / max(min(first[1] - first[0], second[1] - second[0]), 1e-6)


def _page_view(page: Page, document: int) -> PageView:
    letter, gap = _WIDE_LETTERS * _letter_width(page), max(_GAP, _WORDS_APART * _wide_space(page))
    pieces = [piece for line in _bounded(page.lines) for piece in _pieces(line, page, document, letter, gap)]
    pieces = _with_signs(pieces)
    _mark_cells(pieces, page)
    captions = _mark_labels(pieces)
    rows = _rows(pieces, _slope(page))
    for number, row in enumerate(rows):
        for place, piece in enumerate(row.pieces):
            piece.row, piece.place = number, place
    return PageView(page, document, rows, median([piece.height for piece in pieces]) if pieces else 10.0, captions)


def _bounded(lines: Sequence[Line]) -> Iterable[Line]:
    words = 0
    for line in lines:
        words += max(len(line.words), len(line.text) // 6)
        if words > MAX_PAGE_WORDS:
            return
        yield line


def _pieces(line: Line, page: Page, document: int, letter: float, gap: float) -> Iterable[Piece]:
    width, height = line.box[2] - line.box[0], line.box[3] - line.box[1]
    if height > 2.5 * width and len(line.text) > 3:
        return  # vertical text in the margin
    words = sorted(chain.from_iterable(map(_parted, line.words or _spread(line))), key=lambda word: word.box[0])
    if words and runs_left(line.text):
        words.reverse()
    run: list[Word] = []
    usual = median([word.box[3] - word.box[1] for word in words]) if words else height
    widest = max(gap * max(usual, 1.0), letter)
    for word in words:
        if run and _gap(run[-1].box, word.box) > widest:
            yield _piece(run, line, page, document)
            run = []
        run.append(word)
    if run:
        yield _piece(run, line, page, document)


def _with_signs(pieces: list[Piece]) -> list[Piece]:
    """Rejoin a minus sign with its number if a narrow column wrapped between them."""
    signs = [piece for piece in pieces if piece.tokens[-1].text in _MINUS]
    if not signs or len(signs) > _MAX_SIGNS:
        return pieces
    numbers = [piece for piece in pieces if len(piece.tokens) == 1 and _UNSIGNED.fullmatch(piece.text)]
    for sign in signs:
        dash = sign.tokens[-1].box
        broken = next((number for number in numbers if _continues(dash, number.box)), None)
        if broken is None:
            continue
        number = broken.tokens[0]
        number.text, number.box = f"-{number.text}", union((dash, number.box))
        broken.text, broken.box = number.text, number.box
        sign.tokens.pop()
        sign.text = said(sign.tokens)
        if sign.tokens:
            sign.box = union(token.box for token in sign.tokens)
    return [piece for piece in pieces if piece.tokens]


def _continues(dash: Box, number: Box) -> bool:
    height = number[3] - number[1]
    return 0 < number[3] - dash[3] < 2.5 * height and number[0] - height <= dash[0] <= number[2] + height


def _letter_width(page: Page) -> float:
    """The width of a letter in a monospaced font, otherwise 0."""
    words = [word for line in page.lines[:200] for word in line.words if len(word.text) >= 4]
    widths = sorted((word.box[2] - word.box[0]) / len(word.text) for word in words)
    if len(widths) < 8:
        return 0.0
    low, middle, high = (widths[len(widths) * part // 10] for part in (2, 5, 8))
    return middle if high - low < _SAME_WIDTH * middle else 0.0


def _wide_space(page: Page) -> float:
    """The space between words in heights of their line, if all words of the page are far apart, otherwise 0."""
    spaces = sorted(
        space
        for line in page.lines[:200]
        for first, second in pairwise(line.words[:60])
        if 0 < (space := (second.box[0] - first.box[2]) / max(first.box[3] - first.box[1], 1.0)) < 2
    )
    wide = len(spaces) >= _MIN_SPACES and spaces[len(spaces) // 10] >= _WIDE_SPACES
    return median(spaces) if wide else 0.0


def _parted(word: Word) -> Iterable[Word]:
    """Split a label from its value after a colon or equals sign without a space: `Date:19/09/2017`, `NAME=OAK`.

    The label then ends in a colon, as labels do.
    """
    found = _GLUED.match(word.text) or _EQUATED.match(word.text)
    if found is None:
        return (word,)
    x0, y0, x1, y1 = word.box
    cut = x0 + (x1 - x0) * found.end(1) / len(word.text)
    if not x0 < cut < x1:
        return (word,)
    first = Word(found[1].replace("=", ":"), (x0, y0, cut, y1), word.confidence)
    return first, Word(word.text[found.end(1) :], (cut, y0, x1, y1), word.confidence)


def _gap(first: Box, second: Box) -> float:
    return max(second[0] - first[2], first[0] - second[2])


def _piece(words: Sequence[Word], line: Line, page: Page, document: int) -> Piece:
    tokens = [Token(word.text, word.box, canonical(word.text)) for word in words]
    for first, second in pairwise(tokens):
        if names := rejoined(first.text, second.text):
            first.names, second.names = (), names
    made = Piece(tokens, union(word.box for word in words), page.number, document, heading=line.role == "heading")
    made.text = said(tokens)
    return made


def _spread(line: Line) -> list[Word]:
    """Words for a line that has none, spaced evenly."""
    x0, y0, x1, y1 = line.box
    step = (x1 - x0) / max(len(line.text), 1)
    return [
        Word(found.group(), (x0 + found.start() * step, y0, x0 + found.end() * step, y1))
        for found in re.finditer(r"\S+", line.text)
    ]


def runs_left(text: str) -> bool:
    letters = sum(character.isalpha() for character in text)
    return letters > 0 and len(_RIGHT_TO_LEFT.findall(text)) * 2 > letters


def _mark_cells(pieces: list[Piece], page: Page) -> None:
    for number, table in enumerate(page.tables):
        x0, y0, x1, y1 = table.box
        inside = [piece for piece in pieces if x0 - 1 <= piece.box[0] and piece.box[2] <= x1 + 1]
        inside = [piece for piece in inside if y0 - 1 <= piece.middle <= y1 + 1]
        if len(inside) * len(table.cells) > 200_000:
            continue  # large tables are read by their cells anyway
        for piece in inside:
            middle = (piece.box[0] + piece.box[2]) / 2
            for cell in table.cells:
                if cell.box[0] <= middle <= cell.box[2] and cell.box[1] <= piece.middle <= cell.box[3]:
                    piece.cell = (number, cell.row, cell.column)
                    break


def _mark_labels(pieces: Iterable[Piece]) -> dict[CellKey, list[Piece]]:
    """A table is a form if most of its cells have text under a first line without values; that line is a label."""
    tables: dict[int, dict[CellKey, list[Piece]]] = {}
    for piece in pieces:
        if piece.cell is not None:
            tables.setdefault(piece.cell[0], {}).setdefault(piece.cell, []).append(piece)
    captions: dict[CellKey, list[Piece]] = {}
    for cells in tables.values():
        labels = {key: first for key, cell in cells.items() if _names_something(first := _first(cell))}
        filled = sum(any(_is_under(piece, label) for piece in cells[key]) for key, label in labels.items())
        if len(labels) >= _MIN_LABELS and filled * 2 > len(cells):
            captions |= {key: _captions(cells[key], label) for key, label in labels.items()}
    for key, found in captions.items():
        for piece in tables[key[0]][key]:
            piece.boxed = True
        for piece in found:
            piece.is_label = True
    return captions


def _captions(cell: Sequence[Piece], label: Piece) -> list[Piece]:
    """The labels in the first line of a cell over other lines, and the lines that these labels continue on."""
    lines: list[list[Piece]] = []
    for piece in sorted(cell, key=lambda each: each.middle):
        if lines and not _is_under(piece, lines[-1][0]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    found: list[Piece] = []
    for at, line in enumerate(lines[:-1]):
        if at and not all(piece.text[0].islower() or piece.text[0] == "(" for piece in line):
            break
        found += sorted(filter(_names_something, line), key=lambda each: each.box[0])
    return found[:_MAX_CAPTIONS] or [label]


def _names_something(piece: Piece) -> bool:
    letters, digits = (sum(map(kind, piece.text)) for kind in (str.isalpha, str.isdigit))
    return digits <= _MAX_LABEL_DIGITS or letters > _LETTERS_OF_A_LABEL * digits


def _first(cell: Sequence[Piece]) -> Piece:
    top = min(cell, key=lambda piece: piece.box[1])
    return min((piece for piece in cell if not _is_under(piece, top)), key=lambda piece: piece.box[0])


def _is_under(piece: Piece, other: Piece) -> bool:
    return piece.box[1] > other.middle


def _rows(pieces: list[Piece], slope: float) -> list[Row]:
    """Join pieces from left to right to the row whose end is at their height, after deskewing the page."""
    open_rows: list[list[Piece]] = []
    ends: dict[int, list[int]] = {}
    height = median([piece.height for piece in pieces]) * 2 if pieces else 1.0
    for piece in sorted(pieces, key=lambda each: (each.box[0], each.box[1])):
        low, high = _level(piece, slope)
        bands = range(int(low // height), int(high // height) + 1)
        best, most = None, 0.5
        for at in {at for band in bands for at in ends.get(band, ())[-_MAX_BAND_ROWS:]}:
            last = open_rows[at][-1]
            if last.box[2] > piece.box[0] + piece.height:
                continue
            if (common := shared(_level(last, slope), (low, high))) > most:
                best, most = at, common
        if best is None:
            best = len(open_rows)
            open_rows.append([])
        open_rows[best].append(piece)
        for band in bands:
            ends.setdefault(band, []).append(best)
    for row in open_rows:
        if sum(runs_left(piece.text) for piece in row) * 2 > len(row):
            row.reverse()
    rows = [Row(row, union(piece.box for piece in row)) for row in open_rows]
    return sorted(rows, key=lambda row: (sum(sum(_level(p, slope)) for p in row.pieces) / len(row.pieces), row.box[0]))


def _level(piece: Piece, slope: float) -> tuple[float, float]:
    lift = slope * (piece.box[0] + piece.box[2]) / 2
    return piece.box[1] - lift, piece.box[3] - lift


def _slope(page: Page) -> float:
    """The slope of lines, measured on lines that were read by OCR."""
    if page.origin != "ocr":
        return 0.0
    slopes = []
    for line in page.lines:
        if len(line.words) >= 2:
            first, last = line.words[0].box, line.words[-1].box
            run = last[0] + last[2] - first[0] - first[2]
            if run > 4 * (line.box[3] - line.box[1]):
                slopes.append((last[1] + last[3] - first[1] - first[3]) / run)
    return median(slopes) if len(slopes) >= 3 else 0.0
