"""Tables with cells: which column is which, which rows are entries, and where a table continues on the next page."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docsieve.domain.extraction import Spot
from docsieve.domain.pages.page import Cell as PageCell
from docsieve.domain.pages.page import Table
from docsieve.engines.local.fields.spans import Spans
from docsieve.engines.local.fields.values import written_cell
from docsieve.engines.local.lists.groups import Cell, Column, Group, Listing, section_column
from docsieve.engines.local.lists.order import Reads, by_order, by_shape
from docsieve.engines.local.lists.products import quantity_and_price
from docsieve.engines.local.lists.stacked import is_stack, unstacked
from docsieve.engines.local.page.view import DocumentView, PageView, runs_left
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.values.amounts import find_amounts
from docsieve.values.convert import read_as
from docsieve.values.numbers import find_numbers

HEADER_ROWS = 4
MIN_COLUMN_SCORE = 0.42
BY_TYPE = 0.45
NAMED_ABOVE = 0.3
BY_SHAPE = 0.35
MIN_SHAPE_COLUMNS = 3
NEARLY_ALL = 0.8
MIN_NAMED_SHARE = 0.7

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_SUMMARY = frozenset(("total", "subtotal", "grand"))
_LOOKED_AT = 40
_WITH_DIGITS = frozenset(("amount", "number", "integer", "percent", "date", "time"))

Entry = tuple[object, dict[int, Cell]]
"""A row of the table, and the cell for each column of the list."""


@dataclass(slots=True, eq=False)
class Grid:
    """A table as rows of cells; `above` is the text over it."""

    page: PageView
    table: Table
    rows: list[dict[int, PageCell]]
    above: str


@dataclass(frozen=True, slots=True)
class Fit:
    """`by_column` maps the group's columns to the table's; the entries begin after `header`.

    `section` is the group's column that comes from headings between the rows instead of a column of the table.
    """

    by_column: dict[int, int]
    header: int
    score: float
    section: int | None = None


def grids_of(view: DocumentView) -> list[Grid]:
    found = []
    for page in view.pages:
        for table in page.page.tables:
            parted = unstacked(_rows(table), page)
            found.append(Grid(page, table, parted, _text_above(page, table)))
    return found


def _rows(table: Table) -> list[dict[int, PageCell]]:
    rows: dict[int, dict[int, PageCell]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, {})[cell.column] = cell
    for cell in table.cells:
        if cell.row_span > 1 and not is_stack(rows[cell.row]):
            for row in range(cell.row + 1, min(cell.row + cell.row_span, max(rows) + 1)):
                rows.setdefault(row, {}).setdefault(cell.column, cell)
    return [rows[row] for row in sorted(rows)]


def grid_listings(group: Group, grids: Sequence[Grid], spans: Spans) -> list[Listing]:
    """One listing per matching table, including the tables that continue it."""
    found: list[Listing] = []
    used: set[int] = set()
    for at, grid in enumerate(grids):
        if at in used:
            continue
        fit = _fit(group, grid, spans)
        if fit is None:
            continue
        parts = [(at, fit.header), *_continued(grids, at, fit)]
        used.update(part for part, _ in parts)
        entries = [entry for part, header in parts for entry in _entries(group, grids[part], fit, header)]
        entries = _with_names(group, fit, entries)
        if entries:
            rows = [row for _, row in entries]
            named = NAMED_ABOVE if set(group.words) & set(canonical(grid.above)) else 0.0
            why = f"table on page {grid.page.number}"
            score = fit.score + named + 0.02 * min(len(rows), 10)
            found.append(Listing(rows, score, why, id(grid), [source for source, _ in entries]))
    return found


def _text_above(page: PageView, table: Table) -> str:
    over = [row for row in page.rows if row.box[3] <= table.box[1] + 2]
    return over[-1].text if over and table.box[1] - over[-1].box[3] < 4 * page.height else ""


def _fit(group: Group, grid: Grid, spans: Spans) -> Fit | None:
    best: Fit | None = None
    for header in range(min(HEADER_ROWS, len(grid.rows) - 1)):
        for depth in (1, 2, 3):
            if header + depth >= len(grid.rows):
                continue
            heads = _heads(grid.rows[header : header + depth])
            fit = _fit_heads(group, grid, heads, header + depth, spans)
            if fit is not None and (best is None or fit.score > best.score + 0.01):
                best = fit
    return best


def _heads(rows: Sequence[dict[int, PageCell]]) -> dict[int, str]:
    heads: dict[int, str] = {}
    seen: set[int] = set()
    for row in rows:
        for column, cell in row.items():
            if id(cell) in seen:
                continue  # it spans several rows
            seen.add(id(cell))
            for spread in range(column, column + cell.column_span):
                heads[spread] = f"{heads.get(spread, '')} {cell.text}".strip()
    return heads


def _fit_heads(group: Group, grid: Grid, heads: dict[int, str], body: int, spans: Spans) -> Fit | None:
    scored = sorted(
        (
            (-column.matcher.score(canonical(text)), at, -place if column.target.name == "line_total" else place, place)
            for at, column in enumerate(group.columns)
            for place, text in heads.items()
        ),
    )
    chosen: dict[int, int] = {}
    total = 0.0
    for score, at, _, place in scored:
        free = at not in chosen and place not in chosen.values()
        if -score >= MIN_COLUMN_SCORE and free and _reads(group.columns[at], grid, place, body, spans):
            chosen[at] = place
            total -= score
    if not chosen:
        return _fit_shape(group, grid, heads, body, spans)
    total += _by_product(group, grid, chosen, body, spans)
    total += _by_type(group, grid, chosen, heads, body, spans)
    in_order = by_order(len(group.columns), chosen, sorted(heads), _reader(group, grid, body, spans))
    chosen |= in_order
    total += BY_TYPE * len(in_order)
    share = total / len(group.columns)
    enough = len(chosen) >= min(2, len(group.columns)) and share > 0.25
    return Fit(chosen, body, share, section_column(group, chosen)) if enough else None


def _fit_shape(group: Group, grid: Grid, heads: dict[int, str], body: int, spans: Spans) -> Fit | None:
    """Match by shape if the headings use another script than the schema, or the title names the list."""
    said = " ".join(heads.values())
    letters = sum(map(str.isalpha, said))
    foreign = letters > 0 and sum(map(str.isascii, filter(str.isalpha, said))) * 2 < letters
    named = bool(set(group.words) & set(canonical(grid.above)))
    if not (foreign or named) or any(map(str.isdigit, _YEAR.sub("", said))):
        return None
    reads = _reader(group, grid, body, spans)
    every = range(len(group.columns))
    section = section_column(group, ())
    for wanted in (list(every), [at for at in every if at != section]):
        by_column = by_shape(wanted, sorted(heads), reads, runs_left=runs_left(said))
        if len(by_column) >= MIN_SHAPE_COLUMNS:
            return Fit(by_column, body, BY_SHAPE, section_column(group, by_column))
    return None


def _reader(group: Group, grid: Grid, body: int, spans: Spans) -> Reads:
    """A column without a matching heading fits if nearly all of its cells have the wanted type."""

    def reads(at: int, place: int) -> bool:
        wanted = group.columns[at].target
        if wanted.field.kind == "string" and wanted.type not in _WITH_DIGITS:
            return _is_text(grid, place, body)
        texts = [cell.text for cell in _column_cells(grid, place, body) if cell.text.strip()]
        good = sum(any(map(str.isdigit, text)) and written_cell(wanted, text, spans) is not None for text in texts)
        return len(texts) > 1 and good >= NEARLY_ALL * len(texts)

    return reads


def _by_product(group: Group, grid: Grid, chosen: dict[int, int], body: int, spans: Spans) -> float:
    """Quantity and price without matching headings are the columns whose product is the amount."""
    by_name = {column.target.name: at for at, column in enumerate(group.columns)}
    missing = [name for name in ("quantity", "unit_price") if name in by_name and by_name[name] not in chosen]
    if not missing or by_name.get("line_total") not in chosen:
        return 0.0
    places = {place for row in grid.rows[body : body + _LOOKED_AT] for place in row}
    numbers = {
        place: [_number(row.get(place), spans) for row in grid.rows[body : body + _LOOKED_AT]]
        for place in sorted(places)
    }
    found = quantity_and_price(numbers, chosen[by_name["line_total"]])
    if found is None:
        return 0.0
    total = 0.0
    for name, place in zip(("quantity", "unit_price"), found, strict=True):
        if name in missing and place not in chosen.values():
            chosen[by_name[name]] = place
            total += BY_TYPE
    return total


def _number(cell: PageCell | None, spans: Spans) -> Decimal | None:
    found = find_numbers(cell.text[:60], decimal=spans.decimal) if cell is not None else []
    amounts = find_amounts(cell.text[:60], decimal=spans.decimal) if cell is not None else []
    return amounts[0][2].value if amounts else found[0][2] if found else None


def _by_type(group: Group, grid: Grid, chosen: dict[int, int], heads: dict[int, str], body: int, spans: Spans) -> float:
    """The column of names is usually the first text column, whatever its heading."""
    texts = [at for at, column in enumerate(group.columns) if column.target.type in ("text", "name")]
    named = [at for at in texts if group.columns[at].target.name == "item_name"]
    at = next(iter(named or texts), None)
    if at is None or at in chosen:
        return 0.0
    for place in sorted(heads):
        if place not in chosen.values() and _is_text(grid, place, body):
            chosen[at] = place
            return BY_TYPE
    return 0.0


def _reads(column: Column, grid: Grid, place: int, body: int, spans: Spans) -> bool:
    """Whether the column's non-empty cells have the wanted type."""
    wanted = column.target
    if wanted.type in ("text", "name", "id", "address", "person"):
        return True
    texts = [cell.text for cell in _column_cells(grid, place, body) if cell.text.strip()]
    if not texts:
        return False
    if wanted.field.kind == "string" and wanted.field.format is None:
        return sum(any(map(str.isdigit, text)) for text in texts) * 2 > len(texts) or wanted.type == "enum"
    read = [read_as(text, wanted.field, day_first=spans.day_first, decimal=spans.decimal) for text in texts]
    return sum(value is not None for value in read) * 2 >= len(texts)


