"""Pages as parsers make them, for tests of what is made from pages."""

from docsieve.domain.pages.page import Box, Cell, Line, LineRole, Page, Table, Word

HEIGHT = 10.0
WIDE = 500.0


def line(text: str, row: float, *, left: float = 50.0, role: LineRole | None = None, block: int | None = None) -> Line:
    """A line in which each letter is five points wide; rows are 14 points high."""
    top = 14.0 * row
    words, at = [], left
    for word in text.split():
        words.append(Word(word, (at, top, at + 5.0 * len(word), top + HEIGHT)))
        at += 5.0 * (len(word) + 1)
    return Line(text, (left, top, at - 5.0, top + HEIGHT), words, block, role)


def table(rows: list[list[str]], row: float, *, headers: int = 1) -> tuple[Table, list[Line]]:
    """A table with columns of 100 points, and its text as lines."""
    cells = []
    for number, texts in enumerate(rows):
        top = 14.0 * (row + number)
        for column, text in enumerate(texts):
            box = (50.0 + 100 * column, top, 150.0 + 100 * column, top + HEIGHT)
            cells.append(Cell(number, column, text, box, header=number < headers))
    around: Box = (50.0, 14.0 * row, 50.0 + 100 * len(rows[0]), 14.0 * (row + len(rows)))
    lines = [line(" ".join(texts), row + number) for number, texts in enumerate(rows)]
    return Table(around, len(rows), len(rows[0]), cells), lines


def page(*lines: Line, number: int = 1, tables: list[Table] | None = None, height: float = 842.0) -> Page:
    return Page(number, 595.0, height, list(lines), tables=tables or [])
