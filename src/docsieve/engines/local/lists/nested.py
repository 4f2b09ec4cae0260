"""Lists within lists: rows under headings, with their common fields above each run of rows."""

from collections.abc import Sequence
from dataclasses import dataclass

from docsieve.domain.schemas.fields import ITEM
from docsieve.engines.local.fields.spans import Spans
from docsieve.engines.local.lists.groups import Cell, Column, Columns, Group, Listing
from docsieve.engines.local.lists.listings import HeadingRow, headed_parts
from docsieve.engines.local.lists.repeated import labeled_values
from docsieve.engines.local.lists.tables.grids import Grid
from docsieve.engines.local.lists.tables.rows import is_summary, table_listings
from docsieve.engines.local.page.view import DocumentView, Row, said, spot
from docsieve.engines.local.vocabulary.canon import canonical, words_of_name
from docsieve.engines.local.vocabulary.targets import Target, Words

MIN_SCORE = 0.3
_ROWS_ABOVE = 6
_MAX_TITLE_WORDS = 6
_AS_GOOD = 0.1


@dataclass(slots=True, eq=False)
class Nest:
    """`outer` are the fields of the outer list, `inner` the columns of the list inside it."""

    outer: list[Column]
    inner: Group
    words: Words


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
        nests.append(Nest([columns.of(target) for target in outer], group, words_of_name(first[-2])))
    return nests


def nested_parts(
    nest: Nest, headings: Sequence[HeadingRow], grids: Sequence[Grid], view: DocumentView, spans: Spans
) -> list[Part]:
    """Tables or else runs of rows, each with the text above it; those with the same text above are merged."""
    found = headed_parts(nest.inner, headings, view)
    tables = [placed for grid in grids for placed in _placed(nest, grid, view, spans)]
    if len(tables) > len(found):
        found = tables
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


def _placed(nest: Nest, grid: Grid, view: DocumentView, spans: Spans) -> list[Listing]:
    """The rows of a table, with the place of its first row as their key."""
    found = table_listings(nest.inner, [grid], spans)
    number = next(at for at, page in enumerate(view.pages) if page is grid.page)
    top = min(cell.box[1] for cell in grid.rows[0].values()) if found else 0.0
    first = next((at for at, row in enumerate(grid.page.rows) if row.box[1] >= top - 2), 0)
    for listing in found:
        listing.key = number, first
    return found


def _texts(part: Part) -> dict[int, str]:
    return {at: cell.text for at, cell in part.outer.items()}


def _above(nest: Nest, view: DocumentView, page: int, row: int) -> dict[int, Cell]:
    rows = view.pages[page].rows[max(0, row - _ROWS_ABOVE) : row]
    found: dict[int, Cell] = {}
    for above in reversed(rows):
        for at, _, tokens, piece in labeled_values(nest.outer, above.pieces):
            found.setdefault(at, Cell(said(tokens), [spot(tokens, piece)]))
    if rows:
        found = _numbered(nest, rows) | found
    if not found and rows:
        texts = [at for at, column in enumerate(nest.outer) if column.target.field.kind == "string"]
        title = rows[-1].pieces[0]
        alone = len(rows[-1].pieces) == 1 and len(title.tokens) <= _MAX_TITLE_WORDS and not is_summary(title.text)
        if len(texts) == 1 and alone:
            found[texts[0]] = Cell(title.text.rstrip(" :"), [spot(title.tokens, title)])
    return found


def _numbered(nest: Nest, rows: Sequence[Row]) -> dict[int, Cell]:
    """The number after what the entries are called, in a line of its own: `Delivery D-5501`."""
    at = next((at for at, column in enumerate(nest.outer) if column.target.type == "id"), None)
    if at is None:
        return {}
    for row in reversed(rows):
        piece = row.pieces[0]
        named = len(row.pieces) == 1 and set(piece.tokens[0].names) & set(nest.words)
        if named and 1 < len(piece.tokens) <= _MAX_TITLE_WORDS and any(map(str.isdigit, piece.tokens[-1].text)):
            return {at: Cell(piece.tokens[-1].text, [spot(piece.tokens[-1:], piece)])}
    return {}
