"""Tables whose cells are ruled: crossing lines make a grid, and a missing piece of line joins two cells."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from docsieve.domain.pages import Box, Cell, Line, Table
from docsieve.parsers.tables_cells import with_header

# Lines nearer than this are one line drawn twice, as the edges of neighbouring boxes are.
_SNAP = 4.0
_TOUCH = 3.0
_COVERED = 0.5
_MOST_CROSSINGS = 40_000
_MOST_CELLS = 4_000
_LEAST_FILLED = 3
_LEAST_FILLED_SHARE = 0.15
_WORDS_OF_A_FRAME = 150


@dataclass(slots=True)
class _Rule:
    """A line at one position of one axis, from `start` to `end` on the other."""

    at: float
    start: float
    end: float


@dataclass(slots=True)
class _Axis:
    """Where the lines of one direction stand, and which stretches of each are drawn."""

    positions: list[float]
    drawn: list[list[_Rule]]

    def is_drawn(self, index: int, start: float, end: float) -> bool:
        rules = self.drawn[index]
        if rules and rules[0].start <= start and rules[0].end >= end:
            return True
        covered = sum(max(0.0, min(rule.end, end) - max(rule.start, start)) for rule in rules)
        return covered >= _COVERED * (end - start)


@dataclass(slots=True)
class _Grid:
    columns: _Axis
    rows: _Axis
    taken: dict[tuple[int, int], Cell] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)


def find_ruled_tables(lines: Sequence[Line], rules: Sequence[Box]) -> list[Table]:
    horizontal = _merged([_Rule((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in rules if x1 - x0 >= y1 - y0])
    vertical = _merged([_Rule((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in rules if x1 - x0 < y1 - y0])
    if len(horizontal) < 2 or len(vertical) < 2:
        return []
    tables = (_table(lines, across, down) for across, down in _connected(horizontal, vertical))
    return [table for table in tables if table is not None]


def _merged(rules: list[_Rule]) -> list[_Rule]:
    """Pieces of one line put together."""
    merged: list[_Rule] = []
    for group in _clusters(sorted(rules, key=lambda rule: rule.at)):
        at = sum(rule.at for rule in group) / len(group)
        group.sort(key=lambda rule: rule.start)
        current = _Rule(at, group[0].start, group[0].end)
        for rule in group[1:]:
            if rule.start <= current.end + _TOUCH:
                current.end = max(current.end, rule.end)
            else:
                merged.append(current)
                current = _Rule(at, rule.start, rule.end)
        merged.append(current)
    return merged


def _clusters(rules: list[_Rule]) -> Iterator[list[_Rule]]:
    cluster: list[_Rule] = []
    for rule in rules:
        if cluster and rule.at - cluster[0].at > _SNAP:
            yield cluster
            cluster = []
        cluster.append(rule)
    if cluster:
        yield cluster


def _connected(horizontal: list[_Rule], vertical: list[_Rule]) -> Iterator[tuple[list[_Rule], list[_Rule]]]:
    """Lines that cross or touch, directly or through others: each group may be a table."""
    places = [rule.at for rule in vertical]
    leader = list(range(len(horizontal) + len(vertical)))

    def led_by(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    crossings = 0
    for index, rule in enumerate(horizontal):
        for other in range(bisect_left(places, rule.start - _TOUCH), bisect_right(places, rule.end + _TOUCH)):
            crossings += 1
            if vertical[other].start - _TOUCH <= rule.at <= vertical[other].end + _TOUCH:
                leader[led_by(index)] = led_by(len(horizontal) + other)
        if crossings > _MOST_CROSSINGS:
            return
    groups: dict[int, tuple[list[_Rule], list[_Rule]]] = {}
    for index, rule in enumerate([*horizontal, *vertical]):
        groups.setdefault(led_by(index), ([], []))[index >= len(horizontal)].append(rule)
    yield from ((across, down) for across, down in groups.values() if len(across) >= 2 and len(down) >= 2)


def _table(lines: Sequence[Line], across: list[_Rule], down: list[_Rule]) -> Table | None:
    columns = _axis(down, min(rule.start for rule in across), max(rule.end for rule in across))
    rows = _axis(across, min(rule.start for rule in down), max(rule.end for rule in down))
    shape = len(rows.positions) - 1, len(columns.positions) - 1
    if min(shape) < 1 or max(shape) < 2 or shape[0] * shape[1] > _MOST_CELLS:
        return None
    grid = _Grid(columns, rows)
    _cut_cells(grid, *shape)
    total, fullest = _fill(grid, lines)
    filled = [cell for cell in grid.cells if cell.text]
    if min(len({cell.row for cell in filled}), len({cell.column for cell in filled})) < 2:
        return None
    is_frame = fullest > _WORDS_OF_A_FRAME and fullest * 2 > total
    if is_frame or len(filled) < max(_LEAST_FILLED, _LEAST_FILLED_SHARE * len(grid.cells)):
        return None
    xs, ys = columns.positions, rows.positions
    box = round(xs[0], 2), round(ys[0], 2), round(xs[-1], 2), round(ys[-1], 2)
    return with_header(Table(box, *shape, grid.cells))


def _axis(rules: list[_Rule], low: float, high: float) -> _Axis:
    """The lines of one direction; where the crossing ones reach beyond the outermost, the table is open there."""
    clusters = list(_clusters(sorted(rules, key=lambda rule: rule.at)))
    positions = [sum(rule.at for rule in group) / len(group) for group in clusters]
    if low < positions[0] - 2 * _SNAP:
        positions.insert(0, low)
        clusters.insert(0, [])
    if high > positions[-1] + 2 * _SNAP:
        positions.append(high)
        clusters.append([])
    return _Axis(positions, clusters)


def _cut_cells(grid: _Grid, rows: int, columns: int) -> None:
    xs, ys = [round(x, 2) for x in grid.columns.positions], [round(y, 2) for y in grid.rows.positions]
    taken = grid.taken
    for row in range(rows):
        for column in range(columns):
            if (row, column) in taken:
                continue
            right, bottom = _reach(grid, row, column)
            cell = Cell(row, column, "", (xs[column], ys[row], xs[right], ys[bottom]), bottom - row, right - column)
            grid.cells.append(cell)
            for place in range(row, bottom):
                for beside in range(column, right):
                    taken[place, beside] = cell


def _reach(grid: _Grid, row: int, column: int) -> tuple[int, int]:
    """How far a cell goes to the right and down until a line is drawn."""
    xs, ys = grid.columns.positions, grid.rows.positions
    right, bottom = column + 1, row + 1
    while (
        right < len(xs) - 1
        and (row, right) not in grid.taken
        and not grid.columns.is_drawn(right, ys[row], ys[row + 1])
    ):
        right += 1
    while bottom < len(ys) - 1 and not grid.rows.is_drawn(bottom, xs[column], xs[right]):
        if any((bottom, place) in grid.taken for place in range(column, right)) or any(
            grid.columns.is_drawn(place, ys[bottom], ys[bottom + 1]) for place in range(column + 1, right)
        ):
            break
        bottom += 1
    return right, bottom


def _fill(grid: _Grid, lines: Sequence[Line]) -> tuple[int, int]:
    """Give the words to the cells they stand in; how many there are in all, and in the fullest cell."""
    xs, ys = grid.columns.positions, grid.rows.positions
    words_of: dict[int, list[str]] = {}
    for line in lines:
        x0, y0, x1, y1 = line.box
        if y1 < ys[0] or y0 > ys[-1] or x1 < xs[0] or x0 > xs[-1]:
            continue
        begun: set[int] = set()
        for word in line.words:
            left, top, right, bottom = word.box
            place = bisect_right(ys, (top + bottom) / 2) - 1, bisect_right(xs, (left + right) / 2) - 1
            cell = grid.taken.get(place)
            if cell is None:
                continue
            key = id(cell)
            words = words_of.setdefault(key, [])
            if key not in begun:
                begun.add(key)
                if words:
                    words[-1] += "\n" + word.text
                    continue
            words.append(word.text)
    for cell in grid.cells:
        if id(cell) in words_of:
            cell.text = " ".join(words_of[id(cell)])
    counts = [len(words) for words in words_of.values()]
    return sum(counts), max(counts, default=0)
