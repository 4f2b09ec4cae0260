"""Fields that repeat together: the columns of one list, as the schema says."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from docsieve.domain.extraction import Spot
from docsieve.domain.schemas.fields import ITEM
from docsieve.engines.local.canon import words_of_name
from docsieve.engines.local.matching import Matcher
from docsieve.engines.local.wants import ROW_CONCEPTS, Want, Words


@dataclass(slots=True, eq=False)
class Column:
    want: Want
    matcher: Matcher


@dataclass(slots=True, eq=False)
class Group:
    """`words` name the list itself; with `scalars`, each column is an array of its own (`names[]`, `prices[]`)."""

    columns: list[Column]
    words: Words
    scalars: bool = False


@dataclass(slots=True, eq=False)
class Cell:
    text: str
    spots: list[Spot] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Listing:
    """Rows found for a group: for each the cells by column. `score` says how well they fit, `why` where they stood."""

    rows: list[dict[int, Cell]]
    score: float
    why: str
    key: object = None
    """What the rows were read from, so that two groups do not read the same."""


def groups_of(wants: Sequence[Want]) -> list[Group]:
    """Arrays of objects, one group each; arrays of plain values that belong to one list of items share a group."""
    by_path: dict[tuple[str, ...], list[Want]] = {}
    for want in wants:
        path = want.field.group
        if path is not None and ITEM not in path:
            by_path.setdefault(path, []).append(want)
    groups: list[Group] = []
    items: list[Want] = []
    for path, members in by_path.items():
        scalar = members[0].field.path[-1] == ITEM
        if scalar and members[0].name in ROW_CONCEPTS:
            items += members
        else:
            about = " ".join((path[-1],))
            groups.append(Group([_column(want) for want in members], words_of_name(about), scalar))
    if items:
        groups.append(Group([_column(want) for want in items], ("item",), True))
    return groups


def _column(want: Want) -> Column:
    return Column(want, Matcher(want))
