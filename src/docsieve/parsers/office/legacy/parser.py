"""OLE2 compound files: Office 97 to 2003, Outlook messages, OOXML that is encrypted; and what came before them."""

from pathlib import Path

from docsieve.parsers.office.embedded import OLE_SIGNATURE
from docsieve.parsers.office.legacy.early_files import early_type
from docsieve.parsers.port import Reading, ReadOptions

GENERIC = "application/x-ole-storage"


class OleParser:
    """What such a file holds is known by its streams, whose names stand anywhere in it."""

    name = "ole"
    version = "3"
    uses_ocr = False
    media_types = frozenset(
        {
            GENERIC,
            "application/msword",
            "application/vnd.ms-excel",
            "application/vnd.ms-outlook",
            "application/vnd.ms-powerpoint",
        }
    )

    def sniff(self, head: bytes) -> str | None:
        return GENERIC if head.startswith(OLE_SIGNATURE) else early_type(head)

    def read(self, source: Path, options: ReadOptions) -> Reading:
        from docsieve.parsers.office.legacy.document import is_compound, read_ole
        from docsieve.parsers.office.legacy.early_document import read_early

        return read_ole(source, options) if is_compound(source) else read_early(source, options)
