"""Signatures of containers, programs and media, which win over anything found inside the head.

An archive that does not compress its first entry, a database and a program can all have a `%PDF-` or readable words in
their first kilobyte. Formats that a parser detects from their first bytes are not listed: that parser comes first.
"""

import re

_SIGNATURES = (
    rb"%PDF-",  # its parser looks for this itself; no text begins this way
    rb"PK(?:\x03\x04|\x05\x06|\x07\x08)",  # ZIP: an entry, an empty one, part of a spanned one
    rb"\x1f[\x8b\x9d\xa0]",  # gzip and compress
    rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)",
    rb"\xfd7zXZ\x00",
    rb"7z\xbc\xaf\x27\x1c",
    rb"\x28\xb5\x2f\xfd",  # Zstandard
    rb"\x04\x22\x4d\x18",  # LZ4
    rb"Rar!\x1a\x07",
    rb"MSCF\x00{4}",
    rb".{257}ustar",
    rb"!<arch>\n",
    rb"07070[12][0-9A-Fa-f]{104}|070707[0-7]{70}",  # cpio
    rb"\x7fELF",
    # Two letters do not identify a program: its header also has a zero byte early on.
    rb"MZ.{0,14}\x00",
    rb"[\xce\xcf]\xfa\xed\xfe|\xfe\xed\xfa[\xce\xcf]|\xca\xfe\xba\xbe",  # Mach-O and Java
    rb"\x00asm",
    rb"SQLite format 3\x00",
    rb"RIFF.{4}(?:WAVE|AVI )",
    rb".{4}ftyp",
    rb"ID3[\x02-\x04]\x00",
    rb"OggS\x00",
)
_ANY = re.compile(b"|".join(_SIGNATURES), re.DOTALL)


def is_container(head: bytes) -> bool:
    return _ANY.match(head) is not None
