"""PDFium's functions that are asked for every word, line or object of a page.

Called directly, they neither convert their arguments nor let go of the interpreter lock, which would take longer than
the calls themselves. Pointers must therefore be given as what `byref` or `c_void_p` makes; a bare number is an int.
"""

from collections.abc import Callable
from ctypes import PYFUNCTYPE, c_float, c_int, c_ulong, c_void_p, cast
from typing import Any

import pypdfium2.raw as pdfium_c


def _direct(function: Any, result: Any, *arguments: Any) -> Callable[..., Any]:
    return PYFUNCTYPE(result, *arguments)(cast(function, c_void_p).value or 0)


def direct_handle(handle: Any) -> Any:
    """The handle of a page or a document as these functions take it most quickly."""
    return c_void_p.from_param(cast(handle, c_void_p).value)


count_rectangles = _direct(pdfium_c.FPDFText_CountRects, c_int)
get_rectangle = _direct(pdfium_c.FPDFText_GetRect, c_int)
get_loose_box = _direct(pdfium_c.FPDFText_GetLooseCharBox, c_int)
get_font_info = _direct(pdfium_c.FPDFText_GetFontInfo, c_ulong)
has_no_meaning = _direct(pdfium_c.FPDFText_HasUnicodeMapError, c_int)
get_angle = _direct(pdfium_c.FPDFText_GetCharAngle, c_float)
# what these give is a bare number, for `c_void_p.from_param`
get_object = _direct(pdfium_c.FPDFPage_GetObject, c_void_p)
get_segment = _direct(pdfium_c.FPDFPath_GetPathSegment, c_void_p)
get_object_type = _direct(pdfium_c.FPDFPageObj_GetType, c_int)
get_bounds = _direct(pdfium_c.FPDFPageObj_GetBounds, c_int)
get_segment_type = _direct(pdfium_c.FPDFPathSegment_GetType, c_int)
get_segment_point = _direct(pdfium_c.FPDFPathSegment_GetPoint, c_int)
closes_path = _direct(pdfium_c.FPDFPathSegment_GetClose, c_int)
