"""Stacked lists: headings over each other, and entries of as many lines.

Item no.  Packing        Amount
Your no.  Description
4711      crate           12.00
K-1       Lamp, black
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from docsieve.engines.local.lists.groups import Cell, Group, Listing
from docsieve.engines.local.lists.listings import Heading, is_total_row, stacks_of
from docsieve.engines.local.page.view import DocumentView, PageView, Piece, Row, said, spot, union
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.labels import beginnings
from docsieve.engines.local.vocabulary.targets import Words

MIN_HEADING_SCORE = 0.42
_MAX_LINES = 5
_MAX_BANDS = 3
_MAX_BLOCKS = 20
_GAP = 2.0
_NEAR = 2.0
_MAX_REMARKS = 12
_MAX_RUN = 3
_MIN_FILLED = 0.6
_WORTH = 0.95

Band = list[Heading]


Phrase = tuple[Words, float, float]
"""The words of a possible heading, and its horizontal extent."""


@dataclass(frozen=True, slots=True)
class _Found:
    """The headings of each line of an entry."""

    bands: list[Band]
    score: float


@dataclass(frozen=True, slots=True)
class Stack:
    """Lines of possible headings that end before row `end`, parted into bands in every way."""

    page: PageView
    end: int
    partings: list[list[list[Phrase]]]
    beginnings: frozenset[str]


def stacks_in(view: DocumentView) -> list[Stack]:
    """Found once for all lists."""
    found = []
    for page in view.pages:
        for start, end in _blocks(page):
            rows = page.rows[start:end]
            kept = {
                (first, last): list(_phrases(rows[first:last]))
                for first in range(len(rows))
                for last in range(first + 1, len(rows) + 1)
            }
            partings = [
                [kept[edge] for edge in pairwise((0, *cuts, len(rows)))]
                for bands in range(2, min(_MAX_BANDS, len(rows)) + 1)
                for cuts in combinations(range(1, len(rows)), bands - 1)
            ]
            words = beginnings(word for phrases in kept.values() for names, _, _ in phrases for word in names)
            found.append(Stack(page, end, partings, words))
    return found


def stacked_listings(group: Group, stacks: Sequence[Stack]) -> list[Listing]:
    if group.scalars or len(group.columns) < 2:
        return []
    found = []
    for stack in stacks:
        if sum(bool(column.matcher.beginnings & stack.beginnings) for column in group.columns) < 2:
            continue
        fitting = [made for bands in stack.partings if (made := _matched(group, bands)) is not None]
        best = max(fitting, key=lambda each: each.score, default=None)
        rows = _records(best, stack.page, stack.end) if best is not None else []
        if best is not None and rows:
            share = best.score / len(group.columns) * _WORTH
            why = f"in a stacked list on page {stack.page.number}"
            found.append(Listing(rows, share + 0.02 * min(len(rows), 10), why, ("stack", stack.page.number, stack.end)))
    return found


def _blocks(page: PageView) -> Iterator[tuple[int, int]]:
    """Runs of lines that may be headings: without digits, close together, and above a line with digits."""
    start = 0
    blocks = 0
    for at, row in enumerate(page.rows):
        apart = at > 0 and row.box[1] - page.rows[at - 1].box[3] > _GAP * page.height
        digits = any(map(str.isdigit, row.text))
        if apart and not digits:
            start = at
        if digits:
            first = max(start, at - _MAX_LINES)
            if at - first > 1 and sum(len(each.pieces) > 1 for each in page.rows[first:at]) > 1:
                yield first, at
                blocks += 1
            start = at + 1
        if blocks == _MAX_BLOCKS:
            return


def _is_stacked(upper: Band, lower: Band) -> bool:
    """Whether all known headings of a line have headings over them; then they are not merely printed lower."""
    known = [head for head in lower if head[0] >= 0]
    return bool(known) and all(any(_overlap(head, other) for other in upper) for head in known)


def _overlap(one: Heading, other: Heading) -> bool:
    return min(one[2], other[2]) > max(one[1], other[1])


def _matched(group: Group, bands: Sequence[Sequence[Phrase]]) -> _Found | None:
    scored = []
    for number, phrases in enumerate(bands):
        for label, left, right in phrases:
            for at, column in enumerate(group.columns):
                if (score := column.matcher.score(label)) >= MIN_HEADING_SCORE:
                    scored.append((-score, at, number, left, right))
    if len({number for _, _, number, _, _ in scored}) < len(bands):
        return None
    taken: set[int] = set()
    total = 0.0
    found: list[Band] = [[] for _ in bands]
    for score, at, number, left, right in sorted(scored):
        if at not in taken and not any(_overlap((at, left, right), other) for other in found[number]):
            taken.add(at)
            found[number].append((at, left, right))
            total -= score
    for band, phrases in zip(found, bands, strict=True):
        known = list(band)
        others = [(-1, left, right) for _, left, right in phrases]
        band += [other for other in others if not any(_overlap(other, head) for head in known)]
        band.sort(key=lambda head: head[1])
    return _Found(found, total) if all(_is_stacked(upper, lower) for upper, lower in pairwise(found)) else None


def _phrases(rows: Sequence[Row]) -> Iterator[Phrase]:
    """Phrases over each other as one heading, and the words of single ones."""
    for stack in stacks_of(piece for row in rows for piece in row.pieces):
        box = union(piece.box for piece in stack)
        yield canonical(" ".join(piece.text for piece in stack)), box[0], box[2]
        tokens = stack[0].tokens if len(stack) == 1 else []
        for first in range(len(tokens)):
            for last in range(first + 1, min(first + _MAX_RUN, len(tokens)) + 1):
                if last - first < len(tokens):
                    part = tokens[first:last]
                    yield canonical(said(part)), part[0].box[0], part[-1].box[2]


def _records(found: _Found, page: PageView, start: int) -> list[dict[int, Cell]]:
    """Entries begin with a line like the first one; the next lines belong to the other bands."""
    records: list[dict[int, Cell]] = []
    first: dict[int, list[Piece]] = {}
    line = 0
    for row in page.rows[start:]:
        if records and is_total_row(row):
            break
        if records and line < len(found.bands):
            records[-1] |= _cells(found.bands[line], _placed(found.bands[line], row, page.height))
            line += 1
            continue
        placed = _placed(found.bands[0], row, page.height)
        alike = placed.keys() & first.keys() if first else placed.keys()
        enough = len(alike) >= _MIN_FILLED * len(first or found.bands[0])
        starts = not records or abs(row.box[0] - first[min(first)][0].box[0]) < page.height
        if enough and starts and any(map(str.isdigit, row.text)):
            first = first or placed
            records.append(_cells(found.bands[0], placed))
            line = 1
        elif line > _MAX_REMARKS:
            break
        else:
            line += 1
    below = {at for band in found.bands[1:] for at, _, _ in band}
    full = sum(not below.isdisjoint(record) for record in records)
    return records if full * 2 > len(records) else []


def _placed(band: Band, row: Row, height: float) -> dict[int, list[Piece]]:
    """The pieces of a line by the index of the heading that they are under, or near to."""
    found: dict[int, list[Piece]] = {}
    for piece in row.pieces:
        x0, _, x1, _ = piece.box
        nearest = min(range(len(band)), key=lambda at: max(band[at][1] - x1, x0 - band[at][2]))
        if max(band[nearest][1] - x1, x0 - band[nearest][2]) < _NEAR * height:
            found.setdefault(nearest, []).append(piece)
    return found


def _cells(band: Band, placed: dict[int, list[Piece]]) -> dict[int, Cell]:
    cells: dict[int, Cell] = {}
    for number, pieces in placed.items():
        at = band[number][0]
        if at >= 0:
            tokens = [token for piece in pieces for token in piece.tokens]
            cells[at] = Cell(said(tokens), [spot(tokens, pieces[0])])
    return cells
