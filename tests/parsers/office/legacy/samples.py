"""Compound files made by hand: the container, and the streams of Excel, Word and PowerPoint 97 inside it."""

import struct
from pathlib import Path

_SECTOR = 512
_END, _FREE, _FAT = 0xFFFF_FFFE, 0xFFFF_FFFF, 0xFFFF_FFFD
_SMALLEST_IN_SECTORS = 4096


def write_ole(path: Path, streams: dict[str, bytes], *, storage: tuple[str, dict[str, bytes]] | None = None) -> Path:
    """Streams are padded with NULs to the size from which they have their own sectors.

    `storage` is a folder of more streams, which comes last.
    """
    folder, inner = storage or ("", {})
    padded = {
        name: _filled(content, max(len(content), _SMALLEST_IN_SECTORS))
        for name, content in [*streams.items(), *((f"{folder}/{name}", content) for name, content in inner.items())]
    }
    chains: list[int] = []
    directory = [_entry("Root Entry", 5, _END, 0, child=1)]
    for place, (name, content) in enumerate(padded.items(), start=1):
        if inner and place == len(streams) + 1:
            directory.append(_entry(folder, 1, _END, 0, child=len(directory) + 1))
        is_last = place == len(padded) or (place == len(streams) and not inner)
        right = _FREE if is_last else len(directory) + 1
        directory.append(_entry(name.rpartition("/")[2], 2, len(chains), len(content), right=right))
        chains += _chain(len(chains), len(content) // _SECTOR)
    listing = _filled(b"".join(directory), _SECTOR * -(-len(directory) // 4))
    first_of_directory = len(chains)
    chains += _chain(first_of_directory, len(listing) // _SECTOR)
    first_of_table = len(chains)
    tables = -(-(len(chains) + 8) * 4 // _SECTOR)
    chains += [_FAT] * tables
    chains += [_FREE] * (tables * _SECTOR // 4 - len(chains))
    header = struct.pack("<8s16xHHHHH6xIIIIIIIII", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6,
                         0, tables, first_of_directory, 0, _SMALLEST_IN_SECTORS, _END, 0, _END, 0)  # fmt: skip
    places = [first_of_table + number for number in range(tables)] + [_FREE] * (109 - tables)
    body = b"".join(padded.values()) + listing + struct.pack(f"<{len(chains)}I", *chains)
    path.write_bytes(header + struct.pack("<109I", *places) + body)
    return path


def _filled(content: bytes, size: int) -> bytes:
    return content.ljust(-(-size // _SECTOR) * _SECTOR, b"\0")


def _chain(first: int, count: int) -> list[int]:
    return [*range(first + 1, first + count), _END]


def _entry(name: str, kind: int, start: int, size: int, *, child: int = _FREE, right: int = _FREE) -> bytes:
    encoded = (name + "\0").encode("utf-16-le")
    return struct.pack("<64sHBBIII36xIQ", encoded, len(encoded), kind, 1, _FREE, right, child, start, size)


def _biff(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def workbook_stream() -> bytes:
    """One sheet: a merged string that runs over two records, a percentage, a date, an error, a formula's text."""
    strings = struct.pack("<II", 1, 1) + struct.pack("<HB", 6, 0) + b"Umf"
    rest = b"\x01" + "änß".encode("utf-16-le")
    before = _biff(0x0809, struct.pack("<HHHHII", 0x0600, 5, 0, 0, 0, 0)) + b"".join(
        _biff(0xE0, struct.pack("<HH16x", 0, number)) for number in (0, 10, 14)
    )
    after = _biff(0xFC, strings) + _biff(0x3C, rest) + _biff(0x0A, b"")
    name = b"\x04\x00Data"
    place = len(before) + 4 + 6 + len(name) + len(after)
    sheet = _biff(0x85, struct.pack("<IBB", place, 0, 0) + name)
    cells = (
        _biff(0xFD, struct.pack("<HHHI", 0, 0, 0, 0))
        + _biff(0x203, struct.pack("<HHHd", 1, 0, 1, 0.125))
        + _biff(0x27E, struct.pack("<HHHI", 1, 1, 2, 45322 << 2 | 2))
        + _biff(0x205, struct.pack("<HHHBB", 2, 0, 0, 0x07, 1))
        + _biff(0x06, struct.pack("<HHHBBBBHH", 2, 1, 0, 0, 0, 0, 0, 0, 0xFFFF) + bytes(8))
        + _biff(0x207, struct.pack("<HB", 4, 0) + b"text")
        + _biff(0xE5, struct.pack("<HHHHH", 1, 0, 0, 0, 1))
    )
    begin = _biff(0x0809, struct.pack("<HHHHII", 0x0600, 0x10, 0, 0, 0, 0))
    return before + sheet + after + begin + cells + _biff(0x0A, b"")


def word_streams() -> dict[str, bytes]:
    """Two pieces, one narrow and one wide; a field; a table of one row; a page break; a footnote."""
    narrow = "Caf\xe9 \x13 PAGE \x14 7\x15\r".encode("cp1252")
    wide = "a\x07b\x07\x07Žluťoučký\x02\x0cnext\r".encode("utf-16-le")
    note = "\x02 a note\r".encode("utf-16-le")
    first, second, third = len(narrow), len(wide) // 2, len(note) // 2
    document = bytearray(0x400)
    struct.pack_into("<HH", document, 0, 0xA5EC, 0xC1)
    struct.pack_into("<H", document, 10, 0x0200)
    struct.pack_into("<II", document, 0x4C, first + second, third)
    positions = struct.pack("<IIII", 0, first, first + second, first + second + third)
    offsets = ((0x400 * 2) | 0x4000_0000, 0x400 + first, 0x400 + first + len(wide))
    pieces = b"".join(struct.pack("<HIH", 0, offset, 0) for offset in offsets)
    listed = b"\x02" + struct.pack("<I", len(positions + pieces)) + positions + pieces
    struct.pack_into("<II", document, 0x1A2, 0, len(listed))
    return {"WordDocument": bytes(document) + narrow + wide + note, "1Table": listed}


def word_streams_with_a_deletion() -> dict[str, bytes]:
    """`kept gone here`, of which the second word is marked as deleted."""
    text = b"kept gone here\r"
    page = bytearray(512)
    struct.pack_into("<IIII", page, 0, 0x400, 0x405, 0x40A, 0x40F)
    page[16:19] = bytes([0, 100, 0])
    page[200:204] = bytes([3, 0x00, 0x08, 1])
    page[511] = 3
    document = bytearray(0x600)
    struct.pack_into("<HH", document, 0, 0xA5EC, 0xC1)
    struct.pack_into("<I", document, 0x4C, len(text))
    pieces = struct.pack("<IIHIH", 0, len(text), 0, 0x400 * 2 | 0x4000_0000, 0)
    listed = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    plex = struct.pack("<III", 0x400, 0x40F, 3)
    struct.pack_into("<II", document, 0x1A2, 0, len(listed))
    struct.pack_into("<II", document, 0xFA, len(listed), len(plex))
    document[0x400 : 0x400 + len(text)] = text
    return {"WordDocument": bytes(document) + bytes(page), "0Table": listed + plex}


def _record(kind: int, content: bytes, *, instance: int = 0, container: bool = False) -> bytes:
    return struct.pack("<HHI", instance << 4 | (0xF if container else 0), kind, len(content)) + content


def slide_streams() -> dict[str, bytes]:
    """One slide saved twice: only the newest edit counts. Its title is in the outline, a box on the slide."""
    outline = (
        _record(1011, struct.pack("<IIIII", 2, 0, 1, 256, 0))
        + _record(3999, struct.pack("<I", 0))
        + _record(4000, "Títle".encode("utf-16-le"))
    )
    document = _record(1000, _record(4080, outline, container=True), container=True)
    old, new = (
        _record(1006, _record(3999, struct.pack("<I", 4)) + _record(4008, text), container=True)
        for text in (b"old box", b"new box")
    )
    stream = document + old + new
    first_directory, stream = len(stream), stream + _record(6002, struct.pack("<III", 2 << 20 | 1, 0, len(document)))
    first_edit, stream = len(stream), stream + _edit(0, first_directory)
    directory, stream = len(stream), stream + _record(6002, struct.pack("<II", 1 << 20 | 2, len(document) + len(old)))
    edit, stream = len(stream), stream + _edit(first_edit, directory)
    user = _record(4086, struct.pack("<III", 20, 0xE391C05F, edit))
    return {"PowerPoint Document": stream, "Current User": user}


def _edit(previous: int, directory: int) -> bytes:
    return _record(4085, struct.pack("<IIIIII", 0, 0, previous, directory, 1, 2))
