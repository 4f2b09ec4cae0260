"""Tables with cells: which column holds what, which rows are entries, and where a table goes on overleaf."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from docsieve.domain.extraction import Spot
from docsieve.domain.pages import Cell as PageCell
from docsieve.domain.pages import Table
from docsieve.engines.local.canon import canonical
from docsieve.engines.local.groups import Cell, Column, Group, Listing
from docsieve.engines.local.products import quantity_and_price
from docsieve.engines.local.spans import Spans
from docsieve.engines.local.view import DocumentView, PageView
from docsieve.values.amounts import find_amounts
from docsieve.values.numbers import find_numbers
from docsieve.values.reading import read_as

HEADER_ROWS = 4
LEAST_COLUMN = 0.42
BY_TYPE = 0.45
NAMED_ABOVE = 0.3

_SUMMARY = frozenset(("total", "subtotal", "grand"))
_LOOKED_AT = 40
_WITH_DIGITS = frozenset(("amount", "number", "integer", "percent", "date", "time"))


@dataclass(slots=True, eq=False)
class Grid:
    """A table as rows of cells; `above` is what stands over it."""

    page: PageView
    table: Table
    rows: list[dict[int, PageCell]]
    above: str


@dataclass(frozen=True, slots=True)
class Fit:
    """`by_column` says which of the table's columns each of the group's is; the entries begin after `header`."""

    by_column: dict[int, int]
    header: int
    score: float


def grids_of(view: DocumentView) -> list[Grid]:
    found = []
    for page in view.pages:
        for table in page.page.tables:
            rows: dict[int, dict[int, PageCell]] = {}
            for cell in table.cells:
                rows.setdefault(cell.row, {})[cell.column] = cell
            found.append(Grid(page, table, [rows[row] for row in sorted(rows)], _text_above(page, table)))
    return found


def grid_listings(group: Group, grids: Sequence[Grid], spans: Spans) -> list[Listing]:
    """One for each table that fits, with the tables that continue it."""
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
        rows = [row for part, header in parts for row in _entries(group, grids[part], fit, header)]
        if rows:
            named = NAMED_ABOVE if set(group.words) & set(canonical(grid.above)) else 0.0
            why = f"table on page {grid.page.number}"
            found.append(Listing(rows, fit.score + named + 0.02 * min(len(rows), 10), why, id(grid)))
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
    for row in rows:
        for column, cell in row.items():
            for spread in range(column, column + cell.column_span):
                heads[spread] = f"{heads.get(spread, '')} {cell.text}".strip()
    return heads


def _fit_heads(group: Group, grid: Grid, heads: dict[int, str], body: int, spans: Spans) -> Fit | None:
    scored = sorted(
        (
            (-column.matcher.score(canonical(text)), at, -place if column.want.name == "line_total" else place, place)
            for at, column in enumerate(group.columns)
            for place, text in heads.items()
        ),
    )
    chosen: dict[int, int] = {}
    total = 0.0
    for score, at, _, place in scored:
        free = at not in chosen and place not in chosen.values()
        if -score >= LEAST_COLUMN and free and _reads(group.columns[at], grid, place, body, spans):
            chosen[at] = place
            total -= score
    if not chosen:
        return None
    total += _by_product(group, grid, chosen, body, spans)
    total += _by_type(group, grid, chosen, heads, body, spans)
    share = total / len(group.columns)
    return Fit(chosen, body, share) if len(chosen) >= min(2, len(group.columns)) and share > 0.25 else None


def _by_product(group: Group, grid: Grid, chosen: dict[int, int], body: int, spans: Spans) -> float:
    """Quantity and price, where their headings say nothing, are the columns whose product is the amount."""
    by_name = {column.want.name: at for at, column in enumerate(group.columns)}
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
    """The column of names is mostly the first of text, whatever it is called."""
    texts = [at for at, column in enumerate(group.columns) if column.want.type in ("text", "name")]
    named = [at for at in texts if group.columns[at].want.name == "item_name"]
    at = next(iter(named or texts), None)
    if at is None or at in chosen:
        return 0.0
    for place in sorted(heads):
        if place not in chosen.values() and _is_text(grid, place, body):
            chosen[at] = place
            return BY_TYPE
    return 0.0


def _reads(column: Column, grid: Grid, place: int, body: int, spans: Spans) -> bool:
    """Whether the column's cells are what the field wants, as far as they say anything."""
    wanted = column.want
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
    """Tables further on that have the same heading, or on the next page the same columns and none."""
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


def _entries(group: Group, grid: Grid, fit: Fit, header: int) -> Iterator[dict[int, Cell]]:
    numeric = {at for at in fit.by_column if group.columns[at].want.type in _WITH_DIGITS}
    for row in grid.rows[header:]:
        if is_summary(next((cell.text for _, cell in sorted(row.items()) if cell.text.strip()), "")):
            continue
        entry = {}
        for at, place in fit.by_column.items():
            cell = row.get(place)
            text = " ".join(cell.text.split()) if cell is not None else ""
            if cell is not None and text:
                entry[at] = Cell(text, [Spot(grid.page.number, cell.box, text, grid.page.document)])
        if entry and _is_entry(entry, numeric):
            yield entry


def _is_entry(entry: dict[int, Cell], numeric: set[int]) -> bool:
    """Where the list has numbers, a row without any is a heading within it."""
    return not numeric or any(at in numeric and any(map(str.isdigit, cell.text)) for at, cell in entry.items())


def is_summary(text: str) -> bool:
    words = canonical(text)
    return bool(words) and len(words) <= 4 and bool(set(words[:2]) & _SUMMARY)
