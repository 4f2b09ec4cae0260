"""The keys that encrypt the blobs of tenants. Requests cannot see the table."""

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


@dataclass(frozen=True, slots=True)
class Unsealed:
    """A tenant that may have blobs without its current key, which is None if it has no key yet."""

    tenant_id: UUID
    key_id: UUID | None
    resealed: int


@dataclass(frozen=True, slots=True)
class KeyState:
    """The keys of a tenant, for the operator."""

    tenant: str
    key_id: UUID | None
    created_at: datetime | None
    resealed: int
    retired: int
    masters: list[str]


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


async def wrapped_by_others(connection: Connection, master: str, *, after: UUID | None, limit: int) -> list[WrappedKey]:
    """Keys that another master key wrapped, in the order of ids."""
    rows = await connection.fetch(
        f"""
        select {_COLUMNS} from data_keys where master <> $1 and ($2::uuid is null or id > $2) order by id limit $3
        """,
        master,
        after,
        limit,
    )
    return [WrappedKey(**row) for row in rows]


async def one_per_master(connection: Connection) -> list[WrappedKey]:
    """The newest key of each master key that has wrapped any."""
    rows = await connection.fetch(f"select distinct on (master) {_COLUMNS} from data_keys order by master, id desc")
    return [WrappedKey(**row) for row in rows]


async def count(connection: Connection) -> int:
    return int(await connection.fetchval("select count(*) from data_keys"))


async def states(connection: Connection) -> list[KeyState]:
    """Of every tenant, by name."""
    rows = await connection.fetch(
        """
        select name as tenant, current.id as key_id, current.created_at, coalesce(current.resealed, 0) as resealed,
            (select count(*) from data_keys where tenant_id = tenants.id and retired_at is not null) as retired,
            array(select distinct master from data_keys where tenant_id = tenants.id order by master) as masters
        from tenants left join data_keys as current on current.tenant_id = tenants.id and retired_at is null
        where deleted_at is null order by name
        """
    )
    return [KeyState(**row) for row in rows]


async def next_unsealed(connection: Connection, folders: int, *, after: UUID | None) -> Unsealed | None:
    """The next tenant, in the order of ids, of which fewer than so many folders have been searched."""
    row = await connection.fetchrow(
        """
        select tenants.id as tenant_id, current.id as key_id, coalesce(resealed, 0) as resealed
        from tenants left join data_keys as current on current.tenant_id = tenants.id and retired_at is null
        where deleted_at is null and coalesce(resealed, 0) < $1 and ($2::uuid is null or tenants.id > $2)
        order by tenants.id limit 1
        """,
        folders,
        after,
    )
    return Unsealed(**row) if row else None


async def record_resealed(connection: Connection, key_id: UUID, folders: int) -> None:
    await connection.execute("update data_keys set resealed = $2 where id = $1", key_id, folders)
