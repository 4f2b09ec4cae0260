"""Glyphs for the text of any document: several typefaces behind one another, since none has all of Unicode.

First those that come in a wheel (most alphabets, symbols), then what the machine happens to have for the rest, such as
Chinese, Japanese and Korean. A character that none of them knows shows as the empty box of the first.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache, lru_cache
from io import BytesIO

import pymupdf_fonts
from PIL import ImageDraw, ImageFont, features

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


@lru_cache(maxsize=4096)
def _runs(text: str) -> tuple[Run, ...]:
    return tuple(_split(text))


def _split(text: str) -> Iterator[Run]:
    held, face = "", 0
    for character in text:
        # An accent is set with its letter, or it would stand apart.
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


def _knows(face: int, character: str) -> bool:
    """Pillow shows no character map, so a glyph is compared with the one for what no typeface has."""
    return bytes(_font(face, _PROBE_SIZE, character).getmask(character)) != _empty_box(face)


@cache
def _empty_box(face: int) -> bytes:
    return bytes(_font(face, _PROBE_SIZE, _NO_CHARACTER).getmask(_NO_CHARACTER))


def _font(face: int, size: float, text: str) -> ImageFont.FreeTypeFont:
    """Simple text is set letter by letter: shaping it costs thirty times as much and changes nothing but ligatures."""
    shaped = max(text) >= _FIRST_SHAPED
    return _font_of_steps(face, max(_STEPS_A_PIXEL, int(size * _STEPS_A_PIXEL)), shaped and features.check("raqm"))


@lru_cache(maxsize=256)
def _font_of_steps(face: int, steps: int, shaped: bool) -> ImageFont.FreeTypeFont:
    source = _sources()[face]
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
