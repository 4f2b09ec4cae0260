"""Lists that match the same place: each place is used for one list, or its rows are divided."""

from collections.abc import Mapping, Sequence

from docsieve.engines.local.lists.groups import Group, Listing

MIN_SCORE = 0.3
_USED_BEFORE = 0.35
_SHARED_TABLE = 0.05


def shared_out(groups: Sequence[Group], offered: Sequence[Sequence[Listing]]) -> dict[int, Listing]:
    """The listing of each group that has one. The best match chooses first."""
    order = sorted(range(len(groups)), key=lambda at: -max((each.score for each in offered[at]), default=0.0))
    chosen: dict[int, Listing] = {}
    for at in order:
        used = {listing.key: other for other, listing in chosen.items()}
        for listing in sorted(offered[at], key=lambda each: -_worth(each, used)):
            if _worth(listing, used) < MIN_SCORE:
                break
            holder = used.get(listing.key)
            if holder is not None and not groups[at].scalars and not groups[holder].scalars:
                listing = _dealt(chosen[holder], listing)
            if listing.rows:
                chosen[at] = listing
                break
    for at, listing in chosen.items():
        _add_alike(listing, offered[at], {each.key for each in chosen.values()})
    return {at: listing for at, listing in chosen.items() if listing.rows}


def _worth(listing: Listing, used: Mapping[object, int]) -> float:
    if listing.key not in used:
        return listing.score
    return listing.score - (_SHARED_TABLE if listing.sources else _USED_BEFORE)


def _add_alike(listing: Listing, offered: Sequence[Listing], used: set[object]) -> None:
    """Tables under the same headings, which no other list uses, belong to the same list."""
    if not listing.heading:
        return
    alike = [other for other in offered if other.heading == listing.heading and other.key not in used]
    for other in alike:
        used.add(other.key)
        listing.rows = [*listing.rows, *other.rows]
        listing.sources = [*listing.sources, *other.sources]


def _dealt(first: Listing, second: Listing) -> Listing:
    """Each row goes to the list that fills more of its columns from it."""
    if not first.sources or not second.sources:
        return second
    cells = dict(zip(first.sources, map(len, first.rows), strict=True))
    won = [
        (source, row)
        for source, row in zip(second.sources, second.rows, strict=True)
        if len(row) > cells.get(source, 0)
    ]
    taken = {source for source, _ in won}
    kept = [(source, row) for source, row in zip(first.sources, first.rows, strict=True) if source not in taken]
    first.sources, first.rows = [source for source, _ in kept], [row for _, row in kept]
    return Listing([row for _, row in won], second.score, second.why, second.key, [source for source, _ in won])
