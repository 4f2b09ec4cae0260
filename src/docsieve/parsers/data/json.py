"""Reads JSON and JSON Lines."""

from collections.abc import Iterator
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from docsieve.parsers.data.formats import LINES_TYPE
from docsieve.parsers.data.json_blocks import grids_of, is_flat, value_blocks
from docsieve.parsers.data.json_values import are_lines, parse_all
from docsieve.parsers.flow.blocks import Block, Paragraph
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import open_text
from docsieve.parsers.text.plain import text_blocks

_MAX_BYTES = 64 * 1024**2
_MAX_LINE = 16 * 1024**2
_RECORDS_AT_ONCE = 200


def read(source: Path, options: ReadOptions) -> Reading:
    """A document that turns out not to be JSON, or is too large to parse, is read as plain text."""
    with open_text(source) as file:
        first_lines = [file.readline(_MAX_LINE) for _ in range(2)]
    if are_lines(first_lines):
        return reading_of(_line_blocks(source), options, media_type=LINES_TYPE)
    if source.stat().st_size <= _MAX_BYTES:
        with open_text(source) as file:
            text = file.read()
        try:
            values = parse_all(text)
        except JSONDecodeError:
            pass
        else:
            return reading_of(value_blocks(values[0] if len(values) == 1 else values), options)
    with open_text(source) as file:
        return reading_of(text_blocks(file), options, media_type="text/plain")


def _line_blocks(source: Path) -> Iterator[Block]:
    records: list[dict[str, Any]] = []
    with open_text(source) as file:
        while line := file.readline(_MAX_LINE):
            if not line.strip():
                continue
            value = _value_of(line)
            if is_flat(value) and (not records or value.keys() == records[-1].keys()):
                records.append(value)
                if len(records) < _RECORDS_AT_ONCE:
                    continue
                value = None
            yield from grids_of(records)
            records = [value] if is_flat(value) else []
            if value is not None and not records:
                yield from value_blocks(value) if isinstance(value, (dict, list)) else iter([Paragraph(str(value))])
    yield from grids_of(records)


def _value_of(line: str) -> Any:
    """Parse a line; one that is not JSON stays text."""
    try:
        values = parse_all(line)
    except JSONDecodeError:
        return line.strip()
    return values[0] if len(values) == 1 else values
