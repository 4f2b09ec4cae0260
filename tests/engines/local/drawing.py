"""Pages drawn from lines of text, for tests of engines."""

from collections.abc import Iterable, Sequence

from docsieve.domain.extraction import Material
from docsieve.domain.pages.page import Cell, Line, Page, Table, Word

WIDTH, HEIGHT = 595.0, 842.0
_LETTER = 0.5


def line(x: float, y: float, text: str, size: float = 10.0) -> Line:
    """A line whose words are one space apart; two spaces or more in the text leave that much room."""
    words, at = [], x
    for part in text.split(" "):
        if part:
            width = len(part) * _LETTER * size
            words.append(Word(part, (round(at, 2), y, round(at + width, 2), y + size)))
            at += width
        at += _LETTER * size
    box = (words[0].box[0], y, words[-1].box[2], y + size)
    return Line(" ".join(text.split()), box, words)


def page(lines: Iterable[Line], *, number: int = 1, tables: Sequence[Table] = (), height: float = HEIGHT) -> Page:
    return Page(number, WIDTH, height, list(lines), tables=list(tables))


def written(text: str, *, number: int = 1, size: float = 10.0) -> Page:
    """A page of one line for each of the text's, from the top."""
    rows = text.strip("\n").split("\n")
    return page([line(40, 40 + 14 * at, row, size) for at, row in enumerate(rows) if row.strip()], number=number)


def material(*pages: Page) -> list[Material]:
    return [Material("a-document", pages)]


def table(rows: Sequence[Sequence[str]], *, top: float = 200.0, row_height: float = 14.0) -> tuple[Table, list[Line]]:
    """A ruled table and the lines of its text."""
    columns = len(rows[0])
    width = (WIDTH - 80) / columns
    cells, lines = [], []
    for at, row in enumerate(rows):
        y = top + at * row_height
        for place, text in enumerate(row):
            x = 40 + place * width
            cells.append(Cell(at, place, text, (x, y, x + width, y + row_height), header=at == 0))
            if text:
                lines.append(line(x + 2, y + 2, text))
    return Table((40.0, top, WIDTH - 40, top + row_height * len(rows)), len(rows), columns, cells), lines
