"""Which words of a document are labels and not values, decided once for all fields."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from docsieve.engines.local.page.columns import ends_as_label, stacked
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Row, Token
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
_NEAR_ANSWER = 3.0
_ITEM = re.compile(r"(\d{1,2})[.)](?:\s+([^\W\d_].*))?")
_MIN_ITEMS = 3


class Captions:
    """`named` says how completely words name a field of the schema or a common concept, from 0 to 1."""

    def __init__(self, view: DocumentView, named: Callable[[Words], float]) -> None:
        self._named = named
        self._pages = {(page.document, page.number): page for page in view.pages}
        self._pieces = {id(token): piece for piece in view.pieces for token in piece.tokens}
        numbered = (label for page in view.pages for label in _numbered_labels(page))
        self._numbered = {id(token) for label in numbered for piece in label for token in piece.tokens}
        self._kept: dict[frozenset[int], float] = {}

    def likeness(self, tokens: frozenset[int]) -> float:
        """From 0 (a value) to 1 (a label), for words by their identity, see `identities`."""
        if tokens not in self._kept:
            self._kept[tokens] = self._likeness(tokens) if tokens else 0.0
        return self._kept[tokens]

    def piece_of(self, tokens: Iterable[int]) -> Piece | None:
        return next((self._pieces[token] for token in tokens if token in self._pieces), None)

    def _likeness(self, identities: frozenset[int]) -> float:
        if identities <= self._numbered:
            return IN_CELL
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


def _numbered_labels(page: PageView) -> Iterable[list[Piece]]:
    """The labels of a form whose items are numbered through: `2. Registration no.` over or before its answer.

    In a numbered list, one number follows on another without an answer between them.
    """
    items = [each for row in page.rows for each in _items(row)]
    answered = [label for _, label in items if _has_answer(label, page)]
    in_turn = sum(after == before + 1 for (before, _), (after, _) in pairwise(items))
    if min(len(answered), in_turn + 1) >= _MIN_ITEMS and 2 * len(answered) >= len(items):
        yield from (label for label in answered if _only_asks(label))


def _items(row: Row) -> Iterable[tuple[int, list[Piece]]]:
    """Each number of an item with its label; there may be a gap between them."""
    for piece in row.pieces:
        found = _ITEM.fullmatch(piece.head)
        if found is None:
            continue
        label = [piece] if found[2] else row.pieces[piece.place : piece.place + 2]
        if any(map(str.isalpha, label[-1].head)):
            yield int(found[1]), label


def _only_asks(label: Sequence[Piece]) -> bool:
    """Clauses of contracts are numbered too, and what they say is in the same line."""
    words = " ".join(piece.head for piece in label).split()[1:]
    inside = " ".join(words)[:-1]
    return len(words) <= _MAX_WORDS and not re.search(r"\d|[.:] ", inside)


def _has_answer(label: Sequence[Piece], page: PageView) -> bool:
    last = label[-1]
    answers = [
        *page.rows[last.row].pieces[last.place + 1 :][:1],
        *(_below(piece, page, near=_NEAR_ANSWER) for piece in label),
    ]
    return any(other is not None and not _ITEM.fullmatch(other.head) for other in answers)


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


def _below(piece: Piece, page: PageView, *, near: float = _NEAR) -> Piece | None:
    for row in page.rows[piece.row + 1 : piece.row + 3]:
        under = [other for other in row.pieces if stacked(piece, other, page.height)]
        if under:
            nearest = min(under, key=lambda other: abs(other.box[0] - piece.box[0]))
            return nearest if nearest.box[1] - piece.box[3] < near * page.height else None
    return None
