"""Pages of documents that are being read for the first time. They go when the reading ends, however it does."""

from collections.abc import Sequence
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.domain.events import EventType


async def are_wanted(session: Session, document_id: UUID) -> bool:
    """False if there are complete pages of an earlier reading, which are shown until they are replaced."""
    found: bool | None = await session.connection.fetchval(
        "select pages_key is null from documents where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        document_id,
    )
    return bool(found)


async def clear(session: Session, document_id: UUID) -> None:
    """Remove the pages of an earlier attempt, and their chunks."""
    for table in ("early_pages", "chunks"):
        await session.connection.execute(
            f"delete from {table} where tenant_id = $1 and document_id = $2", session.scope.tenant_id, document_id
        )


async def add(session: Session, document_id: UUID, project_id: UUID, frames: Sequence[bytes], *, first: int) -> None:
    await session.connection.execute(
        """
        insert into early_pages (document_id, number, tenant_id, project_id, frame)
        select $2, $4 + place - 1, $1, $3, frame
        from unnest($5::bytea[]) with ordinality as given (frame, place)
        """,
        session.scope.tenant_id,
        document_id,
        project_id,
        first,
        list(frames),
    )


async def announce(session: Session, document_id: UUID, project_id: UUID, pages: int) -> None:
    await session.connection.execute(
        "select emit_event($1, $3, $4, $2, $2, null, jsonb_build_object('document_id', $2::uuid, 'pages', $5::int))",
        session.scope.tenant_id,
        document_id,
        project_id,
        EventType.DOCUMENT_PAGES_READ,
        pages,
    )


async def page(session: Session, document_id: UUID, number: int) -> bytes | None:
    """The frame of a page that has been read."""
    frame: bytes | None = await session.connection.fetchval(
        "select frame from early_pages where tenant_id = $1 and document_id = $2 and number = $3",
        session.scope.tenant_id,
        document_id,
        number,
    )
    return frame


async def pages(session: Session, document_id: UUID, *, after: int, limit: int) -> list[bytes]:
    """The frames of the next pages."""
    rows = await session.connection.fetch(
        """
        select frame from early_pages where tenant_id = $1 and document_id = $2 and number > $3
        order by number limit $4
        """,
        session.scope.tenant_id,
        document_id,
        after,
        limit,
    )
    return [row[0] for row in rows]
