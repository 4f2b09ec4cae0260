"""Locates each value on the pages, whichever engine it came from.

A value is searched by meaning (numbers, dates, times) or by spelling (exactly, approximately, or in pieces). Among
several matches, the engine's own location is used if the value is there. Otherwise items of arrays are aligned with
rows, and single fields with their labels and neighbors. Values that are not found have no evidence.
"""

from bisect import bisect_left, insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from docsieve.analysis.proof.grounding.evidence import evidence_of, reading_confidence
from docsieve.analysis.proof.grounding.labels import label_at, label_score
from docsieve.analysis.proof.grounding.matches import MAX_MATCHES, Match, Matcher
from docsieve.analysis.proof.grounding.rows import Item, RowAligner
from docsieve.analysis.proof.grounding.spots import by_mark, by_spots
from docsieve.analysis.proof.grounding.words import WordIndex, index_words, middle_y
from docsieve.domain.extraction import Evidence, Found, Material
from docsieve.domain.schemas.fields import Schema, SchemaField, fields_of
from docsieve.domain.schemas.shape import parse_path, pattern_of

_LABEL_WEIGHT = 0.8
_NEIGHBOR_WEIGHT = 0.3
_EARLY_WEIGHT = 0.05


@dataclass(slots=True)
class Grounding:
    """`match` is the similarity of the text, `ocr` the OCR confidence, `occurrences` the number of other matches.

    `label` is the share of the field's label next to the value. For a field without any value it is 1 if its label is
    on the pages, but not at another field's value, and `labels` is its place; the first leaf of the field reports it
    for all rows.
    """

    evidence: list[Evidence] = field(default_factory=list)
    match: float = 0.0
    ocr: float | None = None
    occurrences: int = 0
    label: float = 0.0
    spotted: bool = False
    labels: list[Evidence] = field(default_factory=list)


def ground(materials: Sequence[Material], schema: Schema, found: Mapping[str, Found]) -> dict[str, Grounding]:
    """The location of each value, by path. Null values have none."""
    index = index_words(materials)
    matcher = Matcher(index)
    fields = {each.pattern: each for each in fields_of(schema)}
    leaves = [_Leaf(path, fields.get(pattern_of(path)), each) for path, each in found.items() if each.value is not None]
    pages = _page_numbers(index, materials)
    for leaf in leaves:
        leaf.matches = matcher.matches(leaf.found.value, leaf.wanted)
        if leaf.found.spots:
            leaf.chosen = by_spots(index, pages, leaf.wanted, leaf.found, leaf.matches)
            leaf.spotted = leaf.chosen is not None
    _align_arrays(index, leaves)
    _choose_singles(index, leaves)
    groundings = {path: Grounding() for path in found}
    for leaf in leaves:
        groundings[leaf.path] = _grounding(index, leaf)
    taken = {word for leaf in leaves if leaf.chosen is not None for word in leaf.chosen.words}
    for path in _first_of_empty(found):
        wanted = fields.get(pattern_of(path))
        if wanted is not None and (words := label_at(index, wanted, taken)):
            groundings[path].label = 1.0
            groundings[path].labels = evidence_of(index, Match(words, 1.0))
    return groundings


def _first_of_empty(found: Mapping[str, Found]) -> list[str]:
    """The first leaf of each field that has no value in any row."""
    first: dict[str, str] = {}
    filled: set[str] = set()
    for path, each in found.items():
        pattern = pattern_of(path)
        first.setdefault(pattern, path)
        if each.value is not None:
            filled.add(pattern)
    return [path for pattern, path in first.items() if pattern not in filled]


@dataclass(slots=True)
class _Leaf:
    path: str
    wanted: SchemaField | None
    found: Found
    matches: list[Match] = field(default_factory=list)
    chosen: Match | None = None
    spotted: bool = False

    @property
    def item(self) -> tuple[str, tuple[int, ...]] | None:
        """The array's pattern, and the numbers of the item in it."""
        head, bracket, _ = self.path.rpartition("]")
        if not bracket:
            return None
        numbers = tuple(step for step in parse_path(self.path) if isinstance(step, int))
        return pattern_of(head + bracket), numbers

    @property
    def parent(self) -> str:
        return self.path.rpartition(".")[0]


