"""The straight lines of a PDF page that may rule a table, and the small shapes that may be parts of a code."""

from collections.abc import Iterator
from ctypes import byref, c_float, c_int, c_void_p, cast, sizeof
from dataclasses import dataclass
from itertools import pairwise, repeat
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages.page import Box
from docsieve.parsers.pdf.direct import (
    direct_handle,
    get_bounds,
    get_object,
    get_object_type,
    get_segment,
    get_segment_point,
    get_segment_type,
)
from docsieve.parsers.pdf.view import DisplayedPage, PdfBox

# Limits per page: a map or a drawing has more of everything, and no ruled table worth the time.
_MAX_OBJECTS = 20_000
_MAX_RULES = 4_000
_MAX_POINTS = 200
_MAX_FORM_DEPTH = 4

_PATH, _FORM, _IMAGE = pdfium_c.FPDF_PAGEOBJ_PATH, pdfium_c.FPDF_PAGEOBJ_FORM, pdfium_c.FPDF_PAGEOBJ_IMAGE
_MOVE_TO, _CURVE_TO = pdfium_c.FPDF_SEGMENT_MOVETO, pdfium_c.FPDF_SEGMENT_BEZIERTO
_THIN = 3.0
_MIN_LENGTH = 4.0
_DOT = 6.0

