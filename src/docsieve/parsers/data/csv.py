"""Reads tables in text: values separated by commas, semicolons, tabs or bars."""

import csv
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TextIO

from docsieve.domain.pages.page import DocumentInfo
from docsieve.domain.text import clean
from docsieve.parsers.data.csv_dialect import Dialect, dialect_of, is_number
from docsieve.parsers.flow.blocks import Block, Grid, GridCell, NewPage
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import HEAD_BYTES, Reading, ReadOptions
from docsieve.parsers.text.encodings import open_text

_ROWS_PER_GRID = 200
_MAX_LINE = 1024**2
_MAX_NAME = 80
_MAX_COLUMNS = 16_384


def read(source: Path, options: ReadOptions) -> Reading:
    with open_text(source) as file:
        head = file.read(HEAD_BYTES)
        file.seek(0)
        dialect = dialect_of(head, cut=len(head) >= HEAD_BYTES) or Dialect(",", 0)
        if dialect.declared:
            file.readline()
        info = DocumentInfo()
        return reading_of(_blocks(file, dialect, info), options, info=info)


def _blocks(file: TextIO, dialect: Dialect, info: DocumentInfo) -> Iterator[Block]:
    yield NewPage()
    rows = _rows(file, dialect.separator)
    first = list(_taken(rows, 2))
    header = len(first) == 2 and _names_columns(first[0], first[1])
    grid: list[list[GridCell]] = []
    for place, row in enumerate(chain(first, rows)):
        grid.append([GridCell(value.strip(), header=header and place == 0) for value in row[:_MAX_COLUMNS]])
        info.leave_out("cells", len(row) - _MAX_COLUMNS)
        if len(grid) == _ROWS_PER_GRID:
            yield Grid(grid)
            grid = []
    if grid:
        yield Grid(grid)


def _rows(file: TextIO, separator: str) -> Iterator[list[str]]:
    """Yield rows that are not blank. From a quote that is never closed on, quotes are plain text."""
    csv.field_size_limit(_MAX_LINE)
    held: list[str] = []
    lines = _lines(file)
    reader = csv.reader(_recorded(lines, held), delimiter=separator)
    try:
        for row in reader:
            held.clear()
            if any(value.strip() for value in row):
                yield row
    except csv.Error:
        for row in csv.reader(chain(held, lines), delimiter=separator, quoting=csv.QUOTE_NONE):
            if any(value.strip() for value in row):
                yield row


def _lines(file: TextIO) -> Iterator[str]:
    while line := file.readline(_MAX_LINE // 2):
        yield clean(line)


def _recorded(lines: Iterator[str], held: list[str]) -> Iterator[str]:
    for line in lines:
        held.append(line)
        yield line


def _taken(rows: Iterator[list[str]], limit: int) -> Iterator[list[str]]:
    for _ in range(limit):
        row = next(rows, None)
        if row is None:
            return
        yield row


def _names_columns(first: list[str], second: list[str]) -> bool:
    """Column names are short and all different, and not numbers unless the next row has none."""
    names = [name.strip() for name in first]
    if not all(names) or len(set(names)) < len(names) or any(len(name) > _MAX_NAME for name in names):
        return False
    return not any(map(is_number, names)) or (all(map(is_number, names)) and not any(map(is_number, second)))
