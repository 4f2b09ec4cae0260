"""Reads one page of a PDF: from its text layer if that matches what the page shows, else by OCR."""

from functools import partial
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages.page import Page
from docsieve.errors import TooManyPixels
from docsieve.parsers.ocr.page import read_image
from docsieve.parsers.pdf.annotations import read_annotations
from docsieve.parsers.pdf.codes import codes_of
from docsieve.parsers.pdf.direct import direct_text_page
from docsieve.parsers.pdf.render import covered_by_image, image_for_ocr
from docsieve.parsers.pdf.rules import Drawings, read_drawings
from docsieve.parsers.pdf.text.fonts import DocumentFonts
from docsieve.parsers.pdf.text.order import put_in_order
from docsieve.parsers.pdf.text.paragraphs import mark_paragraphs
from docsieve.parsers.pdf.text.plausible import agrees, is_plausible, is_usable
from docsieve.parsers.pdf.text.turn import turn_of_text, turn_page
from docsieve.parsers.pdf.text.words import page_characters, read_lines
from docsieve.parsers.pdf.view import DisplayedPage, turned_box
from docsieve.parsers.port import ReadOptions

# Less text than this on an image that covers the page is a stamp on a scan.
_FEW_CHARACTERS = 100
_COVERS_PAGE = 0.5
_MUCH_MORE = 2


def read_page(
    document: pdfium.PdfDocument, index: int, options: ReadOptions, fonts: DocumentFonts
) -> tuple[Page, list[int]]:
    """Read the page of that index, and return which of its annotations have a file.

    A page that cannot be read has an error, so that the others can be read.
    """
    result = Page(index + 1, 0.0, 0.0)
    files: list[int] = []
    try:
        page = document[index]
        try:
            shown = DisplayedPage.of(page)
            result.width, result.height = shown.width, shown.height
            if pdfium_c.FPDFPage_GetAnnotCount(page) > 0:
                found = read_annotations(document, page, shown)
                result.notes, result.form_fields, files = found.notes, found.form_fields, found.files
                if found.show_text:
                    page = _flattened(document, page, index)
            _read_content(page, result, shown, options, fonts)
        finally:
            page.close()
    except pdfium.PdfiumError:
        result.error = "The page is damaged and cannot be read."
    except TooManyPixels as error:
        result.error = error.detail
    return result, files


def _flattened(document: pdfium.PdfDocument, page: pdfium.PdfPage, index: int) -> pdfium.PdfPage:
    """Flatten form fields and text notes into the content of the page.

    Their text is in separate appearance streams, which a text page does not include.
    """
    pdfium_c.FPDFPage_Flatten(page, pdfium_c.FLAT_NORMALDISPLAY)
    page.close()
    return document[index]


def _read_content(
    page: pdfium.PdfPage, result: Page, shown: DisplayedPage, options: ReadOptions, fonts: DocumentFonts
) -> None:
    with direct_text_page(page) as text_page:
        characters = page_characters(text_page)
        usable = is_usable(text_page, characters, partial(fonts.vouch_for, result.number - 1, text_page))
        is_stamp = len(characters) < _FEW_CHARACTERS and covered_by_image(page, shown) > _COVERS_PAGE
        if (usable and not is_stamp) or not _read_by_ocr(page, result, shown, options, characters, is_usable=usable):
            drawings = _read_text_layer(page, text_page, characters, result, shown)
            result.codes = codes_of(page, DisplayedPage.of(page), drawings, max_pixels=options.max_pixels)


def _read_text_layer(
    page: pdfium.PdfPage, text_page: Any, characters: str, result: Page, shown: DisplayedPage
) -> Drawings:
    turns = turn_of_text(text_page, characters, shown.turns)
    if turns:
        turn_page(page, turns * 90)
        with direct_text_page(page) as turned:
            result.turned = turns * 90
            return _take_lines(page, turned, page_characters(turned), result, _turn(result, shown, page))
    return _take_lines(page, text_page, characters, result, shown)


def _take_lines(page: pdfium.PdfPage, text_page: Any, characters: str, result: Page, shown: DisplayedPage) -> Drawings:
    layer = read_lines(text_page, shown, characters)
    drawings = read_drawings(page, shown)
    if layer.lines:
        layer, result.tables = put_in_order(layer, shown, drawings.rules)
        mark_paragraphs(layer, text_page, shown, result.tables)
    result.lines = layer.lines
    return drawings


def _turn(result: Page, shown: DisplayedPage, page: pdfium.PdfPage) -> DisplayedPage:
    """Return the view of the page after it was rotated; everything already read is rotated too."""
    quarters = result.turned // 90
    for note in result.notes:
        note.box = turned_box(note.box, quarters, shown.width, shown.height)
    for field in result.form_fields:
        field.box = turned_box(field.box, quarters, shown.width, shown.height)
    now = DisplayedPage.of(page)
    result.width, result.height = now.width, now.height
    return now


def _read_by_ocr(
    page: pdfium.PdfPage, result: Page, shown: DisplayedPage, options: ReadOptions, layer: str, *, is_usable: bool
) -> bool:
    """Read the page by OCR, and return whether that found text that the text layer lacks."""
    try:
        image = image_for_ocr(page, shown, options.max_pixels)
    except TooManyPixels:
        if is_usable:
            return False
        raise
    if image is None:
        return False
    seen = read_image(image, width_points=shown.width, height_points=shown.height, options=options)
    text = "".join(line.text for line in seen.lines)
    if not is_plausible(text) or _says_as_much(layer, text, is_usable=is_usable):
        return False
    result.lines, result.tables, result.origin, result.turned = seen.lines, seen.tables, "ocr", seen.turned
    result.codes = seen.codes
    if seen.turned:
        turn_page(page, seen.turned)
        _turn(result, shown, page)
    result.width, result.height = seen.width, seen.height
    return True


def _says_as_much(layer: str, seen: str, *, is_usable: bool) -> bool:
    """Whether to keep the text layer after OCR: its boxes and characters are exact."""
    return len(seen) < _MUCH_MORE * len(layer.strip()) if is_usable else agrees(layer, seen)
