"""Rows by the kind of table they were read from, which the engine names at the start of its reason."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from docsieve.evaluation.figures import Count, Leaf, in_header

NOTHING_READ = "nothing read"
_NAMED = re.compile(r"(?:in )?(?:an? )?([a-z][a-z -]*?)(?= [a-z]+ (?:page|')|$|[^a-z -])")


def rows_by_kind(documents: Iterable[Sequence[Leaf]]) -> dict[str, Count]:
    """Counts of the leaves of rows, by kind of table; each sequence has the leaves of one document.

    A true value that was not found counts for the kind that its row was read from, else for the kind of most rows of
    its list in that document, else as `nothing read`.
    """
    counts: dict[str, Count] = {}
    for leaves in documents:
        rows = [leaf for leaf in leaves if not in_header(leaf)]
        by_row: dict[str, str] = {}
        by_list: dict[str, Counter[str]] = {}
        for leaf in rows:
            if leaf.path is not None and (kind := kind_of(leaf.why)) is not None:
                by_list.setdefault(_list_of(leaf.pattern), Counter())[kind] += 1
                by_row.setdefault(_row_of(leaf.truth_path), kind)
        for leaf in rows:
            kinds = by_list.get(_list_of(leaf.pattern))
            usual = kinds.most_common(1)[0][0] if kinds else NOTHING_READ
            of_row = by_row.get(_row_of(leaf.truth_path), usual) if leaf.truth_path else usual
            counts.setdefault(kind_of(leaf.why) or of_row, Count()).add(leaf)
    return dict(sorted(counts.items(), key=lambda each: -each[1].wanted))


def kind_of(why: str | None) -> str | None:
    """`ruled table` of "in a ruled table on page 2"."""
    named = _NAMED.match(why) if why else None
    return named.group(1) if named else None


def _row_of(path: str | None) -> str:
    return (path or "").rpartition("]")[0]


def _list_of(pattern: str) -> str:
    return pattern.rpartition("[]")[0]
