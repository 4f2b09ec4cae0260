"""PDF by its text layer, and by OCR where that does not say what the page shows."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from docsieve.domain.pages import Page
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.signatures import is_container

if TYPE_CHECKING:
    from PIL.Image import Image

# A header that is damaged is known by the object right after it.
_HEADER = re.compile(rb"\A\s*%PDF-|\A%[^\r\n]{0,60}[\r\n]+(?:%[^\r\n]{0,60}[\r\n]+)?\d+ \d+ obj\b")
# A header that is not at the beginning must be alone on its line, or every text about PDF would be taken for one.
_HEADER_AFTER_JUNK = re.compile(rb"%PDF-\d\.\d\s*[\r\n]")
_HEADER_WITHIN = 1024


class PdfParser:
    name = "pdf"
    version = "4"
    uses_ocr = True
    media_types = frozenset({"application/pdf"})

    def sniff(self, head: bytes) -> str | None:
        return "application/pdf" if _HEADER.match(head) or _is_after_junk(head) else None

    # PDFium is loaded only where documents are read.

    def read(self, source: Path, options: ReadOptions) -> Reading:
        from docsieve.parsers.pdf.document import read_pdf

        return read_pdf(source, options)

    def render(self, source: Path, page: Page, width: int, options: ReadOptions) -> "Image":
        from docsieve.parsers.pdf.document import render_pdf_page

        return render_pdf_page(source, page, width, options)


def _is_after_junk(head: bytes) -> bool:
    """Readers accept junk before the header, but an archive whose first entry is a PDF is still an archive."""
    return _HEADER_AFTER_JUNK.search(head, 0, _HEADER_WITHIN) is not None and not is_container(head)
