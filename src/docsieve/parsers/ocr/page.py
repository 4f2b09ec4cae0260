"""Reads a page image: rotates and deskews it, runs OCR, and returns lines in points in reading order."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

from PIL import Image

from docsieve.domain.pages.page import Box, Code, Line, Origin, Table, Word
from docsieve.domain.text import clean
from docsieve.parsers.codes import read_codes
from docsieve.parsers.ocr.ink import is_blank
from docsieve.parsers.ocr.order import in_reading_order
from docsieve.parsers.ocr.port import OcrEngine, OcrLine, Orientation
from docsieve.parsers.ocr.registry import engine
from docsieve.parsers.port import ReadOptions

# More pixels do not show more text: A4 at 400 dpi has fewer.
_MAX_PIXELS = 18_000_000
_LEVEL_ENOUGH = 0.3
_STEEPEST_SKEW = 15.0

_TURNS = {90: Image.Transpose.ROTATE_270, 180: Image.Transpose.ROTATE_180, 270: Image.Transpose.ROTATE_90}

Place = Callable[[Box], Box]


@dataclass(slots=True)
class OcrPage:
    """The result of OCR in the terms of `Page`: size and boxes in points of the upright page.

    `turned` is by how many degrees clockwise (0, 90, 180, 270) the image was rotated to be upright.
    """

    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    turned: int = 0
    origin: Origin = "ocr"
    codes: list[Code] = field(default_factory=list)


def read_image(image: Image.Image, *, width_points: float, height_points: float, options: ReadOptions) -> OcrPage:
    """Read the text of an image in mode RGB or L; the size in points is the image's own, before it is turned.

    Raises OcrEngineUnknown, OcrLanguageMissing, OcrBackendUnset and OcrBackendUnusable. A blank image is not given to
    the engine and has no lines.
    """
    reader = engine(options.ocr_engine, options.ocr_backend)
    reader.check(options.ocr_languages)
    if is_blank(image):
        return OcrPage(width_points, height_points)
    options.before_ocr()
    image = _bounded(image)
    orientation = reader.detect_orientation(image, options.ocr_languages)
    upright = turned_clockwise(image, orientation.turn)
    width, height = (width_points, height_points) if orientation.turn in (0, 180) else (height_points, width_points)
    read, place = _read_upright(reader, upright, orientation, options.ocr_languages)
    scale = width / upright.width, height / upright.height
    lines = [_line(found, place, scale, (width, height)) for found in read]
    ordered, tables = in_reading_order([line for line in lines if line is not None], orientation.skew, height)
    codes = read_codes(upright, points_per_pixel=scale)
    return OcrPage(width, height, ordered, tables, orientation.turn, codes=codes)


def turned_clockwise(image: Image.Image, degrees: int) -> Image.Image:
    return image.transpose(_TURNS[degrees]) if degrees else image


def _bounded(image: Image.Image) -> Image.Image:
    pixels = image.width * image.height
    if pixels <= _MAX_PIXELS:
        return image
    scale = math.sqrt(_MAX_PIXELS / pixels)
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image.resize(size, Image.Resampling.BOX, reducing_gap=2.0)


def _read_upright(
    reader: OcrEngine, upright: Image.Image, orientation: Orientation, languages: tuple[str, ...]
) -> tuple[list[OcrLine], Place]:
    """Return the lines, and a function that maps their boxes to the upright image."""
    if reader.reads_slanted or not _LEVEL_ENOUGH < abs(orientation.skew) <= _STEEPEST_SKEW:
        return reader.read(upright, languages, None if orientation.turn else orientation), lambda box: box
    background = 255 if upright.mode == "L" else (255, 255, 255)
    level = upright.rotate(-orientation.skew, Image.Resampling.BICUBIC, expand=True, fillcolor=background)
    return reader.read(level, languages), lambda box: _slanted_back(box, orientation.skew, level.size, upright.size)


def _slanted_back(box: Box, skew: float, level: tuple[int, int], upright: tuple[int, int]) -> Box:
    """Return a box of the leveled image on the upright one: both rotate about their centers, and boxes stay level.

    Only the center moves with the page; the slanted corners of a long line would include the lines next to it.
    """
    angle = math.radians(-skew)
    x, y = (box[0] + box[2] - level[0]) / 2, (box[1] + box[3] - level[1]) / 2
    across = x * math.cos(angle) - y * math.sin(angle) + upright[0] / 2
    down = x * math.sin(angle) + y * math.cos(angle) + upright[1] / 2
    width, height = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    rise = abs(math.sin(angle)) * width
    return across - width, down - height - rise, across + width, down + height + rise


def _line(found: OcrLine, place: Place, scale: tuple[float, float], size: tuple[float, float]) -> Line | None:
    words = []
    for word in found.words:
        text, box = clean(word.text), _in_points(place(word.box), scale, size)
        if text and not text.isspace() and box[0] < box[2] and box[1] < box[3]:
            words.append(Word(text, box, round(min(max(word.confidence, 0.0), 1.0), 3)))
    if not words:
        return None
    x0, y0 = (min(word.box[edge] for word in words) for edge in (0, 1))
    x1, y1 = (max(word.box[edge] for word in words) for edge in (2, 3))
    return Line(" ".join(word.text for word in words), (x0, y0, x1, y1), words)


def _in_points(box: Box, scale: tuple[float, float], size: tuple[float, float]) -> Box:
    x0, x1 = (min(round(max(x * scale[0], 0.0), 2), size[0]) for x in (box[0], box[2]))
    y0, y1 = (min(round(max(y * scale[1], 0.0), 2), size[1]) for y in (box[1], box[3]))
    return x0, y0, x1, y1
