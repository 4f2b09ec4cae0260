"""Parses JSON into values, several in a row if need be."""

import json
import re
from json import JSONDecodeError
from typing import Any

from docsieve.errors import CorruptDocument

_BLANKS = re.compile(r"[\s\ufeff]*")

# Numbers stay as written: none is too long, and none loses a digit.
_decoder = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str, strict=False)


def parse_all(text: str) -> list[Any]:
    """Return the value, or all of them where several follow one another, as some programs write them."""
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


def are_lines(lines: list[str]) -> bool:
    """Whether the first two lines each hold an object or an array; the last line of a head may be cut."""
    filled = [line for line in lines if line.strip()]
    return len(filled) >= 2 and all(_is_value(line) for line in filled[:2])


def _is_value(line: str) -> bool:
    if not line.strip().startswith(("{", "[")):
        return False
    try:
        values = parse_all(line)
    except (JSONDecodeError, CorruptDocument):
        return False
    return len(values) == 1
