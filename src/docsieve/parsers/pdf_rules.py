"""The straight lines drawn on a PDF page: what rules a table, and nothing else of its graphics."""

from collections.abc import Iterator
from ctypes import byref, c_float, c_int, c_void_p, cast, sizeof
from itertools import pairwise
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages import Box
from docsieve.parsers.pdf_direct import (
    closes_path,
    direct_handle,
    get_bounds,
    get_object,
    get_object_type,
    get_segment,
    get_segment_point,
    get_segment_type,
)
from docsieve.parsers.pdf_view import DisplayedPage, PdfBox

# Bounds on the work for a page: a map or a drawing has more of everything, and holds no ruled table worth its price.
_MOST_OBJECTS = 20_000
_MOST_RULES = 4_000
_MOST_POINTS = 200
_DEEPEST_FORM = 4

_PATH, _FORM = pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_FORM
_THIN = 3.0
_LEAST_LENGTH = 4.0

_Matrix = tuple[float, float, float, float, float, float]


def read_rules(page: pdfium.PdfPage, shown: DisplayedPage) -> list[Box]:
    """Horizontal and vertical lines as thin boxes of the displayed page; none where there are more than a table has."""
    rules: list[Box] = []
    for left, bottom, right, top in _Tracer(page).rules():
        x0, y0, x1, y1 = shown.place(left, bottom, right, top)
        if x1 >= 0 and y1 >= 0 and x0 <= shown.width and y0 <= shown.height:
            rules.append((max(x0, 0.0), max(y0, 0.0), min(x1, shown.width), min(y1, shown.height)))
            if len(rules) > _MOST_RULES:
                return []
    return rules


class _Tracer:
    """Walks a page's objects; what PDFium writes its answers into is made once: it is asked thousands of times."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self._page = page.raw
        self._left_objects = _MOST_OBJECTS
        self._bounds = (c_float * 4)()
        self._out = tuple(byref(self._bounds, side * sizeof(c_float)) for side in range(4))
        self._fill, self._stroke = c_int(), c_int()

    def rules(self) -> Iterator[PdfBox]:
        count = pdfium_c.FPDFPage_CountObjects(self._page)
        page = direct_handle(self._page)
        for index in range(min(count, self._left_objects)):
            item = get_object(page, index)
            kind = get_object_type(c_void_p.from_param(item))
            if kind == _PATH:
                yield from self._rules_of_path(cast(item, pdfium_c.FPDF_PAGEOBJECT))
            elif kind == _FORM:
                yield from self._rules_of_form(cast(item, pdfium_c.FPDF_PAGEOBJECT), 1)
        self._left_objects = 0

    def _rules_of_form(self, form: Any, depth: int) -> Iterator[PdfBox]:
        count = pdfium_c.FPDFFormObj_CountObjects(form)
        matrix = _matrix_of(form)
        for index in range(max(count, 0)):
            self._left_objects -= 1
            if self._left_objects <= 0 or matrix is None:
                return
            item = pdfium_c.FPDFFormObj_GetObject(form, index)
            kind = pdfium_c.FPDFPageObj_GetType(item)
            if kind == _PATH:
                inner = self._rules_of_path(item)
            elif kind == _FORM and depth < _DEEPEST_FORM:
                inner = self._rules_of_form(item, depth + 1)
            else:
                continue
            for rule in inner:
                yield _transformed(rule, matrix)

    def _rules_of_path(self, path: Any) -> Iterator[PdfBox]:
        if not get_bounds(direct_handle(path), *self._out):
            return
        left, bottom, right, top = self._bounds
        width, height = right - left, top - bottom
        if width <= _THIN or height <= _THIN:
            if max(width, height) >= _LEAST_LENGTH:
                yield left, bottom, right, top
            return
        if not pdfium_c.FPDFPath_GetDrawMode(path, byref(self._fill), byref(self._stroke)):
            return
        points = pdfium_c.FPDFPath_CountSegments(path)
        # A filled shape of few points is a background. One of many may be rules drawn as thin rectangles at once.
        if points <= _MOST_POINTS and (self._stroke.value or points > 5):
            yield from self._strokes(path, points, filled_only=not self._stroke.value)

    def _strokes(self, path: Any, points: int, *, filled_only: bool) -> Iterator[PdfBox]:
        matrix = _matrix_of(path)
        if matrix is None:
            return
        for corners in _subpaths(path, points):
            xs, ys = [x for x, _ in corners], [y for _, y in corners]
            around = min(xs), min(ys), max(xs), max(ys)
            if filled_only:
                straight = [around] if min(around[2] - around[0], around[3] - around[1]) <= _THIN else []
            else:
                straight = [(min(a, c), min(b, d), max(a, c), max(b, d)) for (a, b), (c, d) in pairwise(corners)]
            for side in straight:
                rule = _transformed(side, matrix)
                width, height = rule[2] - rule[0], rule[3] - rule[1]
                if min(width, height) <= _THIN and max(width, height) >= _LEAST_LENGTH:
                    yield rule


def _subpaths(path: Any, points: int) -> Iterator[list[tuple[float, float]]]:
    """The corners of each part of a path that is drawn without lifting the pen; parts with curves are left out."""
    handle, (x, y) = direct_handle(path), (c_float(), c_float())
    x_place, y_place = byref(x), byref(y)
    corners: list[tuple[float, float]] = []
    curved = False
    for index in range(points):
        segment = c_void_p.from_param(get_segment(handle, index))
        kind = get_segment_type(segment)
        if kind == pdfium_c.FPDF_SEGMENT_MOVETO:
            if len(corners) > 1 and not curved:
                yield corners
            corners, curved = [], False
        curved = curved or kind == pdfium_c.FPDF_SEGMENT_BEZIERTO
        if get_segment_point(segment, x_place, y_place):
            corners.append((x.value, y.value))
        if corners and closes_path(segment):
            corners.append(corners[0])
    if len(corners) > 1 and not curved:
        yield corners


def _matrix_of(item: Any) -> _Matrix | None:
    matrix = pdfium_c.FS_MATRIX()
    if not pdfium_c.FPDFPageObj_GetMatrix(item, matrix):
        return None
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _transformed(box: PdfBox, matrix: _Matrix) -> PdfBox:
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = box
    xs = a * x0 + c * y0 + e, a * x1 + c * y1 + e, a * x0 + c * y1 + e, a * x1 + c * y0 + e
    ys = b * x0 + d * y0 + f, b * x1 + d * y1 + f, b * x0 + d * y1 + f, b * x1 + d * y0 + f
    return min(xs), min(ys), max(xs), max(ys)
