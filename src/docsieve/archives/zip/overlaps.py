"""Entries that share bytes: a few kilobytes that many entries point to can unpack to petabytes."""

from collections.abc import Iterable
from itertools import islice

from docsieve.archives.port import MAX_LISTED


def overlapping(ranges: Iterable[tuple[int, int]], end: int) -> set[int]:
    """The numbers of entries whose bytes belong to another entry too, or to the directory, which begins at `end`."""
    taken = sorted((start, start + length, number) for number, (start, length) in enumerate(islice(ranges, MAX_LISTED)))
    found: set[int] = set()
    reach, holder = 0, -1
    for start, stop, number in taken:
        if start < reach:
            found.update((number, holder))
        if stop > end:
            found.add(number)
        if stop > reach:
            reach, holder = stop, number
    return found
