"""Groups the documents of a batch. Every document is in exactly one group, so that none is left out unnoticed."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from uuid import UUID

from docsieve.domain.batches import MAX_GROUP_DOCUMENTS, Group, GroupBy, GroupProblem, Member
from docsieve.services.batches.natural_order import natural_key
from docsieve.services.batches.patterns import NamePattern

UNPACKED = "unpacked"
UNCLASSIFIED = "unclassified"
ALL = "all"
_UNREADABLE = ("failed", "cancelled")
_MAX_NAME = 255


def group(
    members: Sequence[Member],
    by: GroupBy,
    *,
    started: Collection[UUID] = (),
    taken_names: Iterable[str] = (),
) -> list[Group]:
    """The groups of all documents that were not started before, in natural order of their names.

    `members` includes unpacked archives and packets that were cut, which are in no group themselves but name the
    folders of their entries and parts.
    Raises PatternInvalid.
    """
    places = _Places(members)
    cut = {each.parent_id for each in members if each.is_part}
    new = [each for each in members if each.status != UNPACKED and each.id not in cut and each.id not in started]
    new.sort(key=lambda each: natural_key(places.path(each)))
    found = _explicit(new, by, places) if by.mode == "explicit" else _by_key(new, by, places)
    return _with_unique_names(found, taken_names)


class _Places:
    """Where documents are inside the archives of a batch."""

    def __init__(self, members: Sequence[Member]) -> None:
        self._members: Mapping[UUID, Member] = {each.id: each for each in members}
        roots = [each for each in members if each.status == UNPACKED and each.parent_id not in self._members]
        self._one_root = len(roots) == 1

    def path(self, member: Member) -> str:
        """The path of a document from the outermost archive of the batch."""
        parent = self._members.get(member.parent_id) if member.parent_id is not None else None
        if parent is None:
            return member.filename
        return f"{self.path(parent)}/{member.path or member.filename}"

    def shown(self, member: Member) -> str:
        """The path, without the archive if the batch has only one."""
        path = self.path(member)
        inside = member.parent_id in self._members
        return path.partition("/")[2] if inside and self._one_root else path

    def folder(self, member: Member) -> str | None:
        """The folder inside the archives; attachments are in that of their mail. None outside of archives."""
        parent = self._members.get(member.parent_id) if member.parent_id is not None else None
        if parent is None:
            return None
        if parent.status != UNPACKED:
            return self.folder(parent)
        folder = str(PurePosixPath(self.path(member)).parent)
        return (folder.partition("/")[2] or folder) if self._one_root else folder


def _key(by: GroupBy, places: _Places) -> Callable[[Member], str | None]:
    """What names the group of a document; None for a separate group."""
    if by.mode == "all":
        return lambda _: ALL
    if by.mode == "class":
        return lambda member: member.document_class or UNCLASSIFIED
    if by.mode == "folder":
        return places.folder
    if by.mode == "pattern":
        assert by.pattern is not None
        pattern = NamePattern(by.pattern)
        return lambda member: pattern.group_of(member.filename)
    return lambda _: None


def _by_key(members: Sequence[Member], by: GroupBy, places: _Places) -> list[Group]:
    key = _key(by, places)
    keyed: dict[str, list[Member]] = {}
    found = []
    for member in members:
        name = key(member)
        if name is not None:
            keyed.setdefault(name, []).append(member)
            continue
        found.append(Group(places.shown(member), [member]))
        if by.mode == "pattern":
            found[-1].problems.append(GroupProblem("no_match", "The pattern does not match its name.", member.id))
    found += [Group(name, documents) for name, documents in keyed.items()]
    return sorted(found, key=lambda each: natural_key(each.name))


def _explicit(members: Sequence[Member], by: GroupBy, places: _Places) -> list[Group]:
    """In the given order, then documents that are in none of the groups, each alone."""
    left = {each.id: each for each in members}
    found = []
    for listed in by.groups or ():
        documents = [left.pop(each) for each in listed.documents if each in left]
        if documents:
            found.append(Group(listed.name or places.shown(documents[0]), documents))
    for member in left.values():
        problem = GroupProblem("not_listed", "It is in none of the groups.", member.id)
        found.append(Group(places.shown(member), [member], [problem]))
    return found


def _with_unique_names(groups: Iterable[Group], taken: Iterable[str]) -> list[Group]:
    """A name that was used before gets a number: `a.pdf (2)`."""
    used = set(taken)
    counts: dict[str, int] = {}
    unique = []
    for each in groups:
        base = name = each.name[-_MAX_NAME:]
        while name in used:
            counts[base] = counts.get(base, 1) + 1
            name = f"{base} ({counts[base]})"
        used.add(name)
        unique.append(replace(each, name=name, problems=[*each.problems, *_problems(each)]))
    return unique


def _problems(found: Group) -> Iterator[GroupProblem]:
    outcome = "the group will fail" if len(found.documents) == 1 else "it will be left out"
    for member in found.documents:
        if member.status in _UNREADABLE:
            reason = "Its processing was cancelled" if member.status == "cancelled" else "It could not be read"
            yield GroupProblem("unreadable", f"{reason}: {outcome}.", member.id)
    if len(found.documents) > MAX_GROUP_DOCUMENTS:
        yield GroupProblem("too_many_documents", f"A group can have at most {MAX_GROUP_DOCUMENTS} documents.")
