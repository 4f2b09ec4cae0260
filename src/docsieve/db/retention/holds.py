"""Legal holds. Triggers enforce them; see refuse_held in `schema.sql`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from docsieve.db.connection.session import Session
from docsieve.domain.ids import new_id
from docsieve.errors.retention import AlreadyHeld


@dataclass(frozen=True, slots=True)
class Hold:
    """On a document, a batch, or else the whole project. `placed_by` is the id of a key."""

    id: UUID
    project_id: UUID
    project: str
    document_id: UUID | None
    batch_id: UUID | None
    reason: str
    placed_by: str | None
    placed_by_name: str | None
    placed_at: datetime


_COLUMNS = """id, project_id, (
        select name from projects where projects.tenant_id = $1 and projects.id = legal_holds.project_id) as project,
    document_id, batch_id, reason, placed_by, placed_by_name, placed_at"""


async def lock_project(session: Session, name: str) -> UUID | None:
    """Wait for deletions in the project to be committed, and keep new ones out until the transaction ends."""
    project_id: UUID | None = await session.connection.fetchval(
        "select id from projects where tenant_id = $1 and name = $2 for update", session.scope.tenant_id, name
    )
    return project_id


async def lock_document(session: Session, document_id: UUID) -> UUID | None:
    """Keep the document, and those found in it, from being deleted until the transaction ends. Returns its project.

    Children are deleted with their parent or alone, so both are locked.
    """
    rows = await session.connection.fetch(
        """
        with recursive family as (
            select id from documents where tenant_id = $1 and id = $2
            union
            select child.id from documents as child join family on child.parent_id = family.id
            where child.tenant_id = $1)
        select id, project_id from documents
        where tenant_id = $1 and id in (select id from family) order by id for share
        """,
        session.scope.tenant_id,
        document_id,
    )
    return next((row["project_id"] for row in rows if row["id"] == document_id), None)


async def lock_batch(session: Session, batch_id: UUID) -> UUID | None:
    """The same for a batch with its documents and results."""
    project_id: UUID | None = await session.connection.fetchval(
        "select project_id from batches where tenant_id = $1 and id = $2 for share", session.scope.tenant_id, batch_id
    )
    for rows in (
        "documents where tenant_id = $1 and id in ("
        "select document_id from batch_documents as its where its.tenant_id = $1 and its.batch_id = $2)",
        "extractions where tenant_id = $1 and batch_id = $2",
    ):
        await session.connection.execute(f"select from {rows} order by id for share", session.scope.tenant_id, batch_id)
    return project_id


async def place(
    session: Session, project_id: UUID, *, document_id: UUID | None, batch_id: UUID | None, reason: str
) -> Hold:
    """Raises AlreadyHeld. The object must be locked."""
    actor = session.scope.actor
    try:
        row = await session.connection.fetchrow(
            f"""
            insert into legal_holds (tenant_id, id, project_id, document_id, batch_id, reason, placed_by,
                                     placed_by_name)
            values ($1, $2, $3, $4, $5, $6, $7, $8) returning {_COLUMNS}
            """,
            session.scope.tenant_id,
            new_id(),
            project_id,
            document_id,
            batch_id,
            reason,
            actor.id,
            actor.name,
        )
    except asyncpg.UniqueViolationError as error:
        raise AlreadyHeld from error
    assert row is not None
    return Hold(**row)


async def release(session: Session, hold_id: UUID) -> Hold | None:
    row = await session.connection.fetchrow(
        f"delete from legal_holds where tenant_id = $1 and id = $2 returning {_COLUMNS}",
        session.scope.tenant_id,
        hold_id,
    )
    return Hold(**row) if row else None


async def list_page(session: Session, *, before: UUID | None, limit: int) -> list[Hold]:
    """Newest first."""
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS} from legal_holds where tenant_id = $1 and ($2::uuid is null or id < $2)
        order by id desc limit $3
        """,
        session.scope.tenant_id,
        before,
        limit,
    )
    return [Hold(**row) for row in rows]


async def held_documents(session: Session, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these documents are under legal hold, themselves or through what they belong to."""
    rows = await session.connection.fetch("select held_documents($1, $2::uuid[])", session.scope.tenant_id, list(ids))
    return {row[0] for row in rows}