def _page_numbers(index: WordIndex, materials: Sequence[Material]) -> dict[tuple[int, int], int]:
    numbers = {}
    count = 0
    for document, material in enumerate(materials):
        for page in material.pages:
            numbers[document, page.number] = count
            count += 1
    return numbers


def _align_arrays(index: WordIndex, leaves: list[_Leaf]) -> None:
    arrays: dict[str, dict[tuple[int, ...], list[_Leaf]]] = {}
    for leaf in leaves:
        if leaf.item is not None:
            array, numbers = leaf.item
            arrays.setdefault(array, {}).setdefault(numbers, []).append(leaf)
    for items in arrays.values():
        members = [items[numbers] for numbers in sorted(items)]
        wanted = [
            Item(
                {pattern_of(leaf.path): leaf.matches for leaf in each if leaf.chosen is None and leaf.matches},
                {pattern_of(leaf.path): leaf.chosen for leaf in each if leaf.chosen is not None},
            )
            for each in members
        ]
        for each, chosen in zip(members, RowAligner(index).align(wanted), strict=True):
            for leaf in each:
                leaf.chosen = chosen.get(pattern_of(leaf.path))


def _choose_singles(index: WordIndex, leaves: list[_Leaf]) -> None:
    """Unambiguous fields first, so that ambiguous ones can be placed near related fields."""
    open_leaves = [leaf for leaf in leaves if leaf.chosen is None]
    for leaf in open_leaves:
        if isinstance(leaf.found.value, bool) and leaf.wanted is not None:
            leaf.chosen = by_mark(index, leaf.wanted, leaf.found.value)
        elif len(leaf.matches) == 1:
            leaf.chosen = leaf.matches[0]
    neighbors: dict[str, _Neighbors] = {}
    for leaf in leaves:
        if leaf.chosen is not None and leaf.item is None:
            neighbors.setdefault(leaf.parent, _Neighbors(index)).add(leaf.chosen)
    for leaf in open_leaves:
        if leaf.chosen is None and leaf.matches:
            siblings = neighbors.setdefault(leaf.parent, _Neighbors(index))
            leaf.chosen = _best(index, leaf, siblings)
            siblings.add(leaf.chosen)


def _best(index: WordIndex, leaf: _Leaf, siblings: "_Neighbors") -> Match:
    def worth(match: Match) -> tuple[float, int]:
        labelled = label_score(index, leaf.wanted, match.words) if leaf.wanted is not None else 0.0
        early = 1.0 / (1 + index.words[match.words[0]].page)
        near = siblings.nearness(match)
        score = match.score + _LABEL_WEIGHT * labelled + _NEIGHBOR_WEIGHT * near + _EARLY_WEIGHT * early
        return score, -match.words[0]

    return max(leaf.matches[:MAX_MATCHES], key=worth)


class _Neighbors:
    """Vertical positions of the other fields of an object, by page and in order."""

    def __init__(self, index: WordIndex) -> None:
        self._index = index
        self._heights: dict[int, list[float]] = {}

    def add(self, match: Match) -> None:
        word = self._index.words[match.words[0]]
        insort(self._heights.setdefault(word.page, []), middle_y(word.box))

    def nearness(self, match: Match) -> float:
        word = self._index.words[match.words[0]]
        heights, here = self._heights.get(word.page, []), middle_y(word.box)
        place = bisect_left(heights, here)
        away = min((abs(each - here) for each in heights[max(place - 1, 0) : place + 1]), default=float("inf"))
        return max(0.0, 1.0 - 3 * away / max(self._index.pages[word.page][1].height, 1.0))


def _grounding(index: WordIndex, leaf: _Leaf) -> Grounding:
    match = leaf.chosen
    if match is None:
        return Grounding(occurrences=len(leaf.matches))
    return Grounding(
        evidence=evidence_of(index, match),
        match=match.score,
        ocr=reading_confidence(index, match),
        occurrences=max(len(leaf.matches), 1),
        label=label_score(index, leaf.wanted, match.words) if leaf.wanted is not None else 0.0,
        spotted=leaf.spotted,
    )
