"""API keys, which are stored as hashes and looked up by their public id before the tenant is known."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class ApiKey:
    id: str
    name: str
    scopes: list[str]
    project: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class Holder:
    """The holder of a key. Expired and revoked keys have none. `limits` are those of its tenant, as JSON."""

    key_id: str
    name: str
    secret_hash: bytes
    scopes: list[str]
    tenant_id: UUID
    tenant: str
    project_id: UUID | None
    project: str | None
    limits: str = "{}"


_COLUMNS = """api_keys.id, api_keys.name, api_keys.scopes,
    (select projects.name from projects where projects.id = api_keys.project_id) as project,
    api_keys.created_at, api_keys.expires_at, api_keys.revoked_at"""


# Columns, tables and condition of a query for a `Holder`.
HOLDER = """api_keys.id, api_keys.name, secret_hash, scopes, tenants.id, tenants.name, projects.id,
    projects.name, tenants.limits"""
HOLDER_TABLES = """(api_keys join tenants on tenants.id = api_keys.tenant_id
    left join projects on projects.id = api_keys.project_id)"""
HELD = "revoked_at is null and (api_keys.expires_at is null or api_keys.expires_at > clock_timestamp())"


async def find_holder(connection: Connection, key_id: str) -> Holder | None:
    row = await connection.fetchrow(
        f"select {HOLDER} from {HOLDER_TABLES} where api_keys.id = $1 and {HELD}",
        key_id,
    )
    return Holder(*row) if row else None


async def held(connection: Connection, key_ids: Collection[str]) -> set[str]:
    """Those of the keys that are neither expired nor revoked."""
    rows = await connection.fetch(f"select id from api_keys where id = any($1::text[]) and {HELD}", list(key_ids))
    return {row[0] for row in rows}


async def find_admin_named(connection: Connection, tenant_id: UUID, name: str) -> str | None:
    """The newest admin key of this name for the whole tenant that is neither expired nor revoked."""
    key_id: str | None = await connection.fetchval(
        f"""
        select id from api_keys
        where tenant_id = $1 and name = $2 and project_id is null and 'admin' = any (scopes) and {HELD}
        order by created_at desc limit 1
        """,
        tenant_id,
        name,
    )
    return key_id


async def insert(
    connection: Connection,
    tenant_id: UUID,
    key_id: str,
    secret_hash: bytes,
    *,
    name: str,
    scopes: list[str],
    project_id: UUID | None,
    expires_at: datetime | None,
) -> ApiKey:
    row = await connection.fetchrow(
        f"""
        insert into api_keys (id, tenant_id, secret_hash, name, scopes, project_id, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7)
        on conflict (id) do update set revoked_at = null, expires_at = excluded.expires_at
            where api_keys.secret_hash = excluded.secret_hash and api_keys.tenant_id = excluded.tenant_id
        returning {_COLUMNS}
        """,
        key_id,
        tenant_id,
        secret_hash,
        name,
        scopes,
        project_id,
        expires_at,
    )
    assert row is not None
    return ApiKey(*row)


async def list_all(session: Session) -> list[ApiKey]:
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from api_keys where tenant_id = $1 order by created_at, id", session.scope.tenant_id
    )
    return [ApiKey(*row) for row in rows]


async def revoke(session: Session, key_id: str) -> ApiKey | None:
    row = await session.connection.fetchrow(
        f"""
        update api_keys set revoked_at = coalesce(revoked_at, clock_timestamp())
        where tenant_id = $1 and id = $2 returning {_COLUMNS}
        """,
        session.scope.tenant_id,
        key_id,
    )
    return ApiKey(*row) if row else None


async def revoke_others_named(connection: Connection, tenant_id: UUID, name: str, *, keep: str) -> None:
    await connection.execute(
        """
        update api_keys set revoked_at = clock_timestamp()
        where tenant_id = $1 and name = $2 and id <> $3 and revoked_at is null
        """,
        tenant_id,
        name,
        keep,
    )


async def owner_and_name(connection: Connection, key_id: str) -> tuple[UUID, str] | None:
    row = await connection.fetchrow("select tenant_id, name from api_keys where id = $1", key_id)
    return (row[0], row[1]) if row else None


async def any_for(connection: Connection, tenant_id: UUID, *, excluding: str) -> bool:
    """Whether the tenant ever had a key with another name."""
    known = "select exists (select from api_keys where tenant_id = $1 and name <> $2)"
    return bool(await connection.fetchval(known, tenant_id, excluding))
