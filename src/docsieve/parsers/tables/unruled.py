"""Tables without lines: rows with phrases in the same columns, with white gaps between them.

Precision comes first: text in two columns, addresses side by side and lists look similar and are not tables.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from docsieve.domain.pages.page import Cell, Line, Table
from docsieve.parsers.tables.cells import around, is_numeric, is_symbol, plain_cell, with_header
from docsieve.parsers.tables.rows import Chunk, Row, mark_leaders, read_rows, typical_height

_MAX_ROWS = 400
_MIN_ROWS = 3
_MIN_ROWS_OF_TWO_COLUMNS = 4

# Without a column of numbers, only a longer and fuller one is not mistaken for addresses and the like.
_MIN_ROWS_OF_WORDS = 5
_FILLED_WITH_WORDS = 0.8

# In line heights.
_CHANNEL = 0.5
_FARTHEST_ROW = 2.7
_CONTINUES_WITHIN = 1.4
_ENDS_WITHIN = 0.75

_MAX_CONTINUATIONS = 4
_KEPT_CHANNELS = 0.7
_MIN_FILLED = 0.55
_FULL_ROW = 0.67
_WORDY = 4.5
_ALIGNED = 0.65
_ALIGNED_WITHIN = 3.0
_ENUMERATOR = re.compile(r"\W*|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]*")

_Spans = list[tuple[float, float]]


@dataclass(slots=True)
class _Candidate:
    """Consecutive rows with columns separated by white gaps, and the contents of rows with several chunks."""

    rows: list[Row]
    later_columns: list[float]
    """Where each column but the first begins."""
    columns: list[list[Chunk]]
    taken: list[int]
    """For each row of several chunks, how many columns it has something in."""

    @classmethod
    def of(cls, rows: list[Row], later_columns: list[float]) -> "_Candidate":
        columns: list[list[Chunk]] = [[] for _ in range(len(later_columns) + 1)]
        taken: list[int] = []
        for row in rows:
            if len(row.chunks) > 1:
                places = [bisect_right(later_columns, chunk.middle) for chunk in row.chunks]
                for place, chunk in zip(places, row.chunks, strict=True):
                    columns[place].append(chunk)
                taken.append(len(set(places)))
        return cls(rows, later_columns, columns, taken)

    def column_of(self, chunk: Chunk) -> int:
        return bisect_right(self.later_columns, chunk.middle)


def find_unruled_tables(lines: Sequence[Line]) -> list[Table]:
    if len(lines) < _MIN_ROWS:
        return []
    height = max(typical_height(lines), 1.0)
    rows = read_rows(lines, height)
    multiple = [index for index, row in enumerate(rows) if len(row.chunks) > 1]
    if len(multiple) < _MIN_ROWS or len(rows) > _MAX_ROWS:
        return []
    mark_leaders(rows)
    free = {index for index in multiple if not rows[index].has_leaders}
    if len(free) < _MIN_ROWS:
        return []
    tables: list[Table] = []
    for seed in sorted(free, key=lambda index: (-len(rows[index].chunks), index)):
        if seed not in free:
            continue
        free.discard(seed)
        first, last, later_columns = _grown(rows, seed, free, height)
        if last - first + 1 < _MIN_ROWS:
            continue
        candidate = _without_symbol_columns(_Candidate.of(rows[first : last + 1], later_columns))
        if _is_table(candidate):
            free.difference_update(range(first, last + 1))
            tables.append(_built(candidate))
    return tables


def _grown(rows: list[Row], seed: int, free: set[int], height: float) -> tuple[int, int, list[float]]:
    """Return the first and last row that fit the seed row, and where their columns after the first begin."""
    spans = _joined([], rows[seed], height)
    wanted = max(1, (len(spans) - 1) * _KEPT_CHANNELS)
    last, spans = _reach_down(rows, seed, free, spans, wanted, height)
    first = seed
    while first - 1 in free and rows[first].top - rows[first - 1].bottom <= _FARTHEST_ROW * height:
        wider = _joined(spans, rows[first - 1], height)
        if len(wider) - 1 < wanted:
            break
        first, spans = first - 1, wider
    return first, last, [left for left, _ in spans[1:]]


def _reach_down(
    rows: list[Row], seed: int, free: set[int], spans: _Spans, wanted: float, height: float
) -> tuple[int, _Spans]:
    last, continued = seed, 0
    for index in range(seed + 1, len(rows)):
        row = rows[index]
        gap = row.top - rows[index - 1].bottom
        if gap > _FARTHEST_ROW * height or row.has_leaders:
            break
        if index in free:
            wider = _joined(spans, row, height)
            if len(wider) - 1 < wanted:
                break
            spans, last, continued = wider, index, 0
            continue
        if len(row.chunks) != 1 or gap > _CONTINUES_WITHIN * height or continued >= _MAX_CONTINUATIONS:
            break
        wider = _joined(spans, row, height)
        if len(wider) != len(spans):
            break
        continued += 1
        if gap <= _ENDS_WITHIN * height and last == index - 1:
            spans, last = wider, index
    return last, spans


def _joined(spans: _Spans, row: Row, height: float) -> _Spans:
    """Merge the columns of one more row: those not separated by a white gap are one."""
    channel = _CHANNEL * height
    joined: _Spans = []
    (left, right), *later = sorted(spans + [(chunk.left, chunk.right) for chunk in row.chunks])
    for next_left, next_right in later:
        if next_left - right >= channel:
            joined.append((left, right))
            left, right = next_left, next_right
        elif next_right > right:
            right = next_right
    joined.append((left, right))
    return joined


def _without_symbol_columns(candidate: _Candidate) -> _Candidate:
    """A currency sign aligned apart from its number belongs to the number after it, or before it at the end."""
    last = len(candidate.columns) - 1
    needless = {
        min(index, last - 1)
        for index, chunks in enumerate(candidate.columns)
        if last > 0 and chunks and all(len(chunk.words) == 1 and is_symbol(chunk.words[0].text) for chunk in chunks)
    }
    if not needless:
        return candidate
    kept = [left for index, left in enumerate(candidate.later_columns) if index not in needless]
    return _Candidate.of(candidate.rows, kept)


def _is_table(candidate: _Candidate) -> bool:
    columns, rows = candidate.columns, len(candidate.taken)
    if rows < (_MIN_ROWS if len(columns) > 2 else _MIN_ROWS_OF_TWO_COLUMNS) or len(columns) < 2:
        return False
    shares = [taken / len(columns) for taken in candidate.taken]
    filled = sum(shares) / rows
    if filled < _MIN_FILLED or sum(share > _FULL_ROW for share in shares) * 2 < rows:
        return False
    if any(map(_is_of_labels, columns)):
        return False
    wordy = sum(sum(len(chunk.words) for chunk in chunks) >= _WORDY * len(chunks) for chunks in columns)
    if wordy > 1:
        return False
    aligned = sum(map(_is_aligned, columns))
    if aligned < len(columns) * 2 / 3:
        return False
    if len(columns) == 2:
        is_list = all(_ENUMERATOR.fullmatch(chunk.text) for chunk in columns[0])
        return aligned == 2 and wordy == 0 and not is_list and _is_numeric(columns[1])
    if rows >= _MIN_ROWS_OF_WORDS and filled >= _FILLED_WITH_WORDS and wordy == 0:
        return True
    return any(map(_is_numeric, columns))


def _is_aligned(chunks: list[Chunk]) -> bool:
    """Whether most phrases of a column have the same start, end or center."""
    return bool(chunks) and (
        _are_near([chunk.left for chunk in chunks])
        or _are_near([chunk.right for chunk in chunks])
        or _are_near([chunk.middle for chunk in chunks])
    )


def _are_near(places: list[float]) -> bool:
    """Whether most of the positions are close to one of them."""
    # If more than half are close to one position, so is the median.
    middle = sorted(places)[len(places) // 2]
    among = {place for place in places[:50] if abs(place - middle) <= _ALIGNED_WITHIN}
    return any(
        sum([abs(place - other) <= _ALIGNED_WITHIN for other in places]) >= _ALIGNED * len(places) for place in among
    )


def _is_numeric(chunks: list[Chunk]) -> bool:
    return bool(chunks) and sum([is_numeric(chunk.text) for chunk in chunks]) >= _ALIGNED * len(chunks)


def _is_of_labels(chunks: list[Chunk]) -> bool:
    """Whether a column is that of a list of names and values, or the colons between them."""
    labels = sum([chunk.words[-1].text.endswith(":") for chunk in chunks])
    return labels * 2 > len(chunks)


def _built(candidate: _Candidate) -> Table:
    """Rows of one phrase continue a cell of the row above."""
    grid: list[dict[int, list[Chunk]]] = []
    for row in candidate.rows:
        if len(row.chunks) > 1 or not grid:
            grid.append({})
        for chunk in row.chunks:
            grid[-1].setdefault(candidate.column_of(chunk), []).append(chunk)
    cells: list[Cell] = []
    for index, by_column in enumerate(grid):
        for column, chunks in sorted(by_column.items()):
            box = around([chunk.box for chunk in chunks])
            cells.append(plain_cell(index, column, _text_of(chunks), box))
    box = around([cell.box for cell in cells])
    return with_header(Table(box, len(grid), len(candidate.columns), cells))


def _text_of(chunks: list[Chunk]) -> str:
    """Join phrases of one row with spaces, and rows with line breaks."""
    text = chunks[0].text
    for before, chunk in pairwise(chunks):
        below = chunk.box[1] > before.box[3] - (before.box[3] - before.box[1]) / 2
        text += ("\n" if below else " ") + chunk.text
    return text
