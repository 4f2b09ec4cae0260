"""Which words of a document are labels and not values, decided once for all fields."""

from collections.abc import Callable, Iterable

from docsieve.engines.local.page.columns import ends_as_label, stacked
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Token
from docsieve.engines.local.vocabulary.canon import joined
from docsieve.engines.local.vocabulary.targets import Words

IN_CELL = 0.95
BEFORE_COLON = 0.9
OVER_A_VALUE = 0.9
ALONE = 0.6
SMALL = 0.3
"""What small print above larger print adds: captions of forms are smaller than the text that is filled in."""

_MAX_WORDS = 8
_SMALLER = 0.88
_NEAR = 1.6


class Captions:
    """`named` says how completely words name a field of the schema or a common concept, from 0 to 1."""

    def __init__(self, view: DocumentView, named: Callable[[Words], float]) -> None:
        self._named = named
        self._pages = {(page.document, page.number): page for page in view.pages}
        self._pieces = {id(token): piece for piece in view.pieces for token in piece.tokens}
        self._kept: dict[frozenset[int], float] = {}

    def likeness(self, tokens: frozenset[int]) -> float:
        """From 0 (a value) to 1 (a label), for words by their identity, see `identities`."""
        if tokens not in self._kept:
            self._kept[tokens] = self._likeness(tokens) if tokens else 0.0
        return self._kept[tokens]

    def piece_of(self, tokens: Iterable[int]) -> Piece | None:
        return next((self._pieces[token] for token in tokens if token in self._pieces), None)

    def _likeness(self, identities: frozenset[int]) -> float:
        piece = self.piece_of(identities)
        tokens = [token for token in piece.tokens if id(token) in identities] if piece is not None else []
        if piece is None or len(tokens) < len(identities) or len(tokens) > _MAX_WORDS or not _worded(tokens):
            return 0.0
        if piece.is_label:
            return IN_CELL
        if tokens[-1].text.endswith(":"):
            return BEFORE_COLON
        last = tokens[-1] is piece.tokens[-1]
        page = self._pages[piece.document, piece.page]
        named = self._named(joined(dict.fromkeys(name for token in tokens for name in token.names)))
        labeled = last and (ends_as_label(piece) or _heads_a_value(piece, page))
        return min(
            1.0, named * (OVER_A_VALUE if labeled else ALONE) + (SMALL if last and _is_small(piece, page) else 0)
        )


def _worded(tokens: Iterable[Token]) -> bool:
    text = "".join(token.text for token in tokens)
    return any(map(str.isalpha, text)) and sum(map(str.isdigit, text)) <= 2


def _heads_a_value(piece: Piece, page: PageView) -> bool:
    """Whether text with digits is to the right of the piece or closely below it."""
    row = page.rows[piece.row].pieces
    right = row[piece.place + 1] if piece.place + 1 < len(row) else None
    below = _below(piece, page)
    return any(other is not None and any(map(str.isdigit, other.head)) for other in (right, below))


def _is_small(piece: Piece, page: PageView) -> bool:
    under = _below(piece, page)
    return under is not None and piece.height < _SMALLER * under.height


def _below(piece: Piece, page: PageView) -> Piece | None:
    for row in page.rows[piece.row + 1 : piece.row + 3]:
        under = [other for other in row.pieces if stacked(piece, other, page.height)]
        if under:
            nearest = min(under, key=lambda other: abs(other.box[0] - piece.box[0]))
            return nearest if nearest.box[1] - piece.box[3] < _NEAR * page.height else None
    return None
