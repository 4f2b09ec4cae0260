"""The paragraph styles of a Word 97 to 2003 document, as far as they put paragraphs into lists."""

import struct

from docsieve.parsers.office.legacy.word.properties import list_place

_PARAGRAPH_STYLE = 1
_NO_BASE = 0x0FFF
_MAX_ANCESTORS = 20


class ListStyles:
    def __init__(self, sheet: bytes) -> None:
        self._bases: dict[int, int] = {}
        self._places: dict[int, tuple[int | None, int | None]] = {}
        try:
            self._read(sheet)
        except (struct.error, IndexError):
            # The styles before the damage are known.
            return

    def place(self, style: int) -> tuple[int | None, int | None]:
        """Return the list and level of a style, its own or inherited."""
        found: tuple[int | None, int | None] = (None, None)
        for _ in range(_MAX_ANCESTORS):
            own = self._places.get(style, (None, None))
            found = (own[0] if found[0] is None else found[0], own[1] if found[1] is None else found[1])
            style = self._bases.get(style, _NO_BASE)
        return found

    def _read(self, sheet: bytes) -> None:
        header, count, base_bytes = struct.unpack_from("<HHH", sheet)
        place = 2 + header
        for style in range(count):
            size = struct.unpack_from("<H", sheet, place)[0]
            self._read_style(style, sheet[place + 2 : place + 2 + size], base_bytes)
            place += 2 + size

    def _read_style(self, style: int, content: bytes, base_bytes: int) -> None:
        if len(content) < base_bytes + 2:
            return
        kind_and_base = struct.unpack_from("<H", content, 2)[0]
        if kind_and_base & 0x0F != _PARAGRAPH_STYLE:
            return
        self._bases[style] = kind_and_base >> 4
        name_characters = struct.unpack_from("<H", content, base_bytes)[0]
        place = base_bytes + 2 + 2 * name_characters + 2
        size = struct.unpack_from("<H", content, place)[0]
        # The style's own number comes before its properties.
        self._places[style] = list_place(content[place + 4 : place + 2 + size])
