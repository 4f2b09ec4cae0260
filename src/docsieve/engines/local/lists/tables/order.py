"""Columns identified by order: schemas usually list fields in the order of the table."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

_MIN_KNOWN = 0.5

Reads = Callable[[int, int], bool]
"""Whether the cells of a table column have the type of a list column."""


def by_order(columns: int, known: Mapping[int, int], places: Sequence[int], reads: Reads) -> dict[int, int]:
    """Assign unmatched columns between matched neighbors if exactly as many table columns are left."""
    if len(known) < max(2, _MIN_KNOWN * columns) or len(known) == columns:
        return {}
    steps = [known[at] for at in sorted(known)]
    if steps != sorted(steps):
        return {}
    found: dict[int, int] = {}
    edges = [-1, *sorted(known), columns]
    for before, after in pairwise(edges):
        wanted = list(range(before + 1, after))
        low, high = known.get(before, -1), known.get(after, max(places, default=-1) + 1)
        free = [place for place in places if low < place < high]
        if wanted and len(wanted) == len(free) and all(map(reads, wanted, free)):
            found |= zip(wanted, free, strict=True)
    return found


def by_shape(wanted: Sequence[int], places: Sequence[int], reads: Reads, *, runs_left: bool) -> dict[int, int]:
    """Assign all columns by order if the table has exactly as many and each has the wanted type.

    A right-to-left table starts at the right on paper, and at the left in formats that list its columns.
    """
    if len(places) != len(wanted):
        return {}
    for backwards in (True, False) if runs_left else (False,):
        ordered = sorted(places, reverse=backwards)
        if all(map(reads, wanted, ordered)):
            return dict(zip(wanted, ordered, strict=True))
    return {}
