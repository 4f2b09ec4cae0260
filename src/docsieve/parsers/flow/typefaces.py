"""Glyphs for the text of any document, from several typefaces in turn, since none covers all of Unicode.

First those that come in a wheel (most alphabets, symbols), then what the machine happens to have for the rest, such as
Chinese, Japanese and Korean. A character that none of them has shows as the empty box of the first. Text that was
laid out in columns is set in a fixed-width typeface, which comes before the others.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from io import BytesIO

import pymupdf_fonts
from PIL import ImageDraw, ImageFont, features

from docsieve.parsers.flow.metrics import columns_of_character

FIXED_ADVANCE = 0.6
"""The width of every character of the fixed-width typeface, as a share of its size."""

_FIXED, _FIXED_BOLD = -2, -1
_FIXED_IN_THE_WHEEL = {_FIXED: "fimo", _FIXED_BOLD: "fimbo"}
_IN_THE_WHEEL = ("figo", "symbol2", "math")
_OF_THE_MACHINE = (
    "NotoSansCJK-Regular.ttc",
    "DroidSansFallbackFull.ttf",
    "DroidSansFallback.ttf",
    "wqy-microhei.ttc",
    "wqy-zenhei.ttc",
    "unifont.otf",
    "DejaVuSans.ttf",
)
_STEPS_A_PIXEL = 4
_FIRST_SHAPED = "\u0590"  # from Hebrew on, letters may join, turn and move
# Combining accents, and scripts from Hebrew to Mongolian, cannot be drawn one character after another.
_NOT_IN_COLUMNS = re.compile(
    "[\u0300-\u036f\u0590-\u1cff\u200c-\u200f\u20d0-\u20ff\ufb1d-\ufdff\ufe00-\ufe2f\ufe70-\ufeff]"
)
_PROBE_SIZE = 12.0
_NO_CHARACTER = "\U0010ffff"

Run = tuple[int, str]


def text_width(text: str, size: float) -> float:
    return sum(_font(face, size, part).getlength(part) for face, part in _runs(text))


def draw_text(draw: ImageDraw.ImageDraw, x: float, baseline: float, text: str, size: float, fill: str | int) -> None:
    for face, part in _runs(text):
        font = _font(face, size, part)
        draw.text((x, baseline), part, fill=fill, font=font, anchor="ls")
        x += font.getlength(part)


def fits_columns(text: str) -> bool:
    """Whether each character of the text can be drawn at its own column."""
    return _NOT_IN_COLUMNS.search(text) is None


def draw_in_columns(
    draw: ImageDraw.ImageDraw,
    place: tuple[float, float],
    text: str,
    column: float,
    size: float,
    fill: int,
    *,
    bold: bool = False,
) -> None:
    """Draw each character at its column, `column` wide: advances of a typeface are whole pixels and would drift."""
    x, baseline = place
    face = _FIXED_BOLD if bold else _FIXED
    for character in text:
        known = face if _is_known(face, character) else _face_of(character)
        if not character.isspace():
            draw.text((x, baseline), character, fill=fill, font=_font(known, size, character), anchor="ls")
        x += columns_of_character(character) * column


@lru_cache(maxsize=4096)
def _runs(text: str) -> tuple[Run, ...]:
    return tuple(_split(text))


def _split(text: str) -> Iterator[Run]:
    held, face = "", 0
    for character in text:
        # An accent is drawn with its letter, or it would be separate.
        wanted = face if held and unicodedata.combining(character) else _face_of(character)
        if held and wanted != face:
            yield face, held
            held = ""
        held, face = held + character, wanted
    if held:
        yield face, held


@lru_cache(maxsize=65536)
def _face_of(character: str) -> int:
    if character.isspace():
        return 0
    return next((face for face in range(len(_sources())) if _knows(face, character)), 0)


@lru_cache(maxsize=65536)
def _is_known(face: int, character: str) -> bool:
    return _knows(face, character)


def _knows(face: int, character: str) -> bool:
    """Pillow has no access to character maps, so a glyph is compared with the one for missing characters."""
    return bytes(_font(face, _PROBE_SIZE, character).getmask(character)) != _empty_box(face)


@cache
def _empty_box(face: int) -> bytes:
    return bytes(_font(face, _PROBE_SIZE, _NO_CHARACTER).getmask(_NO_CHARACTER))


def _font(face: int, size: float, text: str) -> ImageFont.FreeTypeFont:
    """Simple text is drawn letter by letter: shaping costs thirty times as much and changes only ligatures."""
    shaped = max(text) >= _FIRST_SHAPED
    return _font_of_steps(face, max(_STEPS_A_PIXEL, int(size * _STEPS_A_PIXEL)), shaped and features.check("raqm"))


@lru_cache(maxsize=256)
def _font_of_steps(face: int, steps: int, shaped: bool) -> ImageFont.FreeTypeFont:
    source = pymupdf_fonts.myfont(_FIXED_IN_THE_WHEEL[face]) if face in _FIXED_IN_THE_WHEEL else _sources()[face]
    layout = ImageFont.Layout.RAQM if shaped else ImageFont.Layout.BASIC
    file = BytesIO(source) if isinstance(source, bytes) else source
    return ImageFont.truetype(file, steps / _STEPS_A_PIXEL, layout_engine=layout)


@cache
def _sources() -> tuple[bytes | str, ...]:
    return (*(pymupdf_fonts.myfont(code) for code in _IN_THE_WHEEL), *filter(_is_here, _OF_THE_MACHINE))


def _is_here(name: str) -> bool:
    try:
        ImageFont.truetype(name, _PROBE_SIZE)
    except OSError:
        return False
    return True
