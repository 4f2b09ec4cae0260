"""JSON, and JSON Lines: a value on every line."""

import json
import re
from collections.abc import Iterator
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from docsieve.errors import CorruptDocument
from docsieve.parsers.data.json_blocks import grids_of, is_flat, value_blocks
from docsieve.parsers.flow.blocks import Block, Paragraph
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import head_text, open_text
from docsieve.parsers.text.parser import text_blocks

LINES_TYPE = "application/x-ndjson"

_STRING = r'"(?:[^"\\\n]|\\.){0,500}"'
_START = re.compile(
    rf"\s*(?:\[\s*)*(?:\{{\s*(?:\}}|{_STRING}\s*:)|"
    rf"(?<=[\[\s])(?:{_STRING}|-?\d[\d.eE+-]*|true|false|null|(?<=\[))\s*(?:,|\](?=\s*(?:[,\]]|\Z))))"
)
_BLANKS = re.compile(r"[\s\ufeff]*")
_LARGEST = 64 * 1024**2
_LONGEST_LINE = 16 * 1024**2
_RECORDS_AT_ONCE = 200


class JsonParser:
    name = "json"
    version = "1"
    uses_ocr = False
    media_types = frozenset({"application/json", LINES_TYPE})

    def sniff(self, head: bytes) -> str | None:
        text = head_text(head)
        if text is None or text.lstrip()[:1] not in ("{", "[") or not _START.match(text):
            return None
        return LINES_TYPE if _are_lines(text.splitlines()[:3]) else "application/json"

    def read(self, source: Path, options: ReadOptions) -> Reading:
        """What is not JSON after all, or too large to hold, is read as the text that it also is."""
        with open_text(source) as file:
            first_lines = [file.readline(_LONGEST_LINE) for _ in range(2)]
        if _are_lines(first_lines):
            return reading_of(_line_blocks(source), options, media_type=LINES_TYPE)
        if source.stat().st_size <= _LARGEST:
            with open_text(source) as file:
                text = file.read()
            try:
                values = _parse_all(text)
            except JSONDecodeError:
                pass
            else:
                return reading_of(value_blocks(values[0] if len(values) == 1 else values), options)
        with open_text(source) as file:
            return reading_of(text_blocks(file), options, media_type="text/plain")


# Numbers stay as they are written: none is too long, and none loses a digit.
_decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, strict=False)


def _parse_all(text: str) -> list[Any]:
    """The value, or the values where several follow one another, as some programs write them."""
    values = []
    place = _past_blanks(text, 0)
    while place < len(text):
        try:
            value, end = _decoder.raw_decode(text, place)
        except RecursionError as error:
            raise CorruptDocument("The document's values are nested too deeply.") from error
        values.append(value)
        place = _past_blanks(text, end)
    return values


def _past_blanks(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    return found.end() if found else place


def _are_lines(lines: list[str]) -> bool:
    """The first two lines each hold an object or an array of their own; the last of a head may be cut."""
    filled = [line for line in lines if line.strip()]
    return len(filled) >= 2 and all(_is_value(line) for line in filled[:2])


def _is_value(line: str) -> bool:
    if not line.strip().startswith(("{", "[")):
        return False
    try:
        values = _parse_all(line)
    except (JSONDecodeError, CorruptDocument):
        return False
    return len(values) == 1


def _line_blocks(source: Path) -> Iterator[Block]:
    records: list[dict[str, Any]] = []
    with open_text(source) as file:
        while line := file.readline(_LONGEST_LINE):
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
    """A line that does not parse is kept as it is."""
    try:
        values = _parse_all(line)
    except JSONDecodeError:
        return line.strip()
    return values[0] if len(values) == 1 else values
