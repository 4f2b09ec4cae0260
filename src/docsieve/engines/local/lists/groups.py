"""Fields that repeat together: the columns of one list in the schema."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from docsieve.domain.extraction import Spot
from docsieve.domain.schemas.fields import ITEM
from docsieve.engines.local.page.places import mark
from docsieve.engines.local.vocabulary.canon import canonical, words_of_name
from docsieve.engines.local.vocabulary.lexicon import GENERIC
from docsieve.engines.local.vocabulary.matcher import Matcher
from docsieve.engines.local.vocabulary.targets import ROW_CONCEPTS, Target, Words

_NAMING = frozenset(("number", "id", "code", "name", "reference"))
_OF_THE_LIST = 0.9
_SECTIONS_TEXT = "section category group heading department class part division area chapter"
_SECTIONS = frozenset(word for name in _SECTIONS_TEXT.split() for word in words_of_name(name))


@dataclass(slots=True, eq=False)
class Column:
    target: Target
    matcher: Matcher


@dataclass(frozen=True, slots=True)
class TaughtList:
    """The headings that verified rows had over each column, by pattern, and the names of lines that are not entries."""

    headings: Mapping[str, Mapping[Words, float]]
    skipped: frozenset[str]


TaughtLists = Mapping[str, TaughtList]
"""By the name of the list."""


@dataclass(slots=True, eq=False)
class Group:
    """`words` name the list itself; with `scalars`, each column is a separate array (`names[]`, `prices[]`)."""

    columns: list[Column]
    words: Words
    scalars: bool = False
    skipped: frozenset[str] = frozenset()

    def skips(self, text: str) -> bool:
        """Whether a line that begins like this is known not to be an entry."""
        return bool(self.skipped) and mark(row_name(text)) in self.skipped


def row_name(text: str) -> str:
    """The words that a line begins with: `Carried forward 12.50` is `carried forward`."""
    return " ".join(word for word in canonical(text) if not any(map(str.isdigit, word)))


@dataclass(slots=True, eq=False)
class Cell:
    text: str
    spots: list[Spot] = field(default_factory=list)
    worth: float = 1.0
    """How sure it is that this text belongs to the column, compared with other cells of the list."""


@dataclass(slots=True, eq=False)
class Listing:
    """Rows found for a group, each with its cells by column. `score` rates the match, `why` is its location."""

    rows: list[dict[int, Cell]]
    score: float
    why: str
    key: object = None
    """The source of the rows, so that two groups do not use the same one."""
    sources: list[object] = field(default_factory=list)
    """The source of each single row, if known, so that two groups can share a table."""
    heading: str = ""
    """The headings of the table. Tables with the same ones are one list, unless another list needs one of them."""


def groups_of(targets: Sequence[Target], taught: TaughtLists | None = None) -> list[Group]:
    """One group per array of objects; arrays of plain values that describe the same items share a group."""
    by_path: dict[tuple[str, ...], list[Target]] = {}
    for target in targets:
        path = target.field.group
        if path is not None and ITEM not in path:
            by_path.setdefault(path, []).append(target)
    groups: list[Group] = []
    columns = Columns(taught)
    items: list[Target] = []
    for path, members in by_path.items():
        scalar = members[0].field.path[-1] == ITEM
        if scalar and members[0].name in ROW_CONCEPTS:
            items += members
        else:
            words = words_of_name(path[-1])
            _add_list_name(members, words)
            groups.append(Group([columns.of(target) for target in members], words, scalar, columns.skipped(members[0])))
    if items:
        groups.append(Group([columns.of(target) for target in items], ("item",), True))
    return groups


def _add_list_name(targets: Sequence[Target], words: Words) -> None:
    """A column is often headed by what its entries are: `Container` over the numbers of containers."""
    naming = [target for target in targets if target.concept is None and _NAMING.issuperset(target.words)]
    if naming and not GENERIC.issuperset(words):
        naming[0].own += [(words, _OF_THE_LIST), ((*words, *naming[0].words), _OF_THE_LIST)]


def section_column(group: Group, known: Container[int]) -> int | None:
    """The column that names the section of an entry, if no column of the table was matched to it."""
    for at, column in enumerate(group.columns):
        if at not in known and column.target.field.kind == "string" and not _SECTIONS.isdisjoint(column.target.words):
            return at
    return None


def choices_of(scored: Iterable[tuple[int, float]]) -> Counter[int]:
    """For each column, how many headings fit it best. Of columns that fit a heading equally, the one with fewer has it.

    `Item` over names is the number of the line only where another heading is left for the name.
    """
    every = list(scored)
    best: dict[int, float] = {}
    for at, score in every:
        best[at] = max(best.get(at, 0.0), score)
    return Counter(at for at, score in every if score == best[at])


class Columns:
    """Caches the columns of a group: lists with equal fields, as in reports, share their matchers."""

    def __init__(self, taught: TaughtLists | None = None) -> None:
        self._taught = taught or {}
        self._matchers: dict[tuple[object, ...], Matcher] = {}

    def skipped(self, target: Target) -> frozenset[str]:
        taught = self._taught.get(_list_of(target))
        return taught.skipped if taught is not None else frozenset()

    def of(self, target: Target) -> Column:
        taught = self._taught.get(_list_of(target))
        headings = taught.headings.get(target.field.pattern) if taught is not None else None
        if headings:
            return Column(target, Matcher(target, headings))
        own = tuple(target.own)
        asked = (
            target.type,
            target.name,
            target.party,
            target.role,
            target.field.kind,
            target.extra,
            target.words,
            own,
        )
        if asked not in self._matchers:
            self._matchers[asked] = Matcher(target)
        return Column(target, self._matchers[asked])


def _list_of(target: Target) -> str:
    return target.field.pattern.partition("[")[0]
