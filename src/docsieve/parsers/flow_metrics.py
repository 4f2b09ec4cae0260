"""The typewriter that gives places to flowing text: A4, a fixed-width face, 60 lines of 100 columns a page.

Boxes of such pages are plausible rather than real: they are exact for anyone who sets the text by these same numbers.
A character takes one column, a wide one (Chinese, Japanese, Korean) two, a combining one none.
"""

import re
import unicodedata
from functools import lru_cache

WIDTH, HEIGHT = 595.0, 842.0
LINES_A_PAGE = 60
CHARACTERS_A_LINE = 100

MARGIN = 36.0
CHARACTER_WIDTH = (WIDTH - 2 * MARGIN) / CHARACTERS_A_LINE
LINE_HEIGHT = (HEIGHT - 2 * MARGIN) / LINES_A_PAGE

MAX_WIDTH = 20_000.0
MAX_CHARACTERS_A_LINE = int((MAX_WIDTH - 2 * MARGIN) / CHARACTER_WIDTH)

_MAYBE_NOT_ONE_COLUMN = re.compile("[\u0300-\U0010ffff]")


@lru_cache(maxsize=8192)
def x_of(column: int) -> float:
    return round(MARGIN + column * CHARACTER_WIDTH, 2)


@lru_cache(maxsize=128)
def y_of(row: int) -> float:
    return round(MARGIN + row * LINE_HEIGHT, 2)


def page_width(columns: int) -> float:
    """How wide a page must be for its widest row; never narrower than A4."""
    if columns <= CHARACTERS_A_LINE:
        return WIDTH
    return round(2 * MARGIN + columns * CHARACTER_WIDTH, 2)


def is_narrow(text: str) -> bool:
    """Whether every character surely takes one column, so that `len` measures the text."""
    return text.isascii() or _MAYBE_NOT_ONE_COLUMN.search(text) is None


def columns_of(text: str) -> int:
    return len(text) if is_narrow(text) else sum(map(columns_of_character, text))


@lru_cache(maxsize=4096)
def columns_of_character(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
