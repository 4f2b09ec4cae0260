"""Adds versions and removes names, for schemas and prompts alike."""

from docsieve.db.connection.session import Session
from docsieve.db.definitions.versions import Version, Versions
from docsieve.domain.audit import Action
from docsieve.errors import NotFound
from docsieve.errors.extractions import StillInUse, TooManyNames

MAX_NAMES = 2_000


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
    counted: bool = True,
) -> Version:
    """Add the next version of the name, unless the content equals the newest version, so that retries are harmless.

    If the name has no current version, the new one always becomes current.
    """
    new = counted and await versions.head(session, name) is None
    if new and await versions.count_names(session) >= MAX_NAMES:
        raise TooManyNames(
            f"A tenant can have at most {MAX_NAMES:,} names, including deleted ones, whose versions are kept."
        )
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
    if counted and (number, added.current) != (head.newest_version, head.current_version == number):
        action = Action(f"{versions.noun}.{'created' if number == 1 else 'changed'}")
        session.audit(action, versions.noun, name, {"version": number, "current": added.current})
    return added


async def use(session: Session, versions: Versions, name: str, version: int) -> None:
    """Make an existing version current."""
    await versions.lock(session, name)
    await versions.make_current(session, name, version)
    session.audit(Action(f"{versions.noun}.changed"), versions.noun, name, {"version": version, "current": True})


async def remove(session: Session, versions: Versions, name: str, *, used_by: list[str]) -> None:
    """Delete a name. It is no longer listed or found, but its versions can still be read by number."""
    if used_by:
        raise StillInUse(f"Project {used_by[0]} still uses it. Assign the project a different one first.")
    if not await versions.delete(session, name):
        raise NotFound("You have no schema or prompt with that name.")
    session.audit(Action(f"{versions.noun}.deleted"), versions.noun, name)
