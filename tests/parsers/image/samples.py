"""Images of text, drawn where they are needed."""

from collections.abc import Sequence
from pathlib import Path

import reportlab
from PIL import Image, ImageDraw, ImageFont

LETTER = (
    "Dear customer, please find below",
    "the invoice 4711 of 3 March 2024.",
    "Consulting, four hours  480.00 EUR",
    "Travel to Hamburg  120.50 EUR",
    "The total is 600.50 EUR, payable",
    "within fourteen days. Thank you!",
)
_FACE = ImageFont.truetype(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf", 28)
_MARGIN = 60
_LEADING = 60


def text_image(lines: Sequence[str] = LETTER, *, mode: str = "L", size: tuple[int, int] = (700, 520)) -> Image.Image:
    """Black text on white, the first line's upper left corner at (60, 60)."""
    image = Image.new("L", size, 255)
    draw = ImageDraw.Draw(image)
    for place, line in enumerate(lines):
        draw.text((_MARGIN, _MARGIN + place * _LEADING), line, fill=0, font=_FACE)
    return image.convert(mode)


def text_extent(text: str) -> tuple[float, float]:
    """Where the ink of a text drawn by `text_image` begins and ends, from left to right."""
    left, _, right, _ = _FACE.getbbox(text)
    return _MARGIN + left, _MARGIN + right


def slanted(image: Image.Image, clockwise: float) -> Image.Image:
    return image.rotate(-clockwise, Image.Resampling.BICUBIC, expand=True, fillcolor=255)
