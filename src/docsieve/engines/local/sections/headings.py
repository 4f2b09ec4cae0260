"""Sections: a heading and the lines under it in its column, up to the next heading."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from docsieve.domain.extraction import Spot
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Token, said, spot
from docsieve.engines.local.sections.kinds import ROLE, section_kind
from docsieve.engines.local.vocabulary.canon import folded

_MAX_HEADING_WORDS = 6
_MAX_LINES = 300
_MAX_HEADINGS = 60
_MAX_PAGES = 4
_MIN_KNOWN, _MIN_SURE = 0.65, 0.85
_MAX_GAP = 4.5
_BY_CONTENT = 0.7
_SAME_SIZE = 0.045
_NEAR_SIZE = 0.15
_INDENT = 0.8
# Parts of the height of a line, by the letters that it has.
_CAPITAL, _SMALL, _BELOW = 0.72, 0.52, 0.21


@dataclass(slots=True, eq=False)
class Line:
    """One line of a section: the pieces of a row in its column. `gap` is the space above it."""

    pieces: list[Piece]
    page: PageView
    gap: float
    tokens: list[tuple[Token, Piece]] = field(default_factory=list)
    text: str = field(init=False)
    starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        if not self.tokens:
            self.tokens = [(token, piece) for piece in self.pieces for token in piece.tokens]
        self.starts = [0, *accumulate(len(token.text) + 1 for token, _ in self.tokens)][:-1]
        self.text = said(token for token, _ in self.tokens)

    @property
    def left(self) -> float:
        return min(piece.box[0] for piece in self.pieces)

    @property
    def top(self) -> float:
        return min(piece.box[1] for piece in self.pieces)

    def part(self, start: int, end: int) -> "Line":
        """The words between two characters of the text as a line."""
        held = [pair for pair, at in zip(self.tokens, self.starts, strict=True) if start <= at < end]
        return Line(
            [piece for piece in self.pieces if any(piece is each for _, each in held)], self.page, self.gap, held
        )

    def spots(self, start: int, end: int) -> list[Spot]:
        """One place per piece of the words between two characters of the text."""
        found: list[tuple[Piece, list[Token]]] = []
        for (token, piece), at in zip(self.tokens, self.starts, strict=True):
            if at < end and at + len(token.text) > start:
                if not found or found[-1][0] is not piece:
                    found.append((piece, []))
                found[-1][1].append(token)
        return [spot(tokens, piece) for piece, tokens in found]


@dataclass(slots=True, eq=False)
class Section:
    """`kind` is that of its heading if it is a usual one, `score` how surely."""

    heading: Piece
    kind: str
    score: float
    lines: list[Line]


def headings_of(page: PageView) -> list[tuple[Piece, str, float]]:
    """The pieces that head a section: by their usual words, or because they look like those that do."""
    found = []
    for piece in page.pieces:
        if _may_head(piece):
            kind, score = section_kind(piece.text)
            printed = piece.heading or piece.text.isupper() or piece.text.endswith(":")
            if ROLE.search(folded(piece.text)):
                continue  # the bold line of a position
            if score >= (_MIN_KNOWN if printed else _MIN_SURE) and piece.cell is None:
                found.append((piece, kind, score))
    return found[:_MAX_HEADINGS]


def _may_head(piece: Piece) -> bool:
    text = piece.text
    return (
        len(piece.tokens) <= _MAX_HEADING_WORDS
        and not any(map(str.isdigit, text))
        and text[:1].isupper()
        and not text.endswith((".", ",", ";"))
        and "@" not in text
    )


class Sections:
    """All sections of a document with usual headings, and those under any other piece on request."""

    def __init__(self, view: DocumentView) -> None:
        self._view = view
        self._known = [headings_of(page) for page in view.pages]
        self.usual = [
            Section(piece, kind, score, self.lines_under(number, piece))
            for number, found in enumerate(self._known)
            for piece, kind, score in found
        ]

    def headed(self) -> Iterator[Section]:
        """Sections under other words, printed like headings, that say nothing about their kind."""
        for number, page in enumerate(self._view.pages[:_MAX_PAGES]):
            known = {id(piece) for piece, _, _ in self._known[number]}
            heads = [piece for piece in page.pieces if _may_head(piece) and (piece.heading or piece.text.isupper())]
            for piece in heads[:_MAX_HEADINGS]:
                if id(piece) not in known and len(page.rows[piece.row].pieces) == 1:
                    yield Section(piece, "", _BY_CONTENT, self.lines_under(number, piece))

    @property
    def pages(self) -> Sequence[PageView]:
        return self._view.pages

    def lines_under(self, number: int, heading: Piece) -> list[Line]:
        """The lines below a heading in its column, on the next pages too if nothing ends them."""
        lines: list[Line] = []
        for at in range(number, min(number + _MAX_PAGES, len(self._view.pages))):
            page = self._view.pages[at]
            left, right = self._column(at, number, heading)
            for line in _lines(page, heading if at == number else None, left, right):
                far = line.gap > _MAX_GAP * page.height and bool(lines)
                if far or len(lines) == _MAX_LINES or self._ends(at, heading, line):
                    return lines
                lines.append(line)
        return lines

    def _column(self, at: int, number: int, heading: Piece) -> tuple[float, float]:
        page = self._view.pages[at]
        others = [
            piece.box[0]
            for piece, _, _ in self._known[at]
            if piece.box[0] > heading.box[2] + page.height and not _below_in_column(piece, heading)
        ]
        right = min(others, default=page.page.width) - 0.3 * page.height
        left = heading.box[0] - _INDENT * page.height
        if at == number:
            under = _next_row(page, heading)
            centered = under is not None and under[0] < left and under[0] + under[1] > 0
            if centered and under is not None and abs(under[0] + under[1] - heading.box[0] - heading.box[2]) < 60:
                left = under[0] - _INDENT * page.height
        return left, right

    def _ends(self, at: int, heading: Piece, line: Line) -> bool:
        first = line.pieces[0]
        if any(piece is first for piece, _, _ in self._known[at]):
            return True
        head, colon, _ = line.text[:60].partition(":")
        if colon and section_kind(head)[1] >= _MIN_KNOWN and section_kind(head)[0] != section_kind(heading.text)[0]:
            return True
        return len(line.pieces) == 1 and _looks_like(heading, first, line.page.height)


def _below_in_column(piece: Piece, heading: Piece) -> bool:
    return piece.box[0] < heading.box[2]


def _next_row(page: PageView, heading: Piece) -> tuple[float, float] | None:
    if len(page.rows[heading.row].pieces) > 1 or heading.row + 1 >= len(page.rows):
        return None
    box = page.rows[heading.row + 1].pieces[0].box
    return box[0], box[2]


def _lines(page: PageView, heading: Piece | None, left: float, right: float) -> Iterator[Line]:
    last = heading.box[3] if heading is not None else None
    first = heading.row if heading is not None else 0
    for row in page.rows[first : first + _MAX_LINES]:
        pieces = [piece for piece in row.pieces if left <= piece.box[0] < right and piece is not heading]
        if heading is not None and row is page.rows[first]:
            pieces = [piece for piece in pieces if piece.box[0] > heading.box[2]]
        if pieces:
            top = min(piece.box[1] for piece in pieces)
            yield Line(pieces, page, top - last if last is not None else 0.0)
            last = max(piece.box[3] for piece in pieces)


def _looks_like(heading: Piece, piece: Piece, height: float) -> bool:
    """Whether a piece is printed like the heading: as large, and bold or in capitals like it."""
    if not _may_head(piece) or abs(piece.box[0] - heading.box[0]) > 0.5 * height:
        return False
    ratio = _size(piece) / max(_size(heading), 0.1)
    if heading.text.isupper():
        return piece.text.isupper() and abs(ratio - 1) < _NEAR_SIZE and len(piece.text) > 3
    return heading.heading and piece.heading and abs(ratio - 1) < _SAME_SIZE


def _size(piece: Piece) -> float:
    """The size of the font, from the height of the letters."""
    text = piece.text
    share = _CAPITAL if any(each.isupper() or each in "bdfhklt" for each in text) else _SMALL
    return piece.height / (share + (_BELOW if any(each in "gjpqyç,;Qß()" for each in text) else 0.0))
