"""QR codes and barcodes on PDF pages with text: looked for where an image or a drawing may be one."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from statistics import median
from typing import TYPE_CHECKING

import pypdfium2 as pdfium

from docsieve.domain.pages.page import Box, Code
from docsieve.parsers.codes import read_codes
from docsieve.parsers.pdf.render import is_photo, pixels_of, render_region
from docsieve.parsers.pdf.rules import Drawings
from docsieve.parsers.pdf.view import DisplayedPage

if TYPE_CHECKING:
    from PIL.Image import Image

_MAX_PLACES = 12
_SMALLEST, _LARGEST = 15.0, 400.0
_MIN_BARS, _MIN_BAR_HEIGHT, _MAX_BAR_WIDTH = 16, 8.0, 4.0
_MIN_DOTS = 40
_FAR = 150.0
_SQUARE = 0.75
_MARGIN = 8.0  # decoders want paper around a code
# Modules are about a point wide. A page that is one image was scanned, with fewer pixels than that.
_SCALE, _PAGE_SCALE = 4.0, 150 / 72
_PIXELS = 200_000
_PAGE_SHARE = 0.5
_CONTRAST, _DARK, _BETWEEN = 80, (0.08, 0.8), 0.5


def codes_of(page: pdfium.PdfPage, shown: DisplayedPage, drawings: Drawings, *, max_pixels: int) -> list[Code]:
    """The codes of a page, each once."""
    found: list[Code] = []
    for box in list(_places(shown, drawings, max_pixels))[:_MAX_PLACES]:
        region = _within(box, shown)
        scale = _scale(region)
        with render_region(page, shown, region, scale) as image:
            if scale != _PAGE_SCALE and not _is_black_and_white(image):
                continue
            codes = read_codes(image, points_per_pixel=(1 / scale, 1 / scale), left=region[0], top=region[1])
        found += [code for code in codes if not any(_same(code, other) for other in found)]
    return sorted(found, key=lambda code: (code.box[1], code.box[0]))


def _scale(region: Box) -> float:
    wide, high = region[2] - region[0], region[3] - region[1]
    return min(_SCALE, sqrt(_PIXELS / (wide * high))) if max(wide, high) <= _LARGEST else _PAGE_SCALE


def _is_black_and_white(image: "Image") -> bool:
    """Whether about as much is dark as in a code, and little is in between."""
    shades = image.histogram()
    darkest, lightest = (next((at for at in places if shades[at]), 0) for places in (range(256), range(255, -1, -1)))
    third = (lightest - darkest) // 3
    dark, between = sum(shades[: darkest + third]), sum(shades[darkest + third : lightest - third])
    total = sum(shades)
    return lightest - darkest > _CONTRAST and _DARK[0] < dark / total < _DARK[1] and between / total < _BETWEEN


def _places(shown: DisplayedPage, drawings: Drawings, max_pixels: int) -> Iterator[Box]:
    for box, image in drawings.images:
        wide, high = box[2] - box[0], box[3] - box[1]
        is_page = wide * high > _PAGE_SHARE * shown.width * shown.height
        is_code_sized = min(wide, high) >= _SMALLEST and max(wide, high) <= _LARGEST and not is_photo(image)
        if (is_page or is_code_sized) and pixels_of(image) <= max_pixels:
            yield box
    for box in (*_squares(drawings.shapes), *_grids(drawings), *_bars(drawings.rules)):
        if _SMALLEST <= max(box[2] - box[0], box[3] - box[1]) <= _LARGEST:
            yield box


def _squares(shapes: Iterable[Box]) -> Iterator[Box]:
    """Shapes of many corners that are about square, or wide and low like a barcode drawn as one."""
    for box in shapes:
        wide, high = box[2] - box[0], box[3] - box[1]
        if min(wide, high) >= _SMALLEST and (min(wide, high) / max(wide, high) >= _SQUARE or wide > 2 * high):
            yield box


def _grids(drawings: Drawings) -> Iterator[Box]:
    """Around the dots near their middle, if they are many and lie in a square: the modules of a code, one by one."""
    dots = drawings.dots
    if len(dots) < _MIN_DOTS:
        return
    middle_x, middle_y = median(dot[0] for dot in dots), median(dot[1] for dot in dots)
    near = [dot for dot in dots if abs(dot[0] - middle_x) < _FAR and abs(dot[1] - middle_y) < _FAR]
    if len(near) >= _MIN_DOTS:
        x0, y0, x1, y1 = _around(near)
        if min(x1 - x0, y1 - y0) >= _SQUARE * max(x1 - x0, y1 - y0):
            yield x0, y0, x1, y1


def _bars(rules: Iterable[Box]) -> Iterator[Box]:
    """Around upright lines that begin and end at the same heights, if they are many."""
    rows: defaultdict[tuple[int, int], list[Box]] = defaultdict(list)
    for rule in rules:
        if rule[2] - rule[0] <= _MAX_BAR_WIDTH and rule[3] - rule[1] >= _MIN_BAR_HEIGHT:
            rows[round(rule[1]), round(rule[3])].append(rule)
    yield from (_around(row) for row in rows.values() if len(row) >= _MIN_BARS)


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _within(box: Box, shown: DisplayedPage) -> Box:
    x0, y0, x1, y1 = box
    return (
        max(x0 - _MARGIN, 0.0),
        max(y0 - _MARGIN, 0.0),
        min(x1 + _MARGIN, shown.width),
        min(y1 + _MARGIN, shown.height),
    )


def _same(code: Code, other: Code) -> bool:
    (x0, y0, x1, y1), (a0, b0, a1, b1) = code.box, other.box
    return code.text == other.text and x0 < a1 and a0 < x1 and y0 < b1 and b0 < y1
