"""The lists of a Word 97 to 2003 document: LST and LFO tables of its table stream."""

import struct
from collections.abc import Iterator
from dataclasses import replace

from docsieve.parsers.office.list_numbers import LEVELS, Level, ListNumbers, NumberedList

_FORMATS = {
    0: "decimal", 1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 5: "ordinal",
    6: "cardinalText", 7: "ordinalText", 22: "decimalZero", 23: "bullet", 255: "none",
}  # fmt: skip
_LST = struct.Struct("<i22xBx")
_LEVEL = struct.Struct("<IBB9xx8xBBBx")
_LFO = struct.Struct("<i8xB3x")
_LFO_LEVEL = struct.Struct("<II")
_SIMPLE, _LEGAL, _LIMITS_RESTART = 0x01, 0x04, 0x08
_LEVEL_MASK, _HAS_START, _HAS_FORMAT = 0x0F, 0x10, 0x20
_MAX_LISTS = 0x7FE
_MAX_TEXT = 255


def list_numbers(table: bytes, lists: tuple[int, int], overrides: tuple[int, int]) -> ListNumbers:
    """Read the lists by the numbers that paragraphs refer to. Both tables are given as place and size."""
    try:
        return ListNumbers(dict(_overridden(table, *overrides, dict(_lists(table, *lists)))))
    except (struct.error, IndexError):
        # The text can be read without the numbers before it.
        return ListNumbers({})


def _lists(table: bytes, begin: int, size: int) -> Iterator[tuple[int, dict[int, Level]]]:
    """The levels of each list by its id. They follow the table of lists."""
    if not size:
        return
    count = min(struct.unpack_from("<H", table, begin)[0], _MAX_LISTS)
    place = begin + size
    for number in range(count):
        list_id, flags = _LST.unpack_from(table, begin + 2 + number * _LST.size)
        levels = {}
        for level in range(1 if flags & _SIMPLE else LEVELS):
            levels[level], place = _level(table, place)
        yield list_id, levels


def _level(table: bytes, place: int) -> tuple[Level, int]:
    """Read a level, and return the place after it."""
    start, number_format, flags, character_bytes, paragraph_bytes, limit = _LEVEL.unpack_from(table, place)
    place += _LEVEL.size + character_bytes + paragraph_bytes
    end = place + 2 + 2 * struct.unpack_from("<H", table, place)[0]
    text = table[place + 2 : min(end, place + 2 + 2 * _MAX_TEXT)].decode("utf-16-le", "replace")
    level = Level(
        start=start,
        format=_FORMATS.get(number_format, "decimal"),
        text="".join(f"%{ord(character) + 1}" if ord(character) < LEVELS else character for character in text),
        is_legal=bool(flags & _LEGAL),
        restarts_below=limit if flags & _LIMITS_RESTART else None,
    )
    return level, end


def _overridden(
    table: bytes, begin: int, size: int, lists: dict[int, dict[int, Level]]
) -> Iterator[tuple[str, NumberedList]]:
    """The lists that paragraphs refer to: each names one of the table of lists and may change its levels."""
    if not size:
        return
    count = min(struct.unpack_from("<I", table, begin)[0], _MAX_LISTS)
    place = begin + 4 + count * _LFO.size
    for number in range(count):
        list_id, changes = _LFO.unpack_from(table, begin + 4 + number * _LFO.size)
        levels = dict(lists.get(list_id, {}))
        restarted = set()
        place += 4
        for _ in range(changes):
            start, flags = _LFO_LEVEL.unpack_from(table, place)
            place += _LFO_LEVEL.size
            changed = flags & _LEVEL_MASK
            if flags & _HAS_FORMAT:
                levels[changed], place = _level(table, place)
            if flags & _HAS_START:
                if not flags & _HAS_FORMAT:
                    levels[changed] = replace(levels.get(changed, Level()), start=start)
                restarted.add(changed)
        yield str(number + 1), NumberedList(str(list_id), levels, frozenset(restarted))
