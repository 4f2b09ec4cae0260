"""Flowing documents as a sequence of blocks without positions. `pages.py` lays them out."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Heading:
    text: str
    level: int = 1


@dataclass(slots=True)
class Paragraph:
    """May contain line breaks, which are kept."""

    text: str
    listed: bool = False


@dataclass(slots=True)
class GridCell:
    text: str
    row_span: int = 1
    column_span: int = 1
    header: bool = False


@dataclass(slots=True)
class Grid:
    """A table by rows. A spanning cell is listed once, at its first row and column, as in HTML."""

    rows: list[list[GridCell]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class NewPage:
    """What follows begins a page: a slide, a sheet, a page break, a chapter.

    A slide has a size in points, width and height, and is fitted onto one page of that size. Zeros are for a size that
    is not known.
    """

    slide: tuple[float, float] | None = None


Content = Heading | Paragraph | Grid
Block = Content | NewPage
