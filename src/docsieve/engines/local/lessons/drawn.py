"""Words inside the boxes that people drew around values."""

from collections.abc import Iterable, Sequence

from docsieve.domain.extraction import Spot
from docsieve.domain.pages.page import Box
from docsieve.engines.local.page.places import Place
from docsieve.engines.local.page.view import PageView, Piece, Token, union


def within(tokens: Sequence[Token], piece: Piece, drawn: Iterable[Spot]) -> bool:
    """Whether the center of these words is inside one of the boxes; drawn boxes are not exact."""
    box = union(token.box for token in tokens)
    return any(_same_page(piece, spot) and _holds(spot.box, box) for spot in drawn)


def drawn_around(spots: Sequence[Spot], drawn: Iterable[Spot]) -> bool:
    """Whether the first of these places is inside one of the boxes."""
    first = spots[0] if spots else None
    return first is not None and any(
        (first.document, first.page) == (each.document, each.page) and _holds(each.box, first.box) for each in drawn
    )


def words_within(drawn: Sequence[Spot], pages: Iterable[PageView]) -> Place:
    """The words in the boxes, line by line, on the first page that has any."""
    for page in pages:
        lines = [(_inside(piece, drawn), piece) for piece in page.pieces]
        place = sorted(((tokens, piece) for tokens, piece in lines if tokens), key=lambda each: each[1].middle)
        if place:
            return place
    return []


def _inside(piece: Piece, drawn: Sequence[Spot]) -> list[Token]:
    boxes = [spot.box for spot in drawn if _same_page(piece, spot)]
    return [token for token in piece.tokens if any(_holds(box, token.box) for box in boxes)]


def _same_page(piece: Piece, spot: Spot) -> bool:
    return (piece.document, piece.page) == (spot.document, spot.page)


def _holds(outer: Box, inner: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
