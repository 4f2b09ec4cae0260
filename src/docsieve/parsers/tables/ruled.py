"""Tables with ruled cells: crossing lines form a grid, and a missing piece of a line joins two cells."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from operator import itemgetter

from docsieve.domain.pages.page import Box, Cell, Line, Table
from docsieve.parsers.tables.cells import with_header

# Lines closer than this are one line drawn twice, like the edges of neighboring boxes.
_SNAP = 4.0
_TOUCH = 3.0
_COVERED = 0.5
_MAX_CROSSINGS = 40_000
_MAX_CELLS = 4_000
_MIN_FILLED = 3
_MIN_FILLED_SHARE = 0.15
_WORDS_OF_A_FRAME = 150
_FREE = -1

# A line at one position of one axis, from where to where on the other.
_Rule = tuple[float, float, float]


@dataclass(slots=True)
class _Axis:
    """The positions of the lines of one direction, and which stretches of each are drawn."""

    positions: list[float]
    drawn: list[list[_Rule]]

    def is_drawn(self, index: int, start: float, end: float) -> bool:
        rules = self.drawn[index]
        if rules and rules[0][1] <= start and rules[0][2] >= end:
            return True
        covered = sum(max(0.0, min(rule_end, end) - max(rule_start, start)) for _, rule_start, rule_end in rules)
        return covered >= _COVERED * (end - start)

    def are_all_drawn(self, crossing: list[float]) -> bool:
        """Whether each inner line crosses the whole table, and so is drawn between any two crossing lines."""
        # the outermost piece may lack a quarter, which leaves enough of it covered
        first = crossing[0] + (crossing[1] - crossing[0]) / 4
        last = crossing[-1] - (crossing[-1] - crossing[-2]) / 4
        return all(rules[0][1] <= first and rules[0][2] >= last for rules in self.drawn[1:-1])


@dataclass(slots=True)
class _Grid:
    """`taken` has the number of the cell at each row and column."""

    columns: _Axis
    rows: _Axis
    taken: list[list[int]] = field(default_factory=list)
    cells: list[Cell] = field(default_factory=list)


def find_ruled_tables(lines: Sequence[Line], rules: Sequence[Box]) -> list[Table]:
    horizontal = [((y0 + y1) / 2, x0, x1) for x0, y0, x1, y1 in rules if x1 - x0 >= y1 - y0]
    if len(horizontal) < 2 or len(rules) - len(horizontal) < 2:
        return []
    vertical = _merged([((x0 + x1) / 2, y0, y1) for x0, y0, x1, y1 in rules if x1 - x0 < y1 - y0])
    if len(vertical) < 2:
        return []
    tables = [_table(lines, across, down) for across, down in _connected(_merged(horizontal), vertical)]
    return [table for table in tables if table is not None]


def _merged(rules: list[_Rule]) -> list[_Rule]:
    """Join the pieces of each line; lines are returned in order of position."""
    merged: list[_Rule] = []
    for group in _clusters(sorted(rules)):
        if len(group) == 1:
            merged += group
            continue
        at = _middle(group)
        group.sort(key=itemgetter(1))
        _, start, end = group[0]
        for _, next_start, next_end in group[1:]:
            if next_start <= end + _TOUCH:
                end = max(end, next_end)
            else:
                merged.append((at, start, end))
                start, end = next_start, next_end
        merged.append((at, start, end))
    return merged


def _clusters(rules: list[_Rule]) -> list[list[_Rule]]:
    """Group sorted lines that are so close to the first of a group that they count as one."""
    clusters: list[list[_Rule]] = []
    first = -inf
    for rule in rules:
        if rule[0] - first > _SNAP:
            clusters.append([rule])
            first = rule[0]
        else:
            clusters[-1].append(rule)
    return clusters


def _middle(group: list[_Rule]) -> float:
    return sum([rule[0] for rule in group]) / len(group)


def _connected(horizontal: list[_Rule], vertical: list[_Rule]) -> list[tuple[list[_Rule], list[_Rule]]]:
    """Group lines that cross or touch, directly or indirectly: each group may be a table."""
    places = [rule[0] for rule in vertical]
    leader = list(range(len(vertical)))

    def led_by(index: int) -> int:
        while leader[index] != index:
            leader[index] = leader[leader[index]]
            index = leader[index]
        return index

    grouped: list[tuple[_Rule, int]] = []
    crossings = 0
    for rule in horizontal:
        at, start, end = rule
        first, last = bisect_left(places, start - _TOUCH), bisect_right(places, end + _TOUCH)
        crossings += last - first
        if crossings > _MAX_CROSSINGS:
            return []
        group = -1
        for index in range(first, last):
            _, top, bottom = vertical[index]
            if top - _TOUCH <= at <= bottom + _TOUCH:
                if group < 0:
                    group = led_by(index)
                elif leader[index] != group:
                    leader[led_by(index)] = group
        if group >= 0:
            grouped.append((rule, group))
    groups: dict[int, tuple[list[_Rule], list[_Rule]]] = {}
    for rule, group in grouped:
        groups.setdefault(led_by(group), ([], []))[0].append(rule)
    for index, rule in enumerate(vertical):
        if led_by(index) in groups:
            groups[led_by(index)][1].append(rule)
    return [(across, down) for across, down in groups.values() if len(across) >= 2 and len(down) >= 2]


def _table(lines: Sequence[Line], across: list[_Rule], down: list[_Rule]) -> Table | None:
    columns, rows = _axis(down, across), _axis(across, down)
    shape = len(rows.positions) - 1, len(columns.positions) - 1
    if min(shape) < 1 or max(shape) < 2 or shape[0] * shape[1] > _MAX_CELLS:
        return None
    grid = _Grid(columns, rows)
    _cut_cells(grid, *shape)
    total, fullest = _fill(grid, lines)
    filled = [cell for cell in grid.cells if cell.text]
    if min(len({cell.row for cell in filled}), len({cell.column for cell in filled})) < 2:
        return None
    is_frame = fullest > _WORDS_OF_A_FRAME and fullest * 2 > total
    if is_frame or len(filled) < max(_MIN_FILLED, _MIN_FILLED_SHARE * len(grid.cells)):
        return None
    xs, ys = columns.positions, rows.positions
    box = round(xs[0], 2), round(ys[0], 2), round(xs[-1], 2), round(ys[-1], 2)
    return with_header(Table(box, *shape, grid.cells))


def _axis(rules: list[_Rule], crossing: list[_Rule]) -> _Axis:
    """Return the lines of one direction. Where crossing lines reach beyond the outermost one, the table is open."""
    clusters = _clusters(rules)
    positions = [group[0][0] if len(group) == 1 else _middle(group) for group in clusters]
    _, starts, ends = zip(*crossing, strict=True)
    low, high = min(starts), max(ends)
    if low < positions[0] - 2 * _SNAP:
        positions.insert(0, low)
        clusters.insert(0, [])
    if high > positions[-1] + 2 * _SNAP:
        positions.append(high)
        clusters.append([])
    return _Axis(positions, clusters)


def _cut_cells(grid: _Grid, rows: int, columns: int) -> None:
    xs, ys = [round(x, 2) for x in grid.columns.positions], [round(y, 2) for y in grid.rows.positions]
    # in most tables no two cells are joined
    if grid.columns.are_all_drawn(grid.rows.positions) and grid.rows.are_all_drawn(grid.columns.positions):
        grid.cells = [
            Cell(row, column, "", (left, top, right, bottom))
            for row, (top, bottom) in enumerate(pairwise(ys))
            for column, (left, right) in enumerate(pairwise(xs))
        ]
        grid.taken = [list(range(row * columns, (row + 1) * columns)) for row in range(rows)]
        return
    grid.taken = taken = [[_FREE] * columns for _ in range(rows)]
    for row in range(rows):
        for column in range(columns):
            if taken[row][column] != _FREE:
                continue
            right, bottom = _reach(grid, row, column)
            for place in range(row, bottom):
                taken[place][column:right] = [len(grid.cells)] * (right - column)
            box = xs[column], ys[row], xs[right], ys[bottom]
            grid.cells.append(Cell(row, column, "", box, bottom - row, right - column))


def _reach(grid: _Grid, row: int, column: int) -> tuple[int, int]:
    """Return how far a cell extends to the right and down until a line is drawn."""
    xs, ys, taken = grid.columns.positions, grid.rows.positions, grid.taken
    right, bottom = column + 1, row + 1
    while right < len(xs) - 1 and taken[row][right] == _FREE and not grid.columns.is_drawn(right, ys[row], ys[row + 1]):
        right += 1
    while bottom < len(ys) - 1 and not grid.rows.is_drawn(bottom, xs[column], xs[right]):
        if max(taken[bottom][column:right]) != _FREE or any(
            grid.columns.is_drawn(place, ys[bottom], ys[bottom + 1]) for place in range(column + 1, right)
        ):
            break
        bottom += 1
    return right, bottom


def _fill(grid: _Grid, lines: Sequence[Line]) -> tuple[int, int]:
    """Assign words to cells; return how many there are in all, and in the fullest cell."""
    xs, ys = grid.columns.positions, grid.rows.positions
    words_of: list[list[str]] = [[] for _ in grid.cells]
    # There is no cell before the first line of each axis and after the last.
    outside: list[list[str] | None] = [None] * (len(xs) + 1)
    places = [outside, *([None, *[words_of[number] for number in row], None] for row in grid.taken), outside]
    for line in lines:
        x0, y0, x1, y1 = line.box
        if y1 < ys[0] or y0 > ys[-1] or x1 < xs[0] or x0 > xs[-1]:
            continue
        highest, lowest = bisect_right(ys, y0), bisect_right(ys, y1)
        words: list[str] | None = None
        begun: set[int] = set()
        for word in line.words:
            left, top, right, bottom = word.box
            row = highest if highest == lowest else bisect_right(ys, (top + bottom) / 2)
            before, words = words, places[row][bisect_right(xs, (left + right) / 2)]
            if words is None:
                continue
            if words is not before and id(words) not in begun:
                begun.add(id(words))
                if words:
                    words[-1] += "\n" + word.text
                    continue
            words.append(word.text)
    for cell, words in zip(grid.cells, words_of, strict=True):
        cell.text = " ".join(words)
    counts = list(map(len, words_of))
    return sum(counts), max(counts)
