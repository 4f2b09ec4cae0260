"""The types of archives, detected from their first bytes. Light: the API imports this."""

ZIP = "application/zip"
TAR = "application/x-tar"
SEVEN_ZIP = "application/x-7z-compressed"
GZIP = "application/gzip"
BZIP2 = "application/x-bzip2"
XZ = "application/x-xz"
ZSTD = "application/zstd"

COMPRESSED = frozenset({GZIP, BZIP2, XZ, ZSTD})
"""A compressed tar or a single compressed file; which of the two shows only when it is decompressed."""


_SIGNATURES = (
    (b"PK\x03\x04", ZIP),
    (b"PK\x05\x06", ZIP),  # without entries
    (b"PK\x07\x08PK\x03\x04", ZIP),  # the first part of a split one
    (b"PK00PK\x03\x04", ZIP),  # one that was meant to be split but fit into one part
    (b"7z\xbc\xaf\x27\x1c", SEVEN_ZIP),
    (b"\x1f\x8b\x08", GZIP),
    (b"\xfd7zXZ\x00", XZ),
    (b"\x28\xb5\x2f\xfd", ZSTD),
)
_BZIP2_MAGIC = b"BZh"
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")

# Numbers, Pages and Keynote files are ZIPs whose entries are of no use to anyone.
_OF_IWORK = (b".iwa", b"buildVersionHistory.plist", b"index.apxl", b"QuickLook/Thumbnail.jpg", b"thumbs/mt0-")

TAR_BLOCK = 512
_CHECKSUM = slice(148, 156)
_OCTAL = frozenset(b"01234567 \x00")


_ANY_SIGNATURE = tuple(signature for signature, _ in _SIGNATURES)
_ZSTD_MAGIC, _SKIPPABLE = b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"


def detect(head: bytes) -> str | None:
    """The type of an archive, or None. A ZIP may still be an office document, which its parser recognizes."""
    for signature, media_type in _SIGNATURES if head.startswith(_ANY_SIGNATURE) else ():
        if head.startswith(signature):
            return None if media_type == ZIP and any(name in head for name in _OF_IWORK) else media_type
    if head.startswith(_BZIP2_MAGIC) and head[4:10] in _BZIP2_BLOCKS:
        return BZIP2
    if head[1:4] == _SKIPPABLE and _behind_skippable(head).startswith(_ZSTD_MAGIC):
        return ZSTD
    return TAR if is_tar(head) else None


def _behind_skippable(head: bytes) -> bytes:
    """What follows frames with notes for programs, which `pzstd` writes first. LZ4 has the same."""
    while head[1:4] == _SKIPPABLE and head[0] >> 4 == 5:
        head = head[8 + int.from_bytes(head[4:8], "little") :]
    return head


def is_tar(head: bytes) -> bool:
    """Whether the first block is the header of a tar entry: by its checksum, which the oldest tars have too."""
    block = head[:TAR_BLOCK]
    if len(block) < TAR_BLOCK or not block[0] or not _OCTAL.issuperset(block[_CHECKSUM]):
        return False
    digits = block[_CHECKSUM].split(b"\x00")[0].strip()
    if not digits or b" " in digits:
        return False
    blanked = block[: _CHECKSUM.start] + b" " * 8 + block[_CHECKSUM.stop :]
    signed = sum(byte - 256 if byte > 127 else byte for byte in blanked)  # some old programs summed signed bytes
    return int(digits, 8) in (sum(blanked), signed)
