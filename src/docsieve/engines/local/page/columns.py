"""Vertical neighbors: the lines below and above a piece in its column."""

from docsieve.engines.local.page.view import PageView, Piece, Row, shared

_UNEVEN = 0.25
"""By how much of a line's height the gaps between rows of a list may differ."""


def below(
    piece: Piece, page: PageView, *, limit: int = 8, gap: float = 1.5, first_gap: float | None = None
) -> list[Piece]:
    """The lines below a piece without a wide gap, each aligned with the one above at an edge or the center."""
    widest = first_gap or gap
    found: list[Piece] = []
    last = piece
    for at in range(piece.row + 1, min(len(page.rows), piece.row + 3 * limit)):
        row = page.rows[at]
        under = [other for other in row.pieces if stacked(last, other, page.height)]
        if not under:
            if row.box[1] - last.box[3] > 2 * widest * page.height:
                break
            continue
        other = min(under, key=lambda each: abs(each.box[0] - last.box[0]))
        if not may_hold(piece, other):
            break
        if other.box[1] - last.box[3] > widest * max(min(last.height, other.height), page.height * 0.8):
            break
        found.append(other)
        last, widest = other, gap
        if len(found) == limit:
            break
    return found


def may_hold(label: Piece, value: Piece) -> bool:
    """A label is never a value, and no value is outside the cell of a form that its label is in."""
    return not value.is_label and (not (value.boxed or label.is_label) or value.cell == label.cell)


def caption_of(piece: Piece, page: PageView) -> list[Piece]:
    """The label over a value in a cell of a form, line by line; of labels side by side, the one over its beginning."""
    over: list[Piece] = []
    for label in page.captions.get(piece.cell, ()) if piece.cell is not None and not piece.is_label else ():
        if over and label.box[1] < over[-1].middle:
            if label.box[0] < piece.box[0] + page.height:
                over[-1] = label
        else:
            over.append(label)
    return over


def above(piece: Piece, page: PageView, *, reach: float = 2.5) -> Piece | None:
    """The nearest piece above this one."""
    for at in range(piece.row - 1, max(-1, piece.row - 6), -1):
        row = page.rows[at]
        if piece.box[1] - row.box[3] > reach * page.height:
            return None
        over = [other for other in row.pieces if stacked(other, piece, page.height)]
        if over:
            return min(over, key=lambda each: abs(each.box[0] - piece.box[0]))
    return None


def stacked(upper: Piece, lower: Piece, height: float) -> bool:
    left = abs(upper.box[0] - lower.box[0]) < 0.8 * height
    center = abs(upper.box[0] + upper.box[2] - lower.box[0] - lower.box[2]) < 3 * height
    return left or center or shared((upper.box[0], upper.box[2]), (lower.box[0], lower.box[2])) > 0.45


def heads_columns(piece: Piece, page: PageView) -> bool:
    """Whether the piece is in a row of headings: the next row has pieces under several of them."""
    if piece.is_label or piece.row + 1 >= len(page.rows) or ends_as_label(piece):
        return False
    row, under = page.rows[piece.row], page.rows[piece.row + 1]
    gap = under.box[1] - row.box[3]
    if len(row.pieces) < 2 or gap > 2 * page.height or not _aligned(row, under, page.height):
        return False
    if any(ends_as_label(each) or _has_value(each) for each in row.pieces):
        return False
    return piece.row == 0 or not _continues(page.rows[piece.row - 1], row, page, gap)


def _aligned(row: Row, under: Row, height: float) -> bool:
    """Whether at least two pieces of a row have one under them that begins or ends where they do."""
    return (
        sum(
            any(
                abs(one.box[0] - other.box[0]) < height or abs(one.box[2] - other.box[2]) < height
                for other in under.pieces
            )
            for one in row.pieces
        )
        > 1
    )


def _continues(over: Row, row: Row, page: PageView, gap: float) -> bool:
    """Whether a row goes on with the columns of the one over it, as close to it as the next row is: then those are
    labels with their values next to them, or the middle of a table."""
    return _aligned(over, row, page.height) and row.box[1] - over.box[3] <= gap + _UNEVEN * page.height


def ends_as_label(piece: Piece) -> bool:
    return piece.text.rstrip().endswith((":", "#"))


def _has_value(piece: Piece) -> bool:
    return sum(character.isdigit() for character in piece.text) > 2
