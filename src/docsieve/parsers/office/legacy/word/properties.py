"""Properties of paragraphs and characters in Word 97 to 2003, stored in pages of 512 bytes."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_PAGE = 512
_HEADINGS = 9
_IN_TABLE, _ROW_END, _OUTLINE = 0x2416, 0x2417, 0x2640
_LIST, _LIST_LEVEL = 0x460B, 0x260A
_DELETED, _HIDDEN = 0x0800, 0x083C
_LONG_OPERANDS = frozenset({0xD606, 0xD608})
_OPERAND_SIZES = (1, 1, 2, 4, 2, 2, 0, 3)
_VARIABLE = 6
_MAX_RUNS = 2_000_000


@dataclass(frozen=True, slots=True)
class ParagraphProperties:
    heading: int | None = None
    in_table: bool = False
    ends_row: bool = False
    listed: bool = False
    style: int = 0
    list_number: int | None = None
    list_level: int | None = None


Run = tuple[int, int, ParagraphProperties]
"""First byte, end byte, properties."""


def paragraph_runs(document: bytes, plex: bytes) -> list[Run]:
    """Return the runs of all pages that the plex lists, in byte order."""
    runs: list[Run] = []
    for page in _pages(document, plex):
        if len(runs) < _MAX_RUNS:
            runs.extend(_runs_of(page))
    return sorted(runs, key=lambda run: run[:2])


def unseen_runs(document: bytes, plex: bytes) -> list[tuple[int, int]]:
    """Return the byte ranges of characters that are hidden, or deleted by a tracked change."""
    return sorted(run for page in _pages(document, plex) for run in _unseen_in(page))[:_MAX_RUNS]


def _pages(document: bytes, plex: bytes) -> Iterator[bytes]:
    count = max(0, (len(plex) - 4) // 8)
    numbers = struct.unpack_from(f"<{count}I", plex, 4 * (count + 1)) if count else ()
    for number in dict.fromkeys(number & 0x3F_FFFF for number in numbers):
        page = document[number * _PAGE : (number + 1) * _PAGE]
        if len(page) == _PAGE:
            yield page


def _unseen_in(page: bytes) -> Iterator[tuple[int, int]]:
    count = page[_PAGE - 1]
    if 5 * count + 4 >= _PAGE:
        return
    bounds = struct.unpack_from(f"<{count + 1}I", page)
    for place in range(count):
        at = 2 * page[4 * (count + 1) + place]
        values = dict(_modifiers(page[at + 1 : at + 1 + page[at]])) if at else {}
        if values.get(_DELETED) == 1 or values.get(_HIDDEN) == 1:
            yield bounds[place], bounds[place + 1]


def _runs_of(page: bytes) -> Iterator[Run]:
    count = page[_PAGE - 1]
    if 4 * (count + 1) + 13 * count >= _PAGE:
        return
    bounds = struct.unpack_from(f"<{count + 1}I", page)
    for place in range(count):
        at = 2 * page[4 * (count + 1) + 13 * place]
        yield bounds[place], bounds[place + 1], _properties(page, at) if at else ParagraphProperties()


def _properties(page: bytes, at: int) -> ParagraphProperties:
    size = page[at] if at < _PAGE - 1 else 0
    begin, length = (at + 1, 2 * size - 1) if size else (at + 2, 2 * page[min(at + 1, _PAGE - 1)])
    content = page[begin : min(begin + length, _PAGE - 1)]
    if len(content) < 2:
        return ParagraphProperties()
    style = int(struct.unpack_from("<H", content)[0])
    values = dict(_modifiers(content[2:]))
    outline = values.get(_OUTLINE, _HEADINGS)
    heading = style if 1 <= style <= _HEADINGS else outline + 1 if outline < _HEADINGS else None
    return ParagraphProperties(
        heading=heading,
        in_table=bool(values.get(_IN_TABLE)),
        ends_row=bool(values.get(_ROW_END)),
        listed=bool(values.get(_LIST)),
        style=style,
        list_number=values.get(_LIST),
        list_level=values.get(_LIST_LEVEL),
    )


def list_place(modifiers: bytes) -> tuple[int | None, int | None]:
    """Return the list and the level that modifiers of a style set, None for those that they do not."""
    values = dict(_modifiers(modifiers))
    return values.get(_LIST), values.get(_LIST_LEVEL)


def _modifiers(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield each modifier's code with the first one or two bytes of its operand."""
    place = 0
    while place + 3 <= len(content):
        code = int(struct.unpack_from("<H", content, place)[0])
        place += 2
        kind = code >> 13
        if kind != _VARIABLE:
            size = _OPERAND_SIZES[kind]
            yield code, int.from_bytes(content[place : place + min(size, 2)], "little")
        elif code in _LONG_OPERANDS:
            size = 1 + int.from_bytes(content[place : place + 2], "little")
        else:
            size = 1 + content[place]
        place += size
