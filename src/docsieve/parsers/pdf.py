"""PDF by its text layer."""

import re
from pathlib import Path

from docsieve.parsers.port import Reading, ReadOptions

# Readers accept junk before the header; a header that is not at the start must then stand alone on its line, or
# every text about PDF would be taken for one.
_HEADER = re.compile(rb"\A\s*%PDF-|%PDF-\d\.\d\s*[\r\n]")
_HEADER_WITHIN = 1024


class PdfParser:
    name = "pdf"
    version = "1"
    uses_ocr = False
    media_types = frozenset({"application/pdf"})

    def sniff(self, head: bytes) -> str | None:
        return "application/pdf" if _HEADER.search(head[:_HEADER_WITHIN]) else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        # PDFium is loaded only where documents are read.
        from docsieve.parsers.pdf_document import read_pdf

        return read_pdf(source, options)
