"""Images of PDF pages, for OCR and for display."""

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, c_float, c_uint, create_string_buffer
from typing import TYPE_CHECKING, Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages.page import Box
from docsieve.errors import TooManyPixels
from docsieve.parsers.pdf.view import DisplayedPage

if TYPE_CHECKING:
    from PIL.Image import Image

_OCR_SCALE = 250 / 72
_OCR_LONGEST_SIDE_AT_LEAST = 1_600
_OCR_PIXELS = 12_000_000
_MAX_WIDTH = 10_000
_SHOWN_PIXELS = 50_000_000
_MAX_OBJECTS = 20_000
_MAX_FORM_DEPTH = 4

# Ink differs from the paper by this much; fewer dark pixels than this are dust.
_CONTRAST = 48
_DUST = 60


def image_for_ocr(page: pdfium.PdfPage, shown: DisplayedPage, max_pixels: int) -> "Image | None":
    """Render the page for OCR, as large as memory allows; None if nothing is drawn on it."""
    is_empty = pdfium_c.FPDFPage_CountObjects(page) < 1 and pdfium_c.FPDFPage_GetAnnotCount(page) < 1
    if is_empty or min(shown.width, shown.height) < 1:
        return None
    _refuse_huge_images(page, max_pixels)
    scale = max(_OCR_SCALE, _OCR_LONGEST_SIDE_AT_LEAST / max(shown.width, shown.height))
    pixels = shown.width * shown.height * scale * scale
    limit = min(_OCR_PIXELS, max_pixels)
    if pixels > limit:
        scale *= (limit / pixels) ** 0.5
    image = _render(page, scale)
    return image if _has_ink(image) else None


def image_to_show(page: pdfium.PdfPage, shown: DisplayedPage, width: int, max_pixels: int) -> "Image":
    """Render the page `width` pixels wide, with annotations and form fields."""
    width = min(max(width, 1), _MAX_WIDTH)
    height = max(1, round(width * shown.height / max(shown.width, 1.0)))
    if width * height > min(max_pixels, _SHOWN_PIXELS):
        raise TooManyPixels(f"At that width, the page would be {width} by {height} pixels.")
    _refuse_huge_images(page, max_pixels)
    image = _render(page, width / max(shown.width, 1.0))
    # PDFium rounds both sides up.
    return image if image.size == (width, height) else image.resize((width, height))


def _render(page: pdfium.PdfPage, scale: float) -> "Image":
    bitmap = page.render(scale=scale, rev_byteorder=True, may_draw_forms=True, limit_image_cache=True)
    try:
        image: Image = bitmap.to_pil().convert("RGB").copy()
        return image
    finally:
        bitmap.close()


def _has_ink(image: "Image") -> bool:
    shades = image.convert("L").histogram()
    paper = max(range(256), key=shades.__getitem__)
    return sum(shades[: max(paper - _CONTRAST, 0)]) + sum(shades[paper + _CONTRAST :]) > _DUST


@contextmanager
def render_region(page: pdfium.PdfPage, shown: DisplayedPage, region: Box, scale: float) -> Iterator["Image"]:
    """A part of the page in shades of gray, without what is written over it."""
    x0, y0, x1, y1 = region
    crop = (x0, shown.height - y1, shown.width - x1, y0)
    bitmap = page.render(scale=scale, crop=crop, grayscale=True, may_draw_forms=False, limit_image_cache=True)
    try:
        yield bitmap.to_pil()
    finally:
        bitmap.close()


def covered_by_image(page: pdfium.PdfPage, shown: DisplayedPage) -> float:
    """Return the share of the page that its largest image covers; an image in a form counts as large as the form."""
    area = max(shown.width * shown.height, 1.0)
    left, bottom, right, top = c_float(), c_float(), c_float(), c_float()
    largest = 0.0
    for outer, _ in _images(page):
        if pdfium_c.FPDFPageObj_GetBounds(outer, byref(left), byref(bottom), byref(right), byref(top)):
            x0, y0, x1, y1 = shown.place(left.value, bottom.value, right.value, top.value)
            wide, high = min(x1, shown.width) - max(x0, 0.0), min(y1, shown.height) - max(y0, 0.0)
            largest = max(largest, max(wide, 0.0) * max(high, 0.0) / area)
    return largest


def pixels_of(image: Any) -> int:
    width, height = c_uint(), c_uint()
    found = pdfium_c.FPDFImageObj_GetImagePixelSize(image, byref(width), byref(height))
    return width.value * height.value if found else 0


def is_photo(image: Any) -> bool:
    """Whether it is compressed as photos are."""
    name = create_string_buffer(16)
    for place in range(pdfium_c.FPDFImageObj_GetImageFilterCount(image)):
        pdfium_c.FPDFImageObj_GetImageFilter(image, place, name, len(name))
        if name.value in (b"DCTDecode", b"DCT", b"JPXDecode"):
            return True
    return False


def _refuse_huge_images(page: pdfium.PdfPage, max_pixels: int) -> None:
    """Check image sizes first, because PDFium decodes an image completely even to draw it small."""
    for _, image in _images(page):
        pixels = pixels_of(image)
        if pixels > max_pixels:
            raise TooManyPixels(f"A page has an image of {pixels} pixels; the limit is {max_pixels}.")


def _images(page: pdfium.PdfPage) -> Iterator[tuple[Any, Any]]:
    """Yield the images of the page, each with the page object that contains it."""
    count = min(pdfium_c.FPDFPage_CountObjects(page), _MAX_OBJECTS)
    for index in range(count):
        item = pdfium_c.FPDFPage_GetObject(page, index)
        for image in _images_in(item, 0):
            yield item, image


def _images_in(item: Any, depth: int) -> Iterator[Any]:
    kind = pdfium_c.FPDFPageObj_GetType(item)
    if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
        yield item
    elif kind == pdfium_c.FPDF_PAGEOBJ_FORM and depth < _MAX_FORM_DEPTH:
        for index in range(min(pdfium_c.FPDFFormObj_CountObjects(item), _MAX_OBJECTS)):
            yield from _images_in(pdfium_c.FPDFFormObj_GetObject(item, index), depth + 1)
