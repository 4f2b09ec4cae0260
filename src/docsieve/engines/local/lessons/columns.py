"""Learns from verified rows which headings are over the columns of a list, and which lines between them are no rows."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from docsieve.domain.schemas.fields import ITEM, Scalar
from docsieve.domain.schemas.shape import leaves, pattern_of
from docsieve.engines.local.fields.candidates import TYPED, Scene
from docsieve.engines.local.fields.values import written_cell
from docsieve.engines.local.lists.groups import row_name
from docsieve.engines.local.lists.tables.grids import grids_of
from docsieve.engines.local.page.places import mark, skeleton
from docsieve.engines.local.page.view import PageView, Row, Token, said
from docsieve.engines.local.vocabulary.canon import canonical
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import Target, Words
from docsieve.values.normal import normalized

MAX_HEADINGS = 40
MAX_SKIPPED = 100
_MAX_RUN = 8
_MAX_TYPED_RUN = 3
_ABOVE = 8
_BELOW = 6
_MAX_HEADING_WORDS = 6
_CAME_AGAIN = 2
_UNKNOWN = 0.5
"""Of a heading that says nothing, one example is enough to try it."""

_KNOWN = 2.0
"""The words of the schema count as much as this many examples, if they match a heading."""

_MATCHES = 0.35

Extent = tuple[float, float]
Values = dict[int, dict[str, Scalar]]
"""The values of each row by the patterns of their fields."""


@dataclass(slots=True, eq=False)
class ListEvidence:
    """What one example says about one list."""

    columns: Mapping[str, Target]
    headings: dict[str, set[Words]] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    entries: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a page that shows values of a verified row, each with its horizontal extent."""

    page: PageView
    at: int
    extents: dict[str, Extent]


def study_lists(value: Any, targets: Sequence[Target], scene: Scene) -> dict[str, ListEvidence]:
    lists: dict[str, Values] = {}
    for path, each in leaves(value):
        pattern = pattern_of(path)
        name, bracket, rest = path.partition("[")
        if each is not None and pattern.count("[]") == 1 and bracket:
            lists.setdefault(name, {}).setdefault(int(rest.partition("]")[0]), {})[pattern] = each
    columns = {each.field.pattern: each for each in targets if ITEM in each.field.path}
    return {name: _study(name, rows, columns, scene) for name, rows in lists.items()}


