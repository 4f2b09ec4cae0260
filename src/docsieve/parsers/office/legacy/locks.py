"""Whether a password locks an Office 97 to 2003 file."""

import struct

from docsieve.parsers.office.legacy.compound import Compound

_FILE_PASS = 0x2F
_RECORDS_BEFORE_LOCK = 8
_WORD_ENCRYPTED = 0x0100
_SLIDES_ENCRYPTED = b"\xdf\xc4\xd1\xf3"


def is_locked(compound: Compound) -> bool:
    if "WordDocument" in compound:
        head = compound.read("WordDocument", 12)
        return len(head) == 12 and bool(struct.unpack_from("<H", head, 10)[0] & _WORD_ENCRYPTED)
    if "PowerPoint Document" in compound:
        return compound.read("Current User", 16)[12:] == _SLIDES_ENCRYPTED
    head = compound.read("Workbook", 4096) or compound.read("Book", 4096)
    place = 0
    for _ in range(_RECORDS_BEFORE_LOCK):
        if place + 4 > len(head):
            return False
        kind, size = struct.unpack_from("<HH", head, place)
        if kind == _FILE_PASS:
            return True
        place += 4 + size
    return False
