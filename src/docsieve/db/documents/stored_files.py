"""The files that documents have in the blob store, and the results of checking them. Mostly across all tenants."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session

_COLUMNS = """tenant_id, id, size, sha256, case when status = 'ready' then pages_key end as pages_key,
    original_deleted_at is not null as original_deleted"""


@dataclass(frozen=True, slots=True)
class StoredFiles:
    """`pages_key` is None unless the document is ready: pages may still be written otherwise."""

    tenant_id: UUID
    document_id: UUID
    size: int
    sha256: str
    pages_key: str | None
    original_deleted: bool = False


async def due(connection: Connection, *, older_than_days: float, limit: int) -> list[StoredFiles]:
    """Documents whose files were last checked more than `older_than_days` ago, the oldest check first."""
    rows = await connection.fetch(
        f"""
        select {_COLUMNS} from documents
        where status = 'ready'
          and coalesce(files_checked_at, created_at) < clock_timestamp() - make_interval(secs => $1 * 86400)
        order by coalesce(files_checked_at, created_at) limit $2
        """,
        older_than_days,
        limit,
    )
    return [StoredFiles(*row) for row in rows]


async def count_due(connection: Connection, *, older_than_days: float, limit: int) -> int:
    """How many documents `due` would return."""
    found: int = await connection.fetchval(
        """
        select count(*) from (
            select from documents
            where status = 'ready'
              and coalesce(files_checked_at, created_at) < clock_timestamp() - make_interval(secs => $1 * 86400)
            limit $2) as listed
        """,
        older_than_days,
        limit,
    )
    return found


async def after(connection: Connection, document_id: UUID, *, limit: int) -> list[StoredFiles]:
    """The next documents, by id."""
    rows = await connection.fetch(
        f"select {_COLUMNS} from documents where id > $1 and sha256 is not null order by id limit $2",
        document_id,
        limit,
    )
    return [StoredFiles(*row) for row in rows]


async def record_checks(connection: Connection, ids: Sequence[UUID], *, damaged_originals: Sequence[UUID]) -> None:
    await connection.execute(
        """
        update documents set files_checked_at = clock_timestamp(), original_damaged = id = any($2::uuid[])
        where id = any($1::uuid[])
        """,
        list(ids),
        list(damaged_originals),
    )


async def damaged_originals(connection: Connection) -> int:
    count: int = await connection.fetchval("select count(*) from documents where original_damaged")
    return count


async def begin_repair(session: Session, document_id: UUID, job_id: UUID) -> UUID | None:
    """Assign a repair job to a document. Returns its project, or None if it is not ready or its file was deleted."""
    project_id: UUID | None = await session.connection.fetchval(
        """
        update documents set job_id = $3, status = 'pending', updated_at = clock_timestamp()
        where tenant_id = $1 and id = $2 and status = 'ready' and original_deleted_at is null returning project_id
        """,
        session.scope.tenant_id,
        document_id,
        job_id,
    )
    return project_id
