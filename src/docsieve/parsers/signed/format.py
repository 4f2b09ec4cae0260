"""Signed documents in CMS (`.p7m`), of any type that has a parser."""

from docsieve.parsers.format import SPACE, Format
from docsieve.parsers.signed.cms import binary

_TYPE = "application/pkcs7-mime"
_SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")
_SIGNED_DATA_WITHIN = 32
# A sequence, in binary or in base64, or armor.
_BEGINNINGS = (b"\x30", b"M", b"-")


def _sniff(head: bytes) -> str | None:
    if not head[:256].lstrip().startswith(_BEGINNINGS):
        return None
    start = binary(head, whole=False)[:_SIGNED_DATA_WITHIN]
    return _TYPE if start[:1] == b"\x30" and _SIGNED_DATA in start else None


SIGNED = Format(
    name="signed",
    version="2",
    media_types=frozenset({_TYPE}),
    sniff=_sniff,
    reader="docsieve.parsers.signed.content",
    begins=SPACE + b"".join(_BEGINNINGS),
    uses_ocr=True,  # the signed document may be a scan
)