def _is_text(grid: Grid, place: int, body: int) -> bool:
    texts = [cell.text for cell in _column_cells(grid, place, body) if cell.text.strip()]
    return bool(texts) and sum(sum(map(str.isalpha, text)) * 2 > len(text) for text in texts) * 2 > len(texts)


def _column_cells(grid: Grid, place: int, body: int) -> Iterator[PageCell]:
    return (row[place] for row in grid.rows[body : body + _LOOKED_AT] if place in row)


def _continued(grids: Sequence[Grid], at: int, fit: Fit) -> list[tuple[int, int]]:
    """Later tables with the same heading, or on the next page with the same columns and no heading."""
    first = grids[at]
    heading = _heading(first, fit.header)
    found: list[tuple[int, int]] = []
    last = first
    for number in range(at + 1, len(grids)):
        grid = grids[number]
        if grid.table.columns != first.table.columns or not grid.rows:
            continue
        if heading and _heading(grid, fit.header) == heading:
            found.append((number, fit.header))
            last = grid
        elif _goes_on(last, grid):
            found.append((number, 0))
            last = grid
    return found


def _heading(grid: Grid, rows: int) -> str:
    return "|".join(cell.text.strip().casefold() for row in grid.rows[:rows] for cell in row.values())


def _goes_on(last: Grid, grid: Grid) -> bool:
    following = grid.page.document == last.page.document and grid.page.number == last.page.number + 1
    edges = abs(grid.table.box[0] - last.table.box[0]) + abs(grid.table.box[2] - last.table.box[2])
    return following and edges < 0.03 * grid.page.page.width


