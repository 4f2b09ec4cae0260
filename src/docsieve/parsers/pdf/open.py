"""Opens PDFs and translates PDFium's errors."""

import os
import stringprep
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.errors import (
    CorruptDocument,
    DocsieveError,
    DocumentError,
    EmptyDocument,
    PasswordRequired,
    PasswordWrong,
)
from docsieve.parsers.pdf.repair import repaired

# Beyond these, missing pages are noticed only when they are read.
_MAX_PAGES_SOUGHT = 10_000


def open_document(source: Path, password: str | None) -> pdfium.PdfDocument:
    """The document with its form ready; one that PDFium cannot open, or misses pages of, is tried again after a repair.

    Raises CorruptDocument, EmptyDocument, PasswordRequired or PasswordWrong.
    """
    handle = _load(source, password)
    if not handle and password and (prepared := _prepared(password)) != password:
        handle = _load(source, prepared)
    # PDFium never clears its last error, so only a null handle makes it an error of this document: a warm process would
    # else find the previous document's in one that opens but has no pages.
    if not handle:
        # PDFium does not support all kinds of protection.
        why = _protection(pdfium_c.FPDF_GetLastError(), password) or CorruptDocument()
        return _mended(source, password, why)
    document = _with_form(pdfium.PdfDocument(handle))
    said, there = len(document), _pages_there(document)
    if there:
        whole = there == min(said, _MAX_PAGES_SOUGHT)
        return document if whole else _with_more_pages(source, password, document, there)
    document.close()
    unreadable = CorruptDocument("The document has no readable pages.")
    return _mended(source, password, unreadable, may_be_empty=said == 0)


def _mended(
    source: Path, password: str | None, why: DocumentError, *, may_be_empty: bool = False
) -> pdfium.PdfDocument:
    """Open the document after a repair; raises `why` if that does not help."""
    try:
        document = _open_repaired(source, password)
    except EmptyDocument:
        if may_be_empty:
            raise
        raise why from None
    if document is None or not _pages_there(document):
        raise why
    return document


def _load(source: Path, password: str | None) -> Any:
    return pdfium_c.FPDF_LoadDocument(os.fsencode(source), password.encode(errors="replace") if password else None)


def _prepared(password: str) -> str:
    """Return the password in the SASLprep form that newer documents use."""
    kept = (" " if stringprep.in_table_c12(sign) else sign for sign in password if not stringprep.in_table_b1(sign))
    return unicodedata.normalize("NFKC", "".join(kept))


def _with_more_pages(source: Path, password: str | None, known: pdfium.PdfDocument, there: int) -> pdfium.PdfDocument:
    """Return the repaired document if that has more pages, else the original."""
    try:
        better = _open_repaired(source, password)
    except DocsieveError:
        return known
    if better is None or _pages_there(better) <= there:
        return known
    known.close()
    return better


def _protection(error: int, password: str | None) -> DocumentError | None:
    if error == pdfium_c.FPDF_ERR_PASSWORD:
        return PasswordWrong() if password else PasswordRequired()
    if error == pdfium_c.FPDF_ERR_SECURITY:
        why = "The document is protected otherwise than by a password, such as for the holder of a certificate."
        return PasswordWrong(why) if password else PasswordRequired(why)
    return None


def _open_repaired(source: Path, password: str | None) -> pdfium.PdfDocument | None:
    content = repaired(source, password)
    if content is None:
        return None
    try:
        return _with_form(pdfium.PdfDocument(content))
    except pdfium.PdfiumError:
        return None


def _with_form(document: pdfium.PdfDocument) -> pdfium.PdfDocument:
    # Fields are drawn and read only if the form was initialized before any page was loaded.
    with suppress(pdfium.PdfiumError):
        document.init_forms()
    return document


def _pages_there(document: pdfium.PdfDocument) -> int:
    """Count the pages that are really there, without reading them."""
    size = pdfium_c.FS_SIZEF()
    sought = range(min(len(document), _MAX_PAGES_SOUGHT))
    return sum(bool(pdfium_c.FPDF_GetPageSizeByIndexF(document, index, size)) for index in sought)
