"""PDFium functions that are called for every word, line or object of a page.

Called directly, they neither convert arguments nor release the interpreter lock, which would take longer than
the calls themselves. Pointers must therefore be given as what `byref` or `c_void_p` makes; a bare number is an int.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import PYFUNCTYPE, c_float, c_int, c_uint, c_ulong, c_void_p, cast
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c


def _direct(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    return PYFUNCTYPE(result, *arguments)(cast(function, c_void_p).value or 0)


def direct_handle(handle: Any) -> Any:
    """Return the handle of a page or document in the fastest form for these functions."""
    return c_void_p.from_param(cast(handle, c_void_p).value)


@contextmanager
def direct_text_page(page: pdfium.PdfPage) -> Iterator[Any]:
    """Open the page's text for these functions; it is closed before the page."""
    loaded = pdfium_c.FPDFText_LoadPage(page)
    if not loaded:
        raise pdfium.PdfiumError("Failed to load the page's text.")
    try:
        yield direct_handle(loaded)
    finally:
        pdfium_c.FPDFText_ClosePage(loaded)


count_characters = _direct(pdfium_c.FPDFText_CountChars, c_int)
get_text = _direct(pdfium_c.FPDFText_GetText, c_int)
get_text_index = _direct(pdfium_c.FPDFText_GetTextIndexFromCharIndex, c_int)
get_unicode = _direct(pdfium_c.FPDFText_GetUnicode, c_uint)
is_hyphen = _direct(pdfium_c.FPDFText_IsHyphen, c_int)
get_origin = _direct(pdfium_c.FPDFText_GetCharOrigin, c_int)
count_rectangles = _direct(pdfium_c.FPDFText_CountRects, c_int)
get_rectangle = _direct(pdfium_c.FPDFText_GetRect, None)
get_loose_box = _direct(pdfium_c.FPDFText_GetLooseCharBox, c_int)
get_font_info = _direct(pdfium_c.FPDFText_GetFontInfo, c_ulong)
has_no_meaning = _direct(pdfium_c.FPDFText_HasUnicodeMapError, c_int)
get_angle = _direct(pdfium_c.FPDFText_GetCharAngle, c_float)
# These return a bare number, for `c_void_p.from_param`.
get_object = _direct(pdfium_c.FPDFPage_GetObject, c_void_p)
get_segment = _direct(pdfium_c.FPDFPath_GetPathSegment, c_void_p)
get_object_type = _direct(pdfium_c.FPDFPageObj_GetType, c_int)
get_bounds = _direct(pdfium_c.FPDFPageObj_GetBounds, c_int)
get_segment_type = _direct(pdfium_c.FPDFPathSegment_GetType, c_int)
get_segment_point = _direct(pdfium_c.FPDFPathSegment_GetPoint, c_int)
