"""Places and releases legal holds."""

from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.retention import holds
from docsieve.db.retention.holds import Hold
from docsieve.domain.audit import Action
from docsieve.errors import NotFound


@dataclass(frozen=True, slots=True)
class HeldObject:
    """Exactly one of these is set; `project` is a name."""

    document_id: UUID | None = None
    batch_id: UUID | None = None
    project: str | None = None


async def place(session: Session, held: HeldObject, *, reason: str) -> Hold:
    """Keep an object from being deleted by anyone, until the hold is released. Raises NotFound and AlreadyHeld.

    Waits for a deletion that has begun. If that is committed, there is nothing to hold any more.
    """
    if held.document_id is not None:
        project_id = await holds.lock_document(session, held.document_id)
    elif held.batch_id is not None:
        project_id = await holds.lock_batch(session, held.batch_id)
    else:
        assert held.project is not None
        project_id = await holds.lock_project(session, held.project)
    if project_id is None:
        raise NotFound("Document, batch or project not found.")
    placed = await holds.place(session, project_id, document_id=held.document_id, batch_id=held.batch_id, reason=reason)
    _record(session, Action.hold_placed, placed)
    return placed


async def release(session: Session, hold_id: UUID) -> None:
    """Raises NotFound."""
    released = await holds.release(session, hold_id)
    if released is None:
        raise NotFound("Legal hold not found.")
    _record(session, Action.hold_released, released)


def _record(session: Session, action: Action, hold: Hold) -> None:
    kind, held = ("document", hold.document_id) if hold.document_id is not None else ("batch", hold.batch_id)
    if held is None:
        kind, held = "project", hold.project_id
    session.audit(action, kind, held, {"hold": hold.id, "reason": hold.reason}, project_id=hold.project_id)
