"""Deletions of whole tenants: the request, the rows that go, and the certificate that stays."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.access.tenants import Tenant
from docsieve.db.connection.driver import Connection, Record
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.domain.audit import Actor
from docsieve.domain.ids import new_id


@dataclass(frozen=True, slots=True)
class TenantDeletion:
    """`rows` are those found when the deletion began; `certificate` is set once everything is gone.

    `data_keys` were deleted with the request, which made all blobs of the tenant unreadable.
    """

    id: UUID
    tenant_id: UUID
    tenant_name: str
    tenant_created_at: datetime
    requested_by: dict[str, Any]
    requested_at: datetime
    rows: dict[str, int] | None
    objects: int
    object_bytes: int
    audit_entries: int | None
    audit_head: bytes | None
    data_keys: int
    data_keys_deleted_at: datetime | None
    completed_at: datetime | None
    certificate: dict[str, Any] | None


_COLUMNS = """id, deleted_tenant_id as tenant_id, tenant_name, tenant_created_at, requested_by, requested_at, rows,
    objects, object_bytes, audit_entries, audit_head, data_keys, data_keys_deleted_at, completed_at, certificate"""

AUDIT_TABLES = ("audit_log", "audit_heads")

# What refers to a table comes before it. `jobs` is first: without its job, no worker writes anything.
_TABLES = """
with recursive owned as (
    select pg_class.oid, relname from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and attname = 'tenant_id'
      and not attisdropped),
depths as (
    select oid, relname, 0 as depth from owned
    union
    select owned.oid, owned.relname, depth + 1
    from depths join pg_constraint on contype = 'f' and confrelid <> conrelid and conrelid = depths.oid
    join owned on owned.oid = confrelid
    where depth < 20)
select relname from depths group by relname order by relname <> 'jobs', max(depth), relname
"""


def _deletion(row: Record) -> TenantDeletion:
    values = dict(row)
    for name in ("requested_by", "rows", "certificate"):
        values[name] = json.loads(values[name]) if values[name] is not None else None
    return TenantDeletion(**values)


async def lock(connection: Connection, tenant_id: UUID) -> None:
    """Wait for whatever places a hold or adds a key, and keep others from it until the transaction ends."""
    await connection.execute("select from tenants where id = $1 for update", tenant_id)


async def has_holds(connection: Connection, tenant_id: UUID) -> bool:
    return bool(await connection.fetchval("select exists (select from legal_holds where tenant_id = $1)", tenant_id))


async def begin(connection: Connection, tenant: Tenant, requested_by: Actor) -> TenantDeletion:
    """Shut the tenant out, delete its data keys, and record who asked for it; again, the first request stays."""
    for statement in (
        "update tenants set deleted_at = coalesce(deleted_at, clock_timestamp()) where id = $1",
        "update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp()) where tenant_id = $1",
        "delete from sessions where key_id in (select id from api_keys where tenant_id = $1)",
        "delete from sign_in_links where key_id in (select id from api_keys where tenant_id = $1)",
    ):
        await connection.execute(statement, tenant.id)
    who = {"kind": requested_by.kind, "id": requested_by.id, "name": requested_by.name}
    row = await connection.fetchrow(
        f"""
        with deleted as (delete from data_keys where tenant_id = $2 returning id)
        insert into tenant_deletions (
            id, deleted_tenant_id, tenant_name, tenant_created_at, requested_by, data_keys, data_keys_deleted_at)
        select $1, $2, $3, $4, $5, count(*), case when count(*) > 0 then clock_timestamp() end from deleted
        on conflict (deleted_tenant_id) do update set tenant_name = excluded.tenant_name returning {_COLUMNS}
        """,
        new_id(),
        tenant.id,
        tenant.name,
        tenant.created_at,
        json.dumps(who),
    )
    assert row is not None
    return _deletion(row)


async def find(connection: Connection, deletion_id: UUID) -> TenantDeletion | None:
    row = await connection.fetchrow(f"select {_COLUMNS} from tenant_deletions where id = $1", deletion_id)
    return _deletion(row) if row else None


async def list_page(connection: Connection, *, before: UUID | None, limit: int) -> list[TenantDeletion]:
    """Newest first."""
    rows = await connection.fetch(
        f"""
        select {_COLUMNS} from tenant_deletions where $1::uuid is null or id < $1 order by id desc limit $2
        """,
        before,
        limit,
    )
    return [_deletion(row) for row in rows]


async def tables(connection: Connection) -> list[str]:
    """Every table with rows of tenants, in an order in which they can be emptied. The audit log comes last."""
    found = [row[0] for row in await connection.fetch(_TABLES)]
    return [*(each for each in found if each not in AUDIT_TABLES), *AUDIT_TABLES]


async def count_rows(connection: Connection, tables: Sequence[str], tenant_id: UUID) -> dict[str, int]:
    return {
        table: await connection.fetchval(
            f'select count(*) from "{table}" where tenant_id = $1', tenant_id, timeout=BULK_SECONDS
        )
        for table in tables
    }


async def delete_slice(connection: Connection, table: str, tenant_id: UUID, *, limit: int) -> int:
    status: str = await connection.execute(
        f"""
        delete from "{table}" where tenant_id = $1 and ctid = any(array(
            select ctid from "{table}" where tenant_id = $1 limit $2))
        """,
        tenant_id,
        limit,
        timeout=BULK_SECONDS,
    )
    return int(status.split()[-1])


async def record_rows(connection: Connection, deletion_id: UUID, rows: Mapping[str, int]) -> None:
    await connection.execute(
        "update tenant_deletions set rows = $2 where id = $1 and rows is null", deletion_id, json.dumps(rows)
    )


async def add_objects(connection: Connection, deletion_id: UUID, *, objects: int, object_bytes: int) -> None:
    await connection.execute(
        "update tenant_deletions set objects = objects + $2, object_bytes = object_bytes + $3 where id = $1",
        deletion_id,
        objects,
        object_bytes,
    )


async def record_audit_head(connection: Connection, deletion_id: UUID, tenant_id: UUID) -> None:
    """Keep the end of the tenant's audit log, which is deleted too."""
    await connection.execute(
        """
        update tenant_deletions set audit_entries = coalesce(entries, 0), audit_head = hash
        from (values (1)) as once left join audit_heads on tenant_id = $2
        where id = $1 and audit_entries is null
        """,
        deletion_id,
        tenant_id,
    )


async def complete(connection: Connection, deletion: TenantDeletion, certificate: Mapping[str, Any]) -> None:
    """Delete the tenant itself, and store the certificate."""
    await connection.execute("delete from tenants where id = $1", deletion.tenant_id)
    await connection.execute(
        "update tenant_deletions set completed_at = $2, certificate = $3 where id = $1",
        deletion.id,
        datetime.fromisoformat(certificate["completed_at"]),
        json.dumps(certificate),
    )