def _entries(group: Group, grid: Grid, fit: Fit, header: int) -> Iterator[Entry]:
    numeric = {at for at in fit.by_column if group.columns[at].target.type in _WITH_DIGITS}
    section: Cell | None = None
    for row in grid.rows[header:]:
        said = [cell for _, cell in sorted(row.items()) if cell.text.strip()]
        if not said or is_summary(said[0].text):
            continue
        entry = {at: _taken(grid, row[place]) for at, place in fit.by_column.items() if place in row}
        entry = {at: cell for at, cell in entry.items() if cell.text}
        if entry and _is_entry(entry, numeric):
            if fit.section is not None and section is not None:
                entry[fit.section] = section
            yield id(row), entry
        elif len(said) == 1:
            section = _taken(grid, said[0])


def _taken(grid: Grid, cell: PageCell) -> Cell:
    text = " ".join(cell.text.split())
    return Cell(text, [Spot(grid.page.number, cell.box, text, grid.page.document)])


def _with_names(group: Group, fit: Fit, entries: list[Entry]) -> list[Entry]:
    """If nearly all rows have a name, those without one continue another row or are totals."""
    wanted = {at: group.columns[at].target for at in sorted(fit.by_column)}
    texts = [at for at, target in wanted.items() if target.type in ("text", "name") and target.field.enum is None]
    name = next((at for at in texts if wanted[at].name == "item_name"), next(iter(texts), None))
    named = [entry for entry in entries if name in entry[1]]
    return named if len(named) > 2 and len(named) >= MIN_NAMED_SHARE * len(entries) else entries


def _is_entry(entry: dict[int, Cell], numeric: set[int]) -> bool:
    """If the list has numbers, a row without any is a heading inside it."""
    return not numeric or any(at in numeric and any(map(str.isdigit, cell.text)) for at, cell in entry.items())


def is_summary(text: str) -> bool:
    words = canonical(text)
    return bool(words) and len(words) <= 4 and bool(set(words[:2]) & _SUMMARY)
