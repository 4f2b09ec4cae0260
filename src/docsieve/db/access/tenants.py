"""Tenants. The operator sees all of them, a tenant only itself."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.connection.driver import Connection, Record
from docsieve.domain.ids import new_id
from docsieve.errors import NameTaken


@dataclass(frozen=True, slots=True)
class Tenant:
    """`limits` replace those of the setting, as they are written there; `quotas` are per month."""

    id: UUID
    name: str
    weight: float
    created_at: datetime
    budget_usd: float | None = None
    deleted_at: datetime | None = None
    limits: dict[str, str] = field(default_factory=dict)
    quotas: dict[str, int] = field(default_factory=dict)


_COLUMNS = "id, name, weight, created_at, budget_usd::float8, deleted_at, limits, quotas"


def _tenant(row: Record) -> Tenant:
    return Tenant(**{**row, "limits": json.loads(row["limits"]), "quotas": json.loads(row["quotas"])})


async def create(connection: Connection, name: str, *, weight: float = 1.0) -> Tenant:
    try:
        row = await connection.fetchrow(
            f"insert into tenants (id, name, weight) values ($1, $2, $3) returning {_COLUMNS}", new_id(), name, weight
        )
    except asyncpg.UniqueViolationError as error:
        raise NameTaken(f"A tenant named {name} already exists.") from error
    assert row is not None
    return _tenant(row)


async def find(connection: Connection, name: str) -> Tenant | None:
    row = await connection.fetchrow(f"select {_COLUMNS} from tenants where name = $1", name)
    return _tenant(row) if row else None


async def list_all(connection: Connection) -> list[Tenant]:
    return [_tenant(row) for row in await connection.fetch(f"select {_COLUMNS} from tenants order by name")]


async def is_being_deleted(connection: Connection, tenant_id: UUID) -> bool:
    found = await connection.fetchval("select deleted_at is not null from tenants where id = $1", tenant_id)
    return bool(found)


async def update(connection: Connection, name: str, changes: Mapping[str, Any]) -> Tenant | None:
    """`changes` may contain `weight`, `budget_usd`, of which None means no limit, `limits` and `quotas`."""
    row = await connection.fetchrow(
        f"""update tenants set weight = coalesce($2, weight), budget_usd = case when $3 then $4 else budget_usd end,
                limits = coalesce($5, limits), quotas = coalesce($6, quotas)
            where name = $1 returning {_COLUMNS}""",
        name,
        changes.get("weight"),
        "budget_usd" in changes,
        changes.get("budget_usd"),
        json.dumps(changes["limits"]) if "limits" in changes else None,
        json.dumps(changes["quotas"]) if "quotas" in changes else None,
    )
    return _tenant(row) if row else None
