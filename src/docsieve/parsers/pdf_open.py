"""Opening a PDF; PDFium's failures become ours here."""

import os
from contextlib import suppress
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.errors import CorruptDocument, PasswordRequired, PasswordWrong
from docsieve.parsers.pdf_repair import repaired


def open_document(source: Path, password: str | None) -> pdfium.PdfDocument:
    """The document with its form ready; one that PDFium cannot open is tried again after a repair."""
    # PDFium never clears its last error, so only a null handle makes it an error of this document: a warm process would
    # else find the previous document's in one that opens but has no pages.
    handle = pdfium_c.FPDF_LoadDocument(os.fsencode(source), password.encode(errors="replace") if password else None)
    protected = not handle and pdfium_c.FPDF_GetLastError() == pdfium_c.FPDF_ERR_PASSWORD
    document = _with_pages(pdfium.PdfDocument(handle)) if handle else None
    # PDFium does not know every way to protect a document either.
    document = document or _open_repaired(source, password)
    if document is not None:
        return document
    if protected:
        raise PasswordWrong() if password else PasswordRequired()
    raise CorruptDocument("The document has no pages." if handle else None)


def _open_repaired(source: Path, password: str | None) -> pdfium.PdfDocument | None:
    content = repaired(source, password)
    if content is None:
        return None
    try:
        return _with_pages(pdfium.PdfDocument(content))
    except pdfium.PdfiumError:
        return None


def _with_pages(document: pdfium.PdfDocument) -> pdfium.PdfDocument | None:
    # Fields are drawn and read only if the form was made ready before any page was loaded.
    with suppress(pdfium.PdfiumError):
        document.init_forms()
    if len(document) > 0:
        return document
    document.close()
    return None
