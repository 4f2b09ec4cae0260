"""A font for invisible text: every character is the same box, which viewers can select and find but never draw.

The box is not empty, because PDFium, and with it Chrome, passes over text whose glyphs take no room.
"""

import struct
from dataclasses import dataclass, field

ADVANCE = 500
"""The width of every glyph, in thousandths of the size."""

ASCENT, DESCENT = 800, -200
"""Above and below the baseline: together the size, so that a selection is as tall as the text's box."""

_UNITS = 1000
_MAX_CODES = 65_000
_PER_BLOCK = 100  # PDF allows no more in one `bfchar`
_REPLACEMENT = "\ufffd"


@dataclass(slots=True)
class Characters:
    """The characters used so far, each with its code."""

    codes: dict[str, int] = field(default_factory=dict)

    def encoded(self, text: str) -> str:
        """The text as a hexadecimal PDF string."""
        return "<" + "".join(f"{self._code(each):04x}" for each in text) + ">"

    def _code(self, character: str) -> int:
        if "\ud800" <= character <= "\udfff" or (character not in self.codes and len(self.codes) >= _MAX_CODES):
            character = _REPLACEMENT
        return self.codes.setdefault(character, len(self.codes) + 1)

    def to_unicode(self) -> bytes:
        """The CMap that says which character each code is."""
        lines = [
            "/CIDInit /ProcSet findresource begin",
            "12 dict begin",
            "begincmap",
            "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def",
            "/CMapName /Adobe-Identity-UCS def",
            "/CMapType 2 def",
            "1 begincodespacerange",
            "<0000> <ffff>",
            "endcodespacerange",
        ]
        pairs = [f"<{code:04x}> <{each.encode('utf-16-be').hex()}>" for each, code in self.codes.items()]
        for at in range(0, len(pairs), _PER_BLOCK):
            some = pairs[at : at + _PER_BLOCK]
            lines += [f"{len(some)} beginbfchar", *some, "endbfchar"]
        lines += ["endcmap", "CMapName currentdict /CMap defineresource pop", "end", "end"]
        return "\n".join(lines).encode()

    def glyphs(self) -> bytes:
        """For each code the number of its glyph: always the box, which is not the one for missing characters."""
        return b"\x00\x00" + b"\x00\x01" * len(self.codes)


def font_file() -> bytes:
    """A TrueType font with an empty glyph and the box."""
    corners = struct.pack(">4B8h", 1, 1, 1, 1, 0, 0, ADVANCE, 0, DESCENT, _UNITS, 0, -_UNITS)
    box = struct.pack(">hhhhhHH", 1, 0, DESCENT, ADVANCE, ASCENT, 3, 0) + corners
    box += b"\x00" * (-len(box) % 4)
    tables = {
        b"cmap": struct.pack(">HHHHI", 0, 1, 3, 1, 12) + struct.pack(">HHHHHHH", 4, 24, 0, 2, 2, 0, 0) + _cmap_end(),
        b"glyf": box,
        b"head": struct.pack(
            ">IIIIHHqqhhhhHHhhh",
            *(0x00010000, 0x00010000, 0, 0x5F0F3CF5, 0b1011, _UNITS, 0, 0),
            *(0, DESCENT, ADVANCE, ASCENT, 0, 8, 2, 0, 0),
        ),
        b"hhea": struct.pack(
            ">IhhhHhhhhhhhhhhhH", 0x00010000, ASCENT, DESCENT, 0, ADVANCE, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2
        ),
        b"hmtx": struct.pack(">HhHh", ADVANCE, 0, ADVANCE, 0),
        b"loca": struct.pack(">HHH", 0, 0, len(box) // 2),
        b"maxp": struct.pack(">IHHHHHHHHHHHHHH", 0x00010000, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"post": struct.pack(">IIhhIIIII", 0x00030000, 0, 0, 0, 1, 0, 0, 0, 0),
    }
    return _assembled(tables)


def _cmap_end() -> bytes:
    """The only segment of the character map: nothing."""
    return struct.pack(">HHHHH", 0xFFFF, 0, 0xFFFF, 1, 0)


def _assembled(tables: dict[bytes, bytes]) -> bytes:
    count = len(tables)
    power = count.bit_length() - 1
    head = struct.pack(">IHHHH", 0x00010000, count, 16 << power, power, (count - (1 << power)) * 16)
    directory, body = b"", b""
    begin = len(head) + 16 * count
    for tag in sorted(tables):
        content = tables[tag]
        directory += tag + struct.pack(">III", _checksum(content), begin + len(body), len(content))
        body += content + b"\x00" * (-len(content) % 4)
    font = head + directory + body
    adjusted = (0xB1B0AFBA - _checksum(font)) & 0xFFFFFFFF
    at = font.index(struct.pack(">I", 0x5F0F3CF5)) - 4
    return font[:at] + struct.pack(">I", adjusted) + font[at + 4 :]


def _checksum(content: bytes) -> int:
    padded = content + b"\x00" * (-len(content) % 4)
    words: tuple[int, ...] = struct.unpack(f">{len(padded) // 4}I", padded)
    return sum(words) & 0xFFFFFFFF
