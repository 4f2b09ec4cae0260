"""Cell positions: `B3` as numbers, and the merged ranges of a sheet, which come after its rows."""

import re
from functools import lru_cache

from docsieve.parsers.office.package import Readable
from docsieve.parsers.office.sheets.grids import Anchors, Merge

LAST_ROW = 1_048_576
LAST_COLUMN = 16_384

_PLACE = re.compile(r"\$?([A-Za-z]{1,3})\$?(\d{1,7})\Z")
_MERGE = re.compile(rb"<(?:[\w.\-]+:)?mergeCell\s[^>]{0,200}?\bref\s*=\s*[\"']([A-Z0-9$:]{4,24})[\"']", re.IGNORECASE)
_CHUNK = 1024 * 1024
_OVERLAP = 512
_MAX_MERGES = 100_000


def place_of(reference: str) -> tuple[int, int] | None:
    """Row and column of a cell, from 0."""
    match = _PLACE.match(reference)
    if match is None:
        return None
    row, column = int(match.group(2)), column_of(match.group(1))
    return (row - 1, column) if 0 < row <= LAST_ROW and column < LAST_COLUMN else None


@lru_cache(maxsize=32_768)
def column_of(letters: str) -> int:
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1


def merges_of(stream: Readable) -> Anchors:
    """Search the bytes, because parsing a large sheet twice would take twice as long."""
    found: Anchors = {}
    kept = b""
    while (chunk := stream.read(_CHUNK)) and len(found) < _MAX_MERGES:
        window = kept + chunk
        for match in _MERGE.finditer(window):
            merge = _merge(match.group(1).decode("ascii"))
            if merge is not None:
                found[merge.top, merge.left] = merge
        kept = window[-_OVERLAP:]
    return found


def _merge(reference: str) -> Merge | None:
    first, _, last = reference.partition(":")
    start, end = place_of(first), place_of(last)
    if start is None or end is None or end[0] < start[0] or end[1] < start[1]:
        return None
    return Merge(start[0], start[1], end[0], end[1])
