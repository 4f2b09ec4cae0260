"""Compound files, and documents of Excel and Word from before them, detected from their first bytes."""

import struct

OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

EXCEL_BEGINNINGS = {b"\x09\x00\x04\x00": 2, b"\x09\x02\x06\x00": 3, b"\x09\x04\x06\x00": 4}
"""Versions by the first record of the stream."""

WORD_BEGINNINGS = (b"\x9b\xa5\x21\x00", b"\xdb\xa5\x2d\x00")
"""Word 1 and 2 for Windows."""

_EXCEL_KINDS = frozenset({0x10, 0x20, 0x40, 0x100})
_MAX_RECORD_BYTES = 2084


def early_type(head: bytes) -> str | None:
    if head.startswith(WORD_BEGINNINGS):
        return "application/msword"
    return "application/vnd.ms-excel" if _begins_workbook(head) else None


def _begins_workbook(head: bytes) -> bool:
    """Four bytes prove little, so the kind of the stream and the size of the next record must fit as well."""
    if head[:4] not in EXCEL_BEGINNINGS or len(head) < 16:
        return False
    following = 4 + head[2]
    kind, size = struct.unpack_from("<H", head, 6)[0], struct.unpack_from("<H", head, following + 2)[0]
    return kind in _EXCEL_KINDS and size <= _MAX_RECORD_BYTES
