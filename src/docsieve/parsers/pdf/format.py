"""PDF, read from its text layer, and by OCR where that layer does not match what the page shows."""

import re

from docsieve.parsers.format import RenderedFormat
from docsieve.parsers.signatures import is_container

# A damaged header is recognized by the object right after it.
_HEADER = re.compile(rb"\A\s*%PDF-|\A%[^\r\n]{0,60}[\r\n]+(?:%[^\r\n]{0,60}[\r\n]+)?\d+ \d+ obj\b")
# A header after junk must be alone on its line; otherwise every text about PDF would be taken for one.
_HEADER_AFTER_JUNK = re.compile(rb"%PDF-\d\.\d\s*[\r\n]")
_HEADER_WITHIN = 1024


def _sniff(head: bytes) -> str | None:
    return "application/pdf" if _HEADER.match(head) or _is_after_junk(head) else None


def _is_after_junk(head: bytes) -> bool:
    """Readers accept junk before the header, but an archive whose first entry is a PDF is still an archive."""
    return _HEADER_AFTER_JUNK.search(head, 0, _HEADER_WITHIN) is not None and not is_container(head)


PDF = RenderedFormat(
    name="pdf",
    version="6",
    media_types=frozenset({"application/pdf"}),
    sniff=_sniff,
    reader="docsieve.parsers.pdf.document",
    uses_ocr=True,
)
