"""Lists within lists: rows under headings, with their common fields above each run of rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docsieve.domain.schemas.fields import ITEM
from docsieve.engines.local.lists.groups import Cell, Column, Columns, Group, Listing
from docsieve.engines.local.lists.listings import HeadingRow, headed_parts
from docsieve.engines.local.lists.tables.rows import is_summary
from docsieve.engines.local.page.view import DocumentView, Piece, Token, said, spot
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.targets import Target

MIN_SCORE = 0.3
MIN_LABEL_SCORE = 0.6
_ROWS_ABOVE = 6
_MAX_TITLE_WORDS = 6
_AS_GOOD = 0.1


@dataclass(slots=True, eq=False)
class Nest:
    """`outer` are the fields of the outer list, `inner` the columns of the list inside it."""

    outer: list[Column]
    inner: Group


@dataclass(slots=True, eq=False)
class Part:
    outer: dict[int, Cell]
    listing: Listing


def nests_of(targets: Sequence[Target]) -> list[Nest]:
    columns = Columns()
    found: dict[tuple[str, ...], list[Target]] = {}
    for target in targets:
        path = target.field.path
        if path.count(ITEM) == 2 and path[-1] != ITEM:
            last = len(path) - 1 - path[::-1].index(ITEM)
            found.setdefault(path[:last], []).append(target)
    nests = []
    for path, members in found.items():
        first = path[: path.index(ITEM) + 1]
        outer = [
            target
            for target in targets
            if target.field.path[: len(first)] == first and target.field.path.count(ITEM) == 1
        ]
        group = Group([columns.of(target) for target in members], canonical(path[-1]))
        nests.append(Nest([columns.of(target) for target in outer], group))
    return nests


def nested_parts(nest: Nest, headings: Sequence[HeadingRow], view: DocumentView) -> list[Part]:
    """Runs of rows, each with the text above it; runs with the same text above are merged."""
    found = headed_parts(nest.inner, headings, view)
    best = max((part.score for part in found), default=0.0)
    parts: list[Part] = []
    for listing in found:
        if listing.score < max(MIN_SCORE, best - _AS_GOOD) or not isinstance(listing.key, tuple):
            continue
        part = Part(_above(nest, view, *listing.key), listing)
        if parts and _texts(parts[-1]) == _texts(part):
            parts[-1].listing.rows += listing.rows
        elif part.outer or not nest.outer:
            parts.append(part)
    return parts


def _texts(part: Part) -> dict[int, str]:
    return {at: cell.text for at, cell in part.outer.items()}


def _above(nest: Nest, view: DocumentView, page: int, row: int) -> dict[int, Cell]:
    rows = view.pages[page].rows[max(0, row - _ROWS_ABOVE) : row]
    found: dict[int, Cell] = {}
    for above in reversed(rows):
        for at, tokens, piece in _labeled(nest.outer, above.pieces):
            found.setdefault(at, Cell(said(tokens), [spot(tokens, piece)]))
    if not found and rows:
        texts = [at for at, column in enumerate(nest.outer) if column.target.field.kind == "string"]
        title = rows[-1].pieces[0]
        alone = len(rows[-1].pieces) == 1 and len(title.tokens) <= _MAX_TITLE_WORDS and not is_summary(title.text)
        if len(texts) == 1 and alone:
            found[texts[0]] = Cell(title.text.rstrip(" :"), [spot(title.tokens, title)])
    return found


def _labeled(outer: Sequence[Column], pieces: Sequence[Piece]) -> Iterator[tuple[int, list[Token], Piece]]:
    """Values after a label with a colon, with or without a space."""
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        cut = next((at for at, token in enumerate(piece.tokens) if ":" in (token.text[0], token.text[-1])), None)
        if cut is None:
            continue
        glued = piece.tokens[cut].text[0] == ":" and len(piece.tokens[cut].text) > 1
        label = canonical(said(piece.tokens[: cut if glued else cut + 1]))
        value = piece.tokens[cut if glued else cut + 1 :]
        owner = piece if value or following is None else following
        value = value or (following.tokens if following is not None else [])
        scores = [(column.matcher.score(label), -at) for at, column in enumerate(outer)]
        score, at = max(scores, default=(0.0, 0))
        if value and score >= MIN_LABEL_SCORE:
            yield -at, _without_colon(value), owner


def _without_colon(tokens: Sequence[Token]) -> list[Token]:
    first = tokens[0]
    return [Token(first.text.lstrip(":"), first.box, first.names), *tokens[1:]]