def gathered_lists(studied: Sequence[Mapping[str, ListEvidence]], wanted: Collection[str] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in sorted({name for each in studied for name in each if wanted is None or name in wanted}):
        mine = [each[name] for each in studied if name in each]
        entries = {key for each in mine for key in each.entries}
        skipped = Counter(key for each in mine for key in each.skipped - entries)
        again = sorted(key for key, times in skipped.items() if times >= _CAME_AGAIN)
        found[name] = {"headings": _shares(mine), "skipped": again[:MAX_SKIPPED]}
    return found


def _shares(mine: Sequence[ListEvidence]) -> dict[str, dict[str, float]]:
    """How often each heading was over a column, of the times that it was over any."""
    right: dict[str, Counter[Words]] = {}
    for each in mine:
        for pattern, labels in each.headings.items():
            right.setdefault(pattern, Counter()).update(labels)
    every: Counter[Words] = sum(right.values(), Counter())
    columns = {pattern: target for each in mine for pattern, target in each.columns.items()}
    shares: dict[str, dict[str, float]] = {}
    for pattern, counts in sorted(right.items()):
        matcher = Matcher(columns[pattern])
        usual = sorted(every.items(), key=lambda pair: (-counts[pair[0]], -pair[1], pair[0]))[:MAX_HEADINGS]
        shares[pattern] = {
            " ".join(words): _share(counts[words], times, matcher.score(words)) for words, times in usual
        }
    return shares


def _share(right: int, times: int, before: float) -> float:
    weight = _KNOWN if before >= _MATCHES else _UNKNOWN
    return round((right + weight * before) / (times + weight), 3)


def _study(name: str, rows: Values, columns: Mapping[str, Target], scene: Scene) -> ListEvidence:
    lines = _aligned([line for page in scene.view.pages for line in _lines(page, rows, columns, scene)])
    found = ListEvidence({pattern: each for pattern, each in columns.items() if pattern.partition("[")[0] == name})
    if not lines:
        return found
    first = lines[0]
    for pattern, words in [*_headings_above(first), *_headings_of_table(first, scene)]:
        if 0 < len(words) <= _MAX_HEADING_WORDS:
            found.headings.setdefault(pattern, set()).add(words)
    texts = [skeleton(value) for values in rows.values() for value in values.values() if isinstance(value, str)]
    shown = {(id(line.page), line.at) for line in lines}
    for page in {id(line.page): line.page for line in lines}.values():
        places = [line.at for line in lines if line.page is page]
        for at in range(places[0], min(places[-1] + _BELOW, len(page.rows))):
            key = row_name(page.rows[at].pieces[0].text)
            if (id(page), at) in shown:
                found.entries.add(mark(key))
            elif key and not any(skeleton(page.rows[at].pieces[0].text) in text for text in texts):
                found.skipped.add(mark(key))  # otherwise a value goes on in this line
    return found


def _lines(page: PageView, rows: Values, columns: Mapping[str, Target], scene: Scene) -> Iterator[_Line]:
    """The lines of a page with at least two values of one row, or its only one."""
    index: dict[str, dict[str, set[int]]] = {}
    for number, values in rows.items():
        for pattern, value in values.items():
            for key in (skeleton(str(value)), normalized(value, columns[pattern].field)):
                index.setdefault(pattern, {}).setdefault(key, set()).add(number)
    for at, row in enumerate(page.rows):
        shown: dict[int, dict[str, list[Extent]]] = {}
        for tokens in _runs(row):
            text = said(tokens)
            extent = tokens[0].box[0], tokens[-1].box[2]
            for pattern, wanted in index.items():
                numbers = wanted.get(skeleton(text), set()) | _read(text, len(tokens), columns[pattern], wanted, scene)
                for number in numbers:
                    shown.setdefault(number, {}).setdefault(pattern, []).append(extent)
        best = max(shown.items(), key=lambda pair: (len(pair[1]), -pair[0]), default=None)
        if best is not None and len(best[1]) >= min(2, len(rows[best[0]])):
            for extents in _combined(best[1]):
                yield _Line(page, at, extents)


def _combined(extents: Mapping[str, Sequence[Extent]]) -> Iterator[dict[str, Extent]]:
    """One extent for each column; a value that is printed twice in a line counts once for each place."""
    for at in range(max(len(each) for each in extents.values())):
        yield {pattern: each[min(at, len(each) - 1)] for pattern, each in extents.items()}


def _read(text: str, words: int, target: Target, wanted: Mapping[str, set[int]], scene: Scene) -> set[int]:
    if words > _MAX_TYPED_RUN or target.type not in TYPED or not any(map(str.isdigit, text)):
        return set()
    return wanted.get(normalized(written_cell(target, text, scene.spans), target.field), set())


def _runs(row: Row) -> Iterator[list[Token]]:
    for piece in row.pieces:
        for start in range(len(piece.tokens)):
            for end in range(start + 1, min(start + _MAX_RUN, len(piece.tokens)) + 1):
                yield piece.tokens[start:end]


def _aligned(lines: Sequence[_Line]) -> list[_Line]:
    """The lines with only the extents that most lines have at the same place, one column for each place."""
    votes: Counter[tuple[str, int]] = Counter()
    every = [(pattern, extent) for line in lines for pattern, extent in line.extents.items()]
    for at, (pattern, extent) in enumerate(every):
        votes[pattern, at] = sum(other == pattern and _over(extent, where) for other, where in every)
    columns: dict[str, Extent] = {}
    most: dict[str, int] = {}
    unclear = set()
    for (pattern, at), count in sorted(votes.items(), key=lambda pair: (-pair[1], pair[0])):
        extent = every[at][1]
        if any(_over(extent, taken) for taken in columns.values()):
            continue
        if pattern not in columns:
            columns[pattern], most[pattern] = extent, count
        elif count == most[pattern]:
            unclear.add(pattern)  # two columns show the same values
    columns = {pattern: extent for pattern, extent in columns.items() if pattern not in unclear}
    kept: dict[tuple[int, int], _Line] = {}
    for line in lines:
        extents = {pattern: each for pattern, each in line.extents.items() if _is_in(each, columns.get(pattern))}
        if extents:
            kept.setdefault((id(line.page), line.at), _Line(line.page, line.at, {})).extents.update(extents)
    return [line for line in kept.values() if len(line.extents) >= min(2, len(columns))]


def _is_in(extent: Extent, column: Extent | None) -> bool:
    return column is not None and _over(extent, column)


def _over(one: Extent, other: Extent) -> bool:
    return min(one[1], other[1]) > max(one[0], other[0])


def _headings_above(first: _Line) -> Iterator[tuple[str, Words]]:
    """From the nearest line over the rows that has words over most of the columns."""
    rows = first.page.rows
    for at in range(first.at - 1, max(-1, first.at - _ABOVE), -1):
        found = {pattern: _words_over(rows[at], pattern, first.extents) for pattern in first.extents}
        named = [(pattern, words) for pattern, words in found.items() if words]
        if len(named) >= min(2, len(found)) and len(named) * 2 >= len(found):
            yield from named
            return


def _words_over(row: Row, pattern: str, extents: Mapping[str, Extent]) -> Words:
    """The piece over a column, or the nearest of its words if it is over several columns."""
    mine = extents[pattern]
    for piece in row.pieces:
        extent = piece.box[0], piece.box[2]
        if not _over(extent, mine) or any(map(str.isdigit, piece.text)):
            continue
        if sum(_over(extent, each) for each in extents.values()) == 1:
            return canonical(piece.text)
        return canonical(said([each for each in piece.tokens if _over((each.box[0], each.box[2]), mine)]))
    return ()


def _headings_of_table(first: _Line, scene: Scene) -> Iterator[tuple[str, Words]]:
    """The headings of the cells over the columns, of as few lines as have one for each."""
    middle = first.page.rows[first.at].pieces[0].middle
    for grid in grids_of(scene.view) if first.page.page.tables else ():
        for body in grid.bodies if grid.page is first.page else ():
            cells = body.rows[0] if body.rows else {}
            places = {
                pattern: place
                for pattern, extent in first.extents.items()
                for place, cell in cells.items()
                if cell.box[1] <= middle <= cell.box[3] and _over(extent, (cell.box[0], cell.box[2]))
            }
            if places and all(body.labels.get(place) for place in places.values()):
                yield from ((pattern, body.labels[place]) for pattern, place in places.items())
                return
