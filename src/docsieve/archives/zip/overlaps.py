"""Entries that share bytes: a few kilobytes that many entries point to can unpack to petabytes."""

from collections.abc import Iterable
from itertools import groupby, islice
from operator import itemgetter

from docsieve.archives.port import MAX_LISTED


def overlapping(ranges: Iterable[tuple[int, int]], end: int) -> set[int]:
    """The numbers of entries to refuse, so that no byte belongs to two of the others or to the directory at `end`.

    Where one entry reaches into the next, the next is innocent. Of entries that begin at the same byte, the directory's
    first is kept.
    """
    taken = sorted((start, number, start + length) for number, (start, length) in enumerate(islice(ranges, MAX_LISTED)))
    found: set[int] = set()
    following = end
    for start, same in groupby(reversed(taken), key=itemgetter(0)):
        *others, (_, number, stop) = same
        found.update(other[1] for other in others)
        if stop > following:
            found.add(number)
        following = min(start, following)
    return found
