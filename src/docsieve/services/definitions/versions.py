"""Names with numbered versions, as schemas and prompts have them: how a version is added, and a name removed."""

from docsieve.db.connection.session import Session
from docsieve.db.versions import Version, Versions
from docsieve.errors import NotFound
from docsieve.errors.extractions import StillInUse, TooManyNames

MOST_NAMES = 2_000


async def add(
    session: Session,
    versions: Versions,
    name: str,
    content: str,
    *,
    note: str | None,
    created_by: str | None,
    make_current: bool,
    has_ready: bool = False,
) -> Version:
    """The next version of the name. What is exactly its newest version already stays that, so a repeat is harmless.

    A name with nothing else to mean by it takes the version as current in any case.
    """
    if await versions.head(session, name) is None and await versions.count_names(session) >= MOST_NAMES:
        raise TooManyNames(f"A tenant has {MOST_NAMES:,} names at most; deleted ones count, as their versions stay.")
    head = await versions.lock(session, name)
    number = head.newest_version
    newest = await versions.find(session, name, number) if number else None
    if newest is None or newest.content != content:
        number += 1
        await versions.insert(session, name, number, content, note=note, created_by=created_by)
    nothing_else = not has_ready and (head.deleted or not head.current_version)
    if make_current or nothing_else:
        await versions.make_current(session, name, number)
    added = await versions.find(session, name, number)
    assert added is not None
    return added


async def remove(session: Session, versions: Versions, name: str, *, used_by: list[str]) -> None:
    """The name is gone from lists and cannot be asked for; a version that was used stays readable by its number."""
    if used_by:
        raise StillInUse(f"It is what project {used_by[0]} works with; give that another one first.")
    if not await versions.delete(session, name):
        raise NotFound("There is nothing of your own by that name.")
