"""The keys that encrypt the blobs of tenants. Requests cannot see the table."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from docsieve.db.connection.driver import Connection


@dataclass(frozen=True, slots=True)
class WrappedKey:
    """A data key, encrypted with the master key of this fingerprint."""

    id: UUID
    tenant_id: UUID
    wrapped: bytes = field(repr=False)
    master: str
    created_at: datetime
    retired_at: datetime | None
    resealed: int


_COLUMNS = "id, tenant_id, wrapped, master, created_at, retired_at, resealed"


async def find(connection: Connection, tenant_id: UUID, key_id: UUID) -> WrappedKey | None:
    row = await connection.fetchrow(
        f"select {_COLUMNS} from data_keys where tenant_id = $1 and id = $2", tenant_id, key_id
    )
    return WrappedKey(**row) if row else None


async def current(connection: Connection, tenant_id: UUID) -> WrappedKey | None:
    row = await connection.fetchrow(
        f"select {_COLUMNS} from data_keys where tenant_id = $1 and retired_at is null", tenant_id
    )
    return WrappedKey(**row) if row else None


async def exist(connection: Connection, tenant_id: UUID) -> bool:
    return bool(await connection.fetchval("select exists (select from data_keys where tenant_id = $1)", tenant_id))


async def add(connection: Connection, tenant_id: UUID, key_id: UUID, wrapped: bytes, master: str) -> bool:
    """Make it the tenant's current key, unless there is one or the tenant is being deleted."""
    status: str = await connection.execute(
        """
        insert into data_keys (id, tenant_id, wrapped, master)
        select $2, id, $3, $4 from tenants where id = $1 and deleted_at is null for key share
        on conflict do nothing
        """,
        tenant_id,
        key_id,
        wrapped,
        master,
    )
    return status.endswith(" 1")


async def lock(connection: Connection, tenant_id: UUID) -> bool:
    """Let no other transaction add or retire keys of the tenant. False if it is being deleted."""
    return bool(
        await connection.fetchval("select true from tenants where id = $1 and deleted_at is null for update", tenant_id)
    )


async def retire(connection: Connection, tenant_id: UUID) -> None:
    await connection.execute(
        "update data_keys set retired_at = clock_timestamp() where tenant_id = $1 and retired_at is null", tenant_id
    )


async def rewrap(connection: Connection, old: WrappedKey, wrapped: bytes, master: str) -> None:
    await connection.execute(
        "update data_keys set wrapped = $3, master = $4 where id = $1 and wrapped = $2",
        old.id,
        old.wrapped,
        wrapped,
        master,
    )


async def wrapped_by_others(connection: Connection, masters: Sequence[str], *, limit: int) -> list[WrappedKey]:
    """Keys that none of these master keys wrapped."""
    rows = await connection.fetch(
        f"select {_COLUMNS} from data_keys where master <> all($1::text[]) order by id limit $2", masters, limit
    )
    return [WrappedKey(**row) for row in rows]


async def one_per_master(connection: Connection) -> list[WrappedKey]:
    """The newest key of each master key that has wrapped any."""
    rows = await connection.fetch(f"select distinct on (master) {_COLUMNS} from data_keys order by master, id desc")
    return [WrappedKey(**row) for row in rows]


async def count(connection: Connection) -> int:
    return int(await connection.fetchval("select count(*) from data_keys"))


async def to_reseal(connection: Connection, folders: int, *, after: UUID | None) -> WrappedKey | None:
    """The next current key, in the order of ids, for which fewer than so many folders have been searched."""
    row = await connection.fetchrow(
        f"""
        select {_COLUMNS} from data_keys
        where retired_at is null and resealed < $1 and ($2::uuid is null or id > $2) order by id limit 1
        """,
        folders,
        after,
    )
    return WrappedKey(**row) if row else None


async def record_resealed(connection: Connection, key_id: UUID, folders: int) -> None:
    await connection.execute("update data_keys set resealed = $2 where id = $1", key_id, folders)


async def missing(connection: Connection, *, limit: int) -> list[UUID]:
    """Tenants that have no key yet."""
    rows = await connection.fetch(
        """
        select id from tenants where deleted_at is null
          and not exists (select from data_keys where tenant_id = tenants.id and retired_at is null)
        order by id limit $1
        """,
        limit,
    )
    return [row["id"] for row in rows]


async def delete_retired(connection: Connection, tenant_id: UUID, *, before: datetime) -> int:
    """Delete keys that were replaced before this time."""
    status: str = await connection.execute(
        "delete from data_keys where tenant_id = $1 and retired_at < $2", tenant_id, before
    )
    return int(status.split()[-1])
