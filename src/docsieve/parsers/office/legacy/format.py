"""OLE2 compound files (Office 97 to 2003, Outlook messages, encrypted OOXML) and the formats before them."""

from docsieve.parsers.format import Format
from docsieve.parsers.office.legacy.types import OLE_SIGNATURE, early_type

# The streams that show what a compound file holds may be anywhere in it, so its head shows no more than this.
_GENERIC = "application/x-ole-storage"


def _sniff(head: bytes) -> str | None:
    return _GENERIC if head.startswith(OLE_SIGNATURE) else early_type(head)


OLE = Format(
    name="ole",
    version="4",
    media_types=frozenset(
        {
            _GENERIC,
            "application/msword",
            "application/vnd.ms-excel",
            "application/vnd.ms-outlook",
            "application/vnd.ms-powerpoint",
        }
    ),
    sniff=_sniff,
    reader="docsieve.parsers.office.legacy.reader",
    begins=b"\t",
)
