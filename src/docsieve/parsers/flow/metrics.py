"""The metrics for laying out flowing text: paper with rows and columns, and a fixed-width typeface.

Text is laid out on A4 with 60 lines of 100 columns. A slide keeps its own size, with fewer and larger lines if it has
little text. Boxes of such pages are plausible rather than real: they are exact for code that uses the same
numbers, as `drawing.py` does. A character takes one column, a wide one (Chinese, Japanese, Korean) two, a combining one
none.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache

MAX_WIDTH = 20_000.0

Size = tuple[float, float]
"""Width and height in points."""


@dataclass(frozen=True)
class Paper:
    width: float
    height: float
    margin: float
    rows: int
    columns: int

    @cached_property
    def character_width(self) -> float:
        return (self.width - 2 * self.margin) / self.columns

    @cached_property
    def max_columns(self) -> int:
        """The columns of the widest page that a table may use."""
        return int((MAX_WIDTH - 2 * self.margin) / self.character_width)

    @cached_property
    def xs(self) -> list[float]:
        return [round(self.margin + column * self.character_width, 2) for column in range(self.max_columns + 3)]

    @cached_property
    def ys(self) -> list[float]:
        line_height = (self.height - 2 * self.margin) / self.rows
        return [round(self.margin + row * line_height, 2) for row in range(self.rows + 1)]

    def width_for(self, columns: int) -> float:
        """Return the page width for its widest row, at least that of the paper."""
        if columns <= self.columns:
            return self.width
        return round(2 * self.margin + columns * self.character_width, 2)


A4 = Paper(595.0, 842.0, 36.0, rows=60, columns=100)

_MAYBE_NOT_ONE_COLUMN = re.compile("[\u0300-\U0010ffff]")


def is_narrow(text: str) -> bool:
    """Whether every character takes one column, so that `len` measures the text."""
    return text.isascii() or _MAYBE_NOT_ONE_COLUMN.search(text) is None


def columns_of(text: str) -> int:
    return len(text) if is_narrow(text) else sum(map(columns_of_character, text))


@lru_cache(maxsize=4096)
def columns_of_character(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


_ROWS_OF_SLIDES = (14, 18, 24, 30, 40, 60)
_USUAL_SLIDE: Size = (720.0, 540.0)
# The sizes that PowerPoint allows: 1 to 56 inches. A slide is also never far longer than wide.
_MIN_SIDE, _MAX_SIDE, _MAX_ASPECT = 72.0, 4032.0, 4.0
_MARGIN_OF_SLIDES = 1 / 15


@lru_cache(maxsize=64)
def papers_of_slide(size: Size) -> tuple[Paper, ...]:
    """Yield papers from few large lines to many small ones, in proportions of A4. Implausible sizes are ignored."""
    shorter, longer = sorted(size)
    is_believed = shorter >= _MIN_SIDE and longer <= min(_MAX_SIDE, shorter * _MAX_ASPECT)
    width, height = (round(size[0], 2), round(size[1], 2)) if is_believed else _USUAL_SLIDE
    margin = round(min(width, height) * _MARGIN_OF_SLIDES, 2)
    shape = A4.character_width / (A4.ys[1] - A4.ys[0])
    papers = []
    for rows in _ROWS_OF_SLIDES:
        line_height = (height - 2 * margin) / rows
        columns = max(1, round((width - 2 * margin) / (line_height * shape)))
        papers.append(Paper(width, height, margin, rows, columns))
    return tuple(papers)
