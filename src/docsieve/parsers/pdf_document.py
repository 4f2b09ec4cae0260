"""Opening a PDF and yielding its pages; PDFium's failures become ours here."""

import os
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages import Page
from docsieve.errors import CorruptDocument, PasswordRequired, PasswordWrong, TooManyPages
from docsieve.parsers.pdf_words import DisplayedPage, read_lines
from docsieve.parsers.port import Reading, ReadOptions

# Their text stands in appearances of their own, which a text page does not look into until they are flattened.
_ANNOTATIONS_WITH_TEXT = frozenset({pdfium_c.FPDF_ANNOT_WIDGET, pdfium_c.FPDF_ANNOT_FREETEXT})


def read_pdf(source: Path, options: ReadOptions) -> Reading:
    document = _open(source, options.password)
    count = len(document)
    if count > options.max_pages:
        document.close()
        raise TooManyPages(f"The document has {count} pages; at most {options.max_pages} are read.")
    return Reading(page_count=count, pages=_pages(document, count))


def _open(source: Path, password: str | None) -> pdfium.PdfDocument:
    # PDFium never clears its last error, so only a null handle makes it an error of this document: a warm process would
    # else find the previous document's in one that opens but has no pages.
    handle = pdfium_c.FPDF_LoadDocument(os.fsencode(source), password.encode(errors="replace") if password else None)
    if not handle:
        if pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_PASSWORD:
            raise PasswordWrong() if password else PasswordRequired()
        raise CorruptDocument()
    document = pdfium.PdfDocument(handle)
    if len(document) < 1:
        document.close()
        raise CorruptDocument("The document has no pages.")
    return document


def _pages(document: pdfium.PdfDocument, count: int) -> Iterator[Page]:
    try:
        for index in range(count):
            yield _read_page(document, index)
    finally:
        document.close()


def _read_page(document: pdfium.PdfDocument, index: int) -> Page:
    width, height = 0.0, 0.0
    try:
        page = _flattened(document, index)
        try:
            shown = DisplayedPage.of(page)
            width, height = shown.width, shown.height
            text = page.get_textpage()
            return Page(index + 1, width, height, read_lines(text.raw, shown))
        finally:
            page.close()
    except pdfium.PdfiumError:
        return Page(index + 1, width, height, error="The page is damaged and cannot be read.")


def _flattened(document: pdfium.PdfDocument, index: int) -> pdfium.PdfPage:
    """The page with the values of filled-in forms and text notes made part of its content."""
    page = document[index]
    if not _has_annotation_text(page):
        return page
    pdfium_c.FPDFPage_Flatten(page, pdfium_c.FLAT_NORMALDISPLAY)
    page.close()
    return document[index]


def _has_annotation_text(page: pdfium.PdfPage) -> bool:
    for index in range(pdfium_c.FPDFPage_GetAnnotCount(page)):
        annotation = pdfium_c.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        subtype = pdfium_c.FPDFAnnot_GetSubtype(annotation)
        pdfium_c.FPDFPage_CloseAnnot(annotation)
        if subtype in _ANNOTATIONS_WITH_TEXT:
            return True
    return False
