"""What a parser produces: pages of lines of words, each with its box.

One shape serves the parsers, the store and the API. A box is `[x0, y0, x1, y1]` in points of the page, the origin at
the upper left, whose width and height stand on the page.
"""

from dataclasses import dataclass, field

Box = tuple[float, float, float, float]


@dataclass(slots=True)
class Word:
    text: str
    box: Box
    confidence: float | None = None


@dataclass(slots=True)
class Line:
    text: str
    box: Box
    words: list[Word] = field(default_factory=list)


@dataclass(slots=True)
class Page:
    number: int
    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    error: str | None = None

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the work stands; `page` and `pages` are null while a stage has no pages."""

    stage: str
    page: int | None = None
    pages: int | None = None
