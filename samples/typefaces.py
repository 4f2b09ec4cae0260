"""Typefaces for the samples, from a package that the service needs anyway."""

import io

import pymupdf_fonts
from PIL import ImageFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

SANS, SANS_BOLD, SANS_ITALIC = "figo", "figbo", "figit"
MONO, MONO_BOLD = "ubuntm", "ubuntmbo"


def register() -> None:
    """Make the sans serif known to reportlab under the names above."""
    for name in (SANS, SANS_BOLD, SANS_ITALIC):
        pdfmetrics.registerFont(TTFont(name, io.BytesIO(pymupdf_fonts.myfont(name))))


def pixels(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(io.BytesIO(pymupdf_fonts.myfont(name)), size)
