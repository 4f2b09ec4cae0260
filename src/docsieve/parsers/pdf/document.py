"""Reads a PDF from its first page to its attachments, and renders single pages."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2 as pdfium

from docsieve.domain.packets import PageRange
from docsieve.domain.pages.page import DocumentInfo, Page
from docsieve.errors import CorruptDocument, NotFound, TooManyPages
from docsieve.parsers.pdf.attachments import AttachmentPlaces, list_attachments, read_attachments
from docsieve.parsers.pdf.info import read_info
from docsieve.parsers.pdf.open import open_document
from docsieve.parsers.pdf.page import read_page
from docsieve.parsers.pdf.render import image_to_show
from docsieve.parsers.pdf.text.fonts import DocumentFonts
from docsieve.parsers.pdf.text.turn import turn_page
from docsieve.parsers.pdf.view import DisplayedPage
from docsieve.parsers.port import Attachment, Reading, ReadOptions

if TYPE_CHECKING:
    from PIL.Image import Image


def read(source: Path, options: ReadOptions) -> Reading:
    document = open_document(source, options.password)
    count = len(document)
    if count > options.max_pages:
        document.close()
        raise TooManyPages(f"The document has {count} pages; at most {options.max_pages} are allowed.")
    places: AttachmentPlaces = []
    info = read_info(document)
    list_attachments(document, places, info)
    pages = _pages(document, options, info, places, DocumentFonts(source, options.password))
    return Reading(count, pages, info, _attachments(source, options, places))


def _pages(
    document: pdfium.PdfDocument,
    options: ReadOptions,
    info: DocumentInfo,
    places: AttachmentPlaces,
    fonts: DocumentFonts,
) -> Iterator[Page]:
    try:
        for index in range(len(document)):
            page, files = read_page(document, index, options, fonts)
            if files:
                list_attachments(document, places, info, index, files)
            yield page
    finally:
        fonts.close()
        document.close()


def _attachments(source: Path, options: ReadOptions, places: AttachmentPlaces) -> Iterator[Attachment]:
    """Open the document again: it was closed after its pages, and few callers ask for attachments."""
    if not places:
        return
    document = open_document(source, options.password)
    try:
        yield from read_attachments(document, places)
    finally:
        document.close()


def render(source: Path, page: Page, width: int, options: ReadOptions) -> "Image":
    document = open_document(source, options.password)
    try:
        if not 1 <= page.number <= len(document):
            raise NotFound(f"The document has no page {page.number}.")
        shown = document[page.number - 1]
        turn_page(shown, page.turned)
        return image_to_show(shown, DisplayedPage.of(shown), width, options.max_pixels)
    except pdfium.PdfiumError as error:
        raise CorruptDocument("The page is damaged and cannot be shown.") from error
    finally:
        document.close()


def write_part(source: Path, pages: PageRange, target: Path, options: ReadOptions) -> None:
    document = open_document(source, options.password)
    part = pdfium.PdfDocument.new()
    try:
        part.import_pages(document, pages=list(range(pages.first - 1, pages.last)))
        part.save(target)
    except pdfium.PdfiumError as error:
        raise CorruptDocument("The pages are damaged and cannot be copied.") from error
    finally:
        part.close()
        document.close()
