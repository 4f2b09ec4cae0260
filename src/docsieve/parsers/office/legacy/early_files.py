"""Documents of Excel and Word from before compound files, told by their first bytes."""

import struct

EXCEL_BEGINNINGS = {b"\x09\x00\x04\x00": 2, b"\x09\x02\x06\x00": 3, b"\x09\x04\x06\x00": 4}
"""The versions by the record that a stream begins with."""

WORD_BEGINNINGS = (b"\x9b\xa5\x21\x00", b"\xdb\xa5\x2d\x00")
"""Of Word 1 and 2 for Windows."""

_EXCEL_KINDS = frozenset({0x10, 0x20, 0x40, 0x100})
_LARGEST_RECORD = 2084


def early_type(head: bytes) -> str | None:
    if head.startswith(WORD_BEGINNINGS):
        return "application/msword"
    return "application/vnd.ms-excel" if _begins_workbook(head) else None


def _begins_workbook(head: bytes) -> bool:
    """Four bytes are a weak mark, so the kind of the stream and the size of the next record must fit as well."""
    if head[:4] not in EXCEL_BEGINNINGS or len(head) < 16:
        return False
    following = 4 + head[2]
    kind, size = struct.unpack_from("<H", head, 6)[0], struct.unpack_from("<H", head, following + 2)[0]
    return kind in _EXCEL_KINDS and size <= _LARGEST_RECORD
