"""Statements on pages: lines with a caption and a number for each period that heads a column.

                        Three Months Ended
                             March 31,
                         2025          2024
Net sales             $ 4,285       $ 3,032
Net income per share:
  Basic                  1.68          0.93
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Row

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NUMBER = re.compile(r"[^\w\s(]?\s*\(?\s*[^\w\s(]?\s*\d[\d.,'\u2019\s]*\s*\)?\s*%?|[(]?[\u2014\u2013-][)]?")
_SIGN = re.compile(r"[^\w\s]{1,2}")
_MAX_HEADING_WORDS = 6
_MAX_CAPTION_WORDS = 30
_MAX_HEADING_ROWS = 4
_MAX_TITLE_ROWS = 8
_HEADING_GAP = 4.5
_FAR = 0.6
"""How far a number may be from the middle of its column, as a share of the distance between two columns."""


@dataclass(slots=True, eq=False)
class Line:
    """`under` is the line without numbers that it is below: `Net income per share:` of `Basic`."""

    caption: str
    pieces: list[Piece]
    numbers: dict[int, Piece]
    under: str = ""


@dataclass(slots=True, eq=False)
class Statement:
    """`periods` has the headings over each column, from top to bottom; `title` the rows above these."""

    page: PageView
    title: list[Row]
    periods: list[list[Piece]]
    lines: list[Line] = field(default_factory=list)

    def period(self, column: int) -> str:
        return " ".join(piece.text for piece in self.periods[column])


def statements_in(view: DocumentView) -> list[Statement]:
    return [each for page in view.pages for each in _statements(page) if each.lines]


def _statements(page: PageView) -> Iterator[Statement]:
    heads = [at for at, row in enumerate(page.rows) if _columns(row)]
    for at, end in pairwise([*heads, len(page.rows)]):
        columns = _columns(page.rows[at])
        above = _headings_above(page, at, columns)
        first = at - len(above)
        periods = [
            [*(_over(row.pieces, columns, number) for row in above), columns[number]] for number in range(len(columns))
        ]
        statement = Statement(page, page.rows[max(0, first - _MAX_TITLE_ROWS) : first], periods)
        statement.lines = list(_lines(page.rows[at + 1 : end], columns))
        yield statement


def _columns(row: Row) -> list[Piece]:
    """The pieces that are periods, if all of a row are, but for words over the captions."""
    pieces = row.pieces if _is_period(row.pieces[0]) else row.pieces[1:]
    few = 0 < len(pieces) < 2 and len(row.pieces) == 1
    return pieces if pieces and not few and all(map(_is_period, pieces)) else []


def _is_period(piece: Piece) -> bool:
    return len(piece.tokens) <= _MAX_HEADING_WORDS and len(_YEAR.findall(piece.head)) == 1


def _headings_above(page: PageView, at: int, columns: Sequence[Piece]) -> list[Row]:
    """Rows right above whose pieces are over the columns and without numbers of their own."""
    found: list[Row] = []
    left = min(piece.box[0] for piece in columns) - page.height * 4
    for row in reversed(page.rows[max(0, at - _MAX_HEADING_ROWS) : at]):
        below = found[0] if found else page.rows[at]
        if below.box[1] - row.box[3] > _HEADING_GAP * page.height or row.box[0] < left:
            break
        if len(row.pieces) > len(columns) or any(len(piece.tokens) > _MAX_HEADING_WORDS for piece in row.pieces):
            break
        found.insert(0, row)
    return found


def _over(pieces: Sequence[Piece], columns: Sequence[Piece], number: int) -> Piece:
    """The heading of a column: the one in its place, or the nearest of those that span several."""
    if len(pieces) == len(columns):
        return pieces[number]
    return min(pieces, key=lambda piece: abs(_middle(piece) - _middle(columns[number])))


def _middle(piece: Piece) -> float:
    return (piece.box[0] + piece.box[2]) / 2


def _lines(rows: Sequence[Row], columns: Sequence[Piece]) -> Iterator[Line]:
    under = ""
    wrapped: list[Piece] = []
    for row in rows:
        at = next((place for place, piece in enumerate(row.pieces) if _may_be_number(piece) and place), len(row.pieces))
        caption, rest = row.pieces[:at], row.pieces[at:]
        numbers = _placed(rest, columns) if all(map(_may_be_number, rest)) else {}
        text = " ".join(piece.text for piece in caption)
        if not rest:
            under = text if len(text.split()) <= _MAX_CAPTION_WORDS else ""
            wrapped = caption if under and text[-1:] not in ":.;" else []
        elif numbers and any(map(str.isalpha, text)):
            goes_on = bool(wrapped) and text[:1].islower()
            whole = [*wrapped, *caption] if goes_on else caption
            yield Line(" ".join(piece.text for piece in whole), whole, numbers, "" if goes_on else under)
            wrapped = []


def _may_be_number(piece: Piece) -> bool:
    return _NUMBER.fullmatch(piece.head.strip()) is not None or _SIGN.fullmatch(piece.text) is not None


def _placed(pieces: Sequence[Piece], columns: Sequence[Piece]) -> dict[int, Piece]:
    """The numbers by their columns; none if one is between two or two are in the same one."""
    apart = min((abs(_middle(one) - _middle(other)) for one, other in pairwise(columns)), default=1000.0)
    found: dict[int, Piece] = {}
    for piece in pieces:
        if not any(map(str.isdigit, piece.text)):
            continue  # a sign of currency, or a dash for nothing
        nearest = min(range(len(columns)), key=lambda at: _aside(piece, columns[at]))
        if _aside(piece, columns[nearest]) < _FAR * apart and nearest not in found:
            found[nearest] = piece
    return found


def _aside(piece: Piece, column: Piece) -> float:
    return min(abs(_middle(piece) - _middle(column)), abs(piece.box[2] - column.box[2]))
