"""Tests whether an OCR engine reads a page with known text on this machine. Run in a child, because it may crash."""

import time
from dataclasses import dataclass
from difflib import SequenceMatcher

from PIL import Image, ImageDraw

from docsieve.parsers.ocr.page import read_image
from docsieve.parsers.port import ReadOptions

TEXT = (
    "Invoice number 4711",
    "Delivery of seven garden lamps",
    "Payment is due within 30 days",
    "Net amount 1,080.25",
    "Total amount 1,285.50",
)

_SIZE, _MARGIN, _FONT_SIZE, _LINE_PITCH = (800, 480), 60, 36, 72
_POINTS_PER_PIXEL = 0.5
_TIMED = 2
# Characters that engines often confuse, such as comma and period, do not count.
_LIKE_ENOUGH = 0.95


@dataclass(frozen=True, slots=True)
class Outcome:
    """`seconds` is the time for the page once the models are loaded."""

    reads_right: bool
    seconds: float


def probe(options: ReadOptions) -> Outcome:
    page = _page()
    found = _read(page, options)
    seconds = []
    for _ in range(_TIMED):
        started = time.perf_counter()
        found = _read(page, options)
        seconds.append(time.perf_counter() - started)
    likeness = SequenceMatcher(None, "".join(TEXT).replace(" ", ""), found, autojunk=False).ratio()
    return Outcome(likeness >= _LIKE_ENOUGH, min(seconds))


def _page() -> Image.Image:
    page = Image.new("L", _SIZE, 255)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(TEXT):
        draw.text((_MARGIN, _MARGIN + number * _LINE_PITCH), line, fill=0, font_size=_FONT_SIZE)
    return page


def _read(page: Image.Image, options: ReadOptions) -> str:
    width, height = (length * _POINTS_PER_PIXEL for length in page.size)
    read = read_image(page, width_points=width, height_points=height, options=options)
    return "".join("".join(line.text.split()) for line in read.lines)