_Matrix = tuple[float, float, float, float, float, float]
_Corners = list[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Drawings:
    """`rules` are horizontal and vertical lines as thin boxes of the displayed page; none if there are too many.

    `dots` are shapes too small for a rule, and `shapes` are filled at once and have too many corners for one: the
    modules of a QR code one by one, and all of them. `images` come with PDFium's object.
    """

    rules: list[Box]
    dots: list[Box]
    shapes: list[Box]
    images: list[tuple[Box, Any]]


def read_drawings(page: pdfium.PdfPage, shown: DisplayedPage) -> Drawings:
    tracer = _Tracer(page)
    rules = _visible_rules(tracer, shown)
    dots, shapes = ([shown.place(*part) for part in parts] for parts in (tracer.dots, tracer.shapes))
    return Drawings(rules, dots, shapes, [(shown.place(*box), image) for box, image in tracer.images])


def _visible_rules(tracer: "_Tracer", shown: DisplayedPage) -> list[Box]:
    rules: list[Box] = []
    width, height = shown.width, shown.height
    for rule in tracer.rules():
        x0, y0, x1, y1 = box = shown.place(*rule)
        if x0 >= 0 and y0 >= 0 and x1 <= width and y1 <= height:
            rules.append(box)
        elif x1 >= 0 and y1 >= 0 and x0 <= width and y0 <= height:
            rules.append((max(x0, 0.0), max(y0, 0.0), min(x1, width), min(y1, height)))
        if len(rules) > _MAX_RULES:
            return []
    return rules


class _Tracer:
    """Walks a page's objects; buffers for PDFium are created once, because it is called thousands of times."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self._page = page.raw
        self._left_objects = _MAX_OBJECTS
        self._bounds = (c_float * 4)()
        self._out = tuple(byref(self._bounds, side * sizeof(c_float)) for side in range(4))
        self._fill, self._stroke = c_int(), c_int()
        self.dots: list[PdfBox] = []
        self.shapes: list[PdfBox] = []
        self.images: list[tuple[PdfBox, Any]] = []

    def rules(self) -> Iterator[PdfBox]:
        count = min(pdfium_c.FPDFPage_CountObjects(self._page), self._left_objects)
        # Most objects are text, and `map` is faster than a loop.
        items = list(map(get_object, repeat(direct_handle(self._page)), range(count)))
        for item, kind in zip(items, map(get_object_type, map(c_void_p.from_param, items)), strict=True):
            if kind == _PATH:
                yield from self._rules_of_path(item)
            elif kind == _FORM:
                yield from self._rules_of_form(cast(item, pdfium_c.FPDF_PAGEOBJECT), 1)
            elif kind == _IMAGE:
                self._add_image(cast(item, pdfium_c.FPDF_PAGEOBJECT), None)
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
                dots, shapes = len(self.dots), len(self.shapes)
                yield from [_transformed(rule, matrix) for rule in self._rules_of_path(cast(item, c_void_p).value or 0)]
                self.dots[dots:] = [_transformed(dot, matrix) for dot in self.dots[dots:]]
                self.shapes[shapes:] = [_transformed(shape, matrix) for shape in self.shapes[shapes:]]
            elif kind == _IMAGE:
                self._add_image(item, matrix)
            elif kind == _FORM and depth < _MAX_FORM_DEPTH:
                for rule in self._rules_of_form(item, depth + 1):
                    yield _transformed(rule, matrix)

    def _add_image(self, image: Any, matrix: _Matrix | None) -> None:
        """`matrix` is that of the form which contains the image; those of further forms are left out."""
        if get_bounds(c_void_p.from_param(cast(image, c_void_p).value), *self._out):
            left, bottom, right, top = self._bounds[:]
            box = (left, bottom, right, top)
            self.images.append((box if matrix is None else _transformed(box, matrix), image))

    def _rules_of_path(self, item: int) -> list[PdfBox]:
        if not get_bounds(c_void_p.from_param(item), *self._out):
            return []
        left, bottom, right, top = self._bounds[:]
        width, height = right - left, top - bottom
        if width <= _THIN or height <= _THIN:
            if width >= _MIN_LENGTH or height >= _MIN_LENGTH:
                return [(left, bottom, right, top)]
            self.dots.append((left, bottom, right, top))
            return []
        if width <= _DOT and height <= _DOT:
            self.dots.append((left, bottom, right, top))
            return []
        path = cast(item, pdfium_c.FPDF_PAGEOBJECT)
        if not pdfium_c.FPDFPath_GetDrawMode(path, byref(self._fill), byref(self._stroke)):
            return []
        is_stroked, points = self._stroke.value, pdfium_c.FPDFPath_CountSegments(path)
        # A filled shape of few points is a background. One of many may be rules drawn as thin rectangles.
        if points > _MAX_POINTS and not is_stroked:
            self.shapes.append((left, bottom, right, top))
        if points > _MAX_POINTS or not (is_stroked or points > 5):
            return []
        matrix = _matrix_of(path)
        if matrix is None:
            return []
        sides_of = _sides_of_line if is_stroked else _thin_shape
        sides = [_transformed(side, matrix) for corners in _subpaths(item, points) for side in sides_of(corners)]
        return [side for side in sides if _is_rule(side)]


def _sides_of_line(corners: _Corners) -> list[PdfBox]:
    return [(min(a, c), min(b, d), max(a, c), max(b, d)) for (a, b), (c, d) in pairwise(corners)]


def _thin_shape(corners: _Corners) -> list[PdfBox]:
    if not corners:
        return []
    xs, ys = zip(*corners, strict=True)
    left, bottom, right, top = min(xs), min(ys), max(xs), max(ys)
    return [(left, bottom, right, top)] if right - left <= _THIN or top - bottom <= _THIN else []


def _is_rule(side: PdfBox) -> bool:
    left, bottom, right, top = side
    width, height = right - left, top - bottom
    return (width <= _THIN or height <= _THIN) and (width >= _MIN_LENGTH or height >= _MIN_LENGTH)


def _subpaths(path: int, points: int) -> Iterator[_Corners]:
    """Yield the corners of each subpath; those with curves are left out."""
    handle, (x, y) = c_void_p.from_param(path), (c_float(), c_float())
    x_place, y_place = byref(x), byref(y)
    segments = list(map(c_void_p.from_param, map(get_segment, repeat(handle), range(points))))
    kinds = list(map(get_segment_type, segments))
    firsts = [place for place, kind in enumerate(kinds) if kind == _MOVE_TO or place == 0]
    for first, end in pairwise([*firsts, points]):
        if end - first > 1 and _CURVE_TO not in kinds[first:end]:
            part = segments[first:end]
            # A closed subpath ends where it began: PDFium draws the line that the file omits.
            yield [(x.value, y.value) for segment in part if get_segment_point(segment, x_place, y_place)]


def _matrix_of(item: Any) -> _Matrix | None:
    matrix = pdfium_c.FS_MATRIX()
    if not pdfium_c.FPDFPageObj_GetMatrix(item, matrix):
        return None
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _transformed(box: PdfBox, matrix: _Matrix) -> PdfBox:
    a, b, c, d, e, f = matrix
    x0, y0, x1, y1 = box
    # Most neither rotate nor mirror, so the sides stay in order.
    if b == c == 0 and a >= 0 and d >= 0:
        return a * x0 + e, d * y0 + f, a * x1 + e, d * y1 + f
    xs = a * x0 + c * y0 + e, a * x1 + c * y1 + e, a * x0 + c * y1 + e, a * x1 + c * y0 + e
    ys = b * x0 + d * y0 + f, b * x1 + d * y1 + f, b * x0 + d * y1 + f, b * x1 + d * y0 + f
    return min(xs), min(ys), max(xs), max(ys)
