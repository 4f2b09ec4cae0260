"""Uploads that clients send to the blob store themselves."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class Upload:
    """`options` are those of the upload without its password."""

    id: UUID
    tenant_id: UUID
    filename: str
    size: int
    sha256: str | None
    part_bytes: int
    options: dict[str, Any]
    expires_at: datetime
    sealed_password: bytes | None = field(default=None, repr=False)
    document_id: UUID | None = None

    @property
    def part_sizes(self) -> list[int]:
        """The size of each part in their order; only the last may be smaller than the others."""
        return [min(self.part_bytes, self.size - start) for start in range(0, self.size, self.part_bytes)]


async def add(session: Session, upload: Upload, project_id: UUID) -> None:
    await session.connection.execute(
        """
        insert into uploads (id, tenant_id, project_id, filename, size, sha256, part_bytes, options, sealed_password,
                             expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10)
        """,
        upload.id,
        session.scope.tenant_id,
        project_id,
        upload.filename,
        upload.size,
        upload.sha256,
        upload.part_bytes,
        json.dumps(upload.options),
        upload.sealed_password,
        upload.expires_at,
    )


async def find(session: Session, upload_id: UUID) -> Upload | None:
    row = await session.connection.fetchrow(
        """
        select id, tenant_id, filename, size, sha256, part_bytes, options, sealed_password, expires_at, document_id
        from uploads where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        upload_id,
    )
    return Upload(**{**row, "options": json.loads(row["options"])}) if row is not None else None


async def complete(session: Session, upload_id: UUID, document_id: UUID) -> None:
    await session.connection.execute(
        "update uploads set document_id = $3, sealed_password = null where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        upload_id,
        document_id,
    )


async def delete(session: Session, upload_id: UUID) -> bool:
    """Delete an upload that is not completed; False if there is none."""
    deleted = await session.connection.fetchval(
        "delete from uploads where tenant_id = $1 and id = $2 and document_id is null returning id",
        session.scope.tenant_id,
        upload_id,
    )
    return deleted is not None


async def abandoned(connection: Connection, *, after: UUID | None, limit: int) -> list[tuple[UUID, UUID, int]]:
    """Tenant, id and number of parts of uploads whose time is over, completed or not, in the order of their ids."""
    rows = await connection.fetch(
        """
        select tenant_id, id, ceil(size::numeric / part_bytes)::integer as parts from uploads
        where expires_at < now() and ($1::uuid is null or id > $1) order by id limit $2
        """,
        after,
        limit,
    )
    return [(row["tenant_id"], row["id"], row["parts"]) for row in rows]


async def forget(connection: Connection, ids: Sequence[UUID]) -> None:
    await connection.execute("delete from uploads where id = any($1::uuid[])", list(ids))


async def unfinished(connection: Connection, ids: Sequence[UUID]) -> set[UUID]:
    """Which of these are still being sent, or are documents that are being downloaded."""
    rows = await connection.fetch(
        """
        select id from uploads where id = any($1::uuid[]) and document_id is null
        union all select id from documents where id = any($1::uuid[]) and staged is not null
        """,
        list(ids),
    )
    return {row["id"] for row in rows}
