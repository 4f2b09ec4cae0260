"""Documents whose uploaded file is deleted while their pages and results stay."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class DeletedOriginal:
    document_id: UUID
    project_id: UUID
    sha256: str
    size: int


async def mark_deleted(session: Session, ids: Sequence[UUID]) -> list[DeletedOriginal]:
    """Record that the files of these documents are deleted. Those that are being read, or have none, are left out."""
    rows = await session.connection.fetch(
        """
        update documents set original_deleted_at = clock_timestamp(), original_damaged = false, sealed_password = null,
            updated_at = clock_timestamp()
        where tenant_id = $1 and id = any($2::uuid[]) and original_deleted_at is null
          and not document_in_progress(status) and sha256 is not null
        returning id, project_id, sha256, size
        """,
        session.scope.tenant_id,
        list(ids),
    )
    return [DeletedOriginal(*row) for row in rows]


async def contents_with_original(session: Session, contents: Sequence[str]) -> set[str]:
    """Which of these contents are still stored as the file of a document of the tenant."""
    rows = await session.connection.fetch(
        """
        select distinct sha256 from documents
        where tenant_id = $1 and sha256 = any($2::text[]) and original_deleted_at is null
        """,
        session.scope.tenant_id,
        list(contents),
    )
    return {row[0] for row in rows}
