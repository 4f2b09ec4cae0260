"""Rows of tables: which are entries, and which tables continue another one."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from docsieve.domain.extraction import Spot
from docsieve.domain.pages.page import Cell as PageCell
from docsieve.engines.local.fields.spans import Spans
from docsieve.engines.local.lists.groups import Cell, Group, Listing
from docsieve.engines.local.lists.tables.bodies import heads_of
from docsieve.engines.local.lists.tables.fit import WITH_DIGITS, Fit, fit, number_in
from docsieve.engines.local.lists.tables.grids import Grid, lacks_headings
from docsieve.engines.local.lists.wrapped import cut_remarks
from docsieve.engines.local.page.view import spot
from docsieve.engines.local.vocabulary.canon import canonical

NAMED_ABOVE = 0.3
MIN_NAMED_SHARE = 0.7
_FROM_CAPTION = 0.85
_MIN_SUM = 9
_PART_GAP = 6
_SUMMARY = frozenset(("total", "subtotal", "grand"))

Entry = tuple[object, dict[int, Cell]]
"""A row of the table, and the cell for each column of the list."""


def table_listings(group: Group, grids: Sequence[Grid], spans: Spans) -> list[Listing]:
    """One listing per matching table, including the tables without headings that continue it."""
    found: list[Listing] = []
    used: set[int] = set()
    for at, grid in enumerate(grids):
        fitting = None if at in used else fit(group, grid, spans)
        if fitting is None:
            continue
        parts = [(at, fitting.header), *_continued(grids, at, fitting.header)]
        used.update(part for part, _ in parts)
        entries = [entry for part, header in parts for entry in _entries(group, grids[part], fitting, header)]
        entries = _with_names(group, fitting, _without_sums(group, entries, spans))
        if entries:
            rows = [row for _, row in entries]
            cut_remarks(group, rows)
            named = NAMED_ABOVE if set(group.words) & grid.caption_words else 0.0
            score = fitting.score + named + 0.02 * min(len(rows), 10)
            why = f"in {grid.kind} on page {grid.page.number}"
            sources = [source for source, _ in entries]
            found.append(Listing(rows, score, why, id(grid), sources, _heading(grid, fitting.header)))
    return found


def _continued(grids: Sequence[Grid], at: int, header: int) -> Iterator[tuple[int, int]]:
    """Tables on the next pages that have the same columns, and the rows of headings that they repeat."""
    last = grids[at]
    for number in range(at + 1, len(grids)):
        grid = grids[number]
        if grid.rows and grid.columns == last.columns and _goes_on(last, grid):
            yield number, header if _heading(grid, header) == _heading(grids[at], header) else 0
            last = grid


def _heading(grid: Grid, rows: int) -> str:
    return "|".join(" ".join(text.casefold().split()) for _, text in sorted(heads_of(grid.rows[:rows]).items()))


def _goes_on(last: Grid, grid: Grid) -> bool:
    """On the next page, or on the same one after a line that heads a part of the table."""
    following = grid.page.document == last.page.document and grid.page.number == last.page.number + 1
    if grid.page is last.page:
        gap = grid.table.box[1] - last.table.box[3]
        following = 0 <= gap < _PART_GAP * grid.page.height and lacks_headings(grid.rows)
    edges = abs(grid.table.box[0] - last.table.box[0]) + abs(grid.table.box[2] - last.table.box[2])
    return following and edges < 0.03 * grid.page.page.width


def _entries(group: Group, grid: Grid, fit: Fit, header: int) -> Iterator[Entry]:
    numeric = {at for at in fit.by_column if group.columns[at].target.type in WITH_DIGITS}
    section = _caption(grid, fit)
    whole: set[int] | None = None
    closed = False
    for row in grid.rows[header:]:
        said = [cell for _, cell in sorted(row.items()) if cell.text.strip()]
        if not said:
            continue
        entry = {at: _taken(grid, row[place], fit.worth(at)) for at, place in fit.by_column.items() if place in row}
        entry = {at: cell for at, cell in entry.items() if cell.text}
        lacking = whole is not None and not whole <= entry.keys()
        if is_summary(said[0].text) or group.skips(said[0].text):
            continue
        if lacking and (closed or any(is_summary(cell.text) for cell in said)):
            closed = True  # a block of sums under the amounts, with taxes and the like
        elif entry and _is_entry(entry, numeric):
            closed = False
            whole = set(entry) if whole is None else whole & entry.keys()
            if fit.section is not None and section is not None:
                entry[fit.section] = section
            yield id(row), entry
        elif len(said) == 1:
            section = _taken(grid, said[0])


def _caption(grid: Grid, fit: Fit) -> Cell | None:
    if not fit.caption or grid.above is None:
        return None
    return Cell(fit.caption, [Spot(grid.page.number, grid.above.box, grid.caption, grid.page.document)], _FROM_CAPTION)


def _without_sums(group: Group, entries: list[Entry], spans: Spans) -> list[Entry]:
    """A row is a total if each of its numbers is the sum of those above it, also if it does not say so.

    One column proves that only under three rows or more, and for the last row.
    """
    adding = [at for at, column in enumerate(group.columns) if column.target.type in ("amount", "number")]
    kept: list[Entry] = []
    sums: dict[int, Decimal] = {}
    rows = 0
    for place, entry in enumerate(entries):
        numbers = {at: number_in(entry[1][at].text, spans) for at in adding if at in entry[1]}
        values = {at: value for at, value in numbers.items() if value is not None and abs(value) > _MIN_SUM}
        proven = rows > 1 and bool(values) and all(sums.get(at) == value for at, value in values.items())
        if proven and (len(values) > 1 or (rows > 2 and place == len(entries) - 1)):
            sums, rows = {}, 0
            continue
        kept.append(entry)
        rows += 1
        for at, value in values.items():
            sums[at] = sums.get(at, Decimal(0)) + value
    return kept


def _taken(grid: Grid, cell: PageCell, worth: float = 1.0) -> Cell:
    text = " ".join(cell.text.split())
    lines = grid.lines(cell) if "\n" in cell.text else []
    spots = [
        spot([token for piece in sorted(line, key=lambda each: each.place) for token in piece.tokens], line[0])
        for line in lines
    ]
    if len("".join(each.text for each in spots).replace(" ", "")) == len(text.replace(" ", "")):
        return Cell(text, spots, worth)
    return Cell(text, [Spot(grid.page.number, cell.box, text, grid.page.document)], worth)


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
