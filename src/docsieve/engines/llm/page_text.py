"""A page as text that a model can read: lines in their order, tables row by row, form fields with their values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docsieve.domain.pages.coded import coded_fields
from docsieve.domain.pages.page import Box, Cell, FormField, Line, Page, Table

_INSIDE = 0.6  # of a line's area; such a line is part of the table and not said twice
_SAME_ROW = 0.5  # of the lower of two lines' heights
_MAX_COLUMNS = 200
_MAX_CELL_LENGTH = 200  # more is not a value but a part of the page that has a frame


@dataclass(frozen=True, slots=True)
class Block:
    """Text that is never split. A row of a table has the `header` of its table."""

    text: str
    header: str | None = None
    is_row: bool = False


@dataclass(frozen=True, slots=True)
class Heading:
    """The header of a table that may go on over the next page."""

    text: str
    columns: int


def page_blocks(page: Page, going_on: Heading | None) -> tuple[list[Block], Heading | None]:
    """The page's blocks, and the header that a table on the next page may go on with."""
    tables = sorted((each for each in page.tables if each.cells), key=lambda table: (table.box[1], table.box[0]))
    inside = {id(line): table for line in page.lines if (table := _table_around(line, tables)) is not None}
    blocks: list[Block] = []
    said: set[int] = set()
    outside: list[Line] = []

    def say(table: Table) -> None:
        nonlocal going_on
        said.add(id(table))
        own = [line for line in page.lines if inside.get(id(line)) is table]
        rows, going_on = _table_blocks(table, own, going_on)
        blocks.extend(rows)

    for line in page.lines:
        table = inside.get(id(line))
        if table is None:
            outside.append(line)
        elif id(table) not in said:
            blocks += _line_blocks(outside)
            outside = []
            say(table)
    blocks += _line_blocks(outside)
    for table in tables:
        if id(table) not in said:
            say(table)
    blocks += [Block(f"{_one_line(field.name)}: {value}") for field, value in _filled(page.form_fields)]
    blocks += [Block(f"{each.name or 'code'}: {_one_line(str(each.value))}") for each in coded_fields(page.codes)]
    blocks += [Block(f"Note: {_one_line(note.text)}") for note in page.notes if note.text.strip()]
    return blocks, going_on if tables else None


def _table_around(line: Line, tables: Sequence[Table]) -> Table | None:
    area = max((line.box[2] - line.box[0]) * (line.box[3] - line.box[1]), 1e-6)
    return next((table for table in tables if _overlap(line.box, table.box) >= _INSIDE * area), None)


def _overlap(one: Box, other: Box) -> float:
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0.0) * max(down, 0.0)


def _same_row(before: Line, line: Line) -> bool:
    """Whether a line is to the right of the previous one, as a value is next to its label."""
    shared = min(before.box[3], line.box[3]) - max(before.box[1], line.box[1])
    lower = min(before.box[3] - before.box[1], line.box[3] - line.box[1])
    return line.box[0] >= before.box[2] - 1.0 and shared >= _SAME_ROW * lower


def _line_blocks(lines: Sequence[Line]) -> Iterator[Block]:
    """Lines in reading order. Lines at the same height are joined."""
    row: list[Line] = []
    for line in lines:
        if row and not _same_row(row[-1], line):
            yield _row_of_lines(row)
            row = []
        row.append(line)
    if row:
        yield _row_of_lines(row)


def _row_of_lines(lines: Sequence[Line]) -> Block:
    return Block("   ".join(_one_line(line.text) for line in lines))


def _table_blocks(table: Table, lines: Sequence[Line], going_on: Heading | None) -> tuple[list[Block], Heading | None]:
    """`lines` are the lines inside the table, used for rows whose cells have no values."""
    columns = min(table.columns, _MAX_COLUMNS)
    rows = list(_rows(table, columns))
    framed = {number for number, (_, _, cells) in enumerate(rows) if any(len(c.text) > _MAX_CELL_LENGTH for c in cells)}
    values = [row for number, row in enumerate(rows) if number not in framed]
    headers = [text for text, is_header, _ in values if is_header]
    if headers:
        header: str | None = headers[-1]
    elif going_on is not None and going_on.columns == columns:
        header = going_on.text
    else:
        header = values[0][0] if len(values) > 1 else None
    blocks: list[Block] = []
    for number, (text, is_header, cells) in enumerate(rows):
        within = [line for line in lines if _next_to(line, cells)] if number in framed else []
        if within:
            blocks += _line_blocks(within)
        else:
            blocks.append(Block(text) if is_header or text == header else Block(text, header, is_row=True))
    return blocks, Heading(header, columns) if header is not None else None


def _next_to(line: Line, cells: Sequence[Cell]) -> bool:
    middle = (line.box[1] + line.box[3]) / 2
    return min(cell.box[1] for cell in cells) <= middle < max(cell.box[3] for cell in cells)


def _rows(table: Table, columns: int) -> Iterator[tuple[str, bool, list[Cell]]]:
    """Each row as `| cell | cell |`, whether it is a header, and its cells; rows without any text are left out."""
    by_row: dict[int, list[Cell]] = {}
    for cell in table.cells:
        by_row.setdefault(cell.row, []).append(cell)
    for number in sorted(by_row):
        texts = [""] * columns
        for cell in by_row[number]:
            if cell.column < columns:
                texts[cell.column] = _one_line(cell.text).replace("|", "/")
        if any(texts):
            filled = [cell for cell in by_row[number] if cell.text.strip()]
            yield f"| {' | '.join(texts)} |", all(cell.header for cell in filled), by_row[number]


def _filled(fields: Sequence[FormField]) -> Iterator[tuple[FormField, str]]:
    for field in fields:
        if isinstance(field.value, bool):
            yield field, "yes" if field.value else "no"
        elif field.value:
            yield field, _one_line(field.value if isinstance(field.value, str) else ", ".join(field.value))


def _one_line(text: str) -> str:
    return " ".join(text.split())
