"""Projects, which isolate documents inside a tenant, and their defaults."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session
from docsieve.domain.ids import new_id
from docsieve.errors import NameTaken, ProjectNotEmpty


@dataclass(frozen=True, slots=True)
class Project:
    """`schema_ref` and the following fields are the project's defaults. None means the server's default."""

    id: UUID
    name: str
    created_at: datetime
    schema_ref: str | None = None
    engine: str | None = None
    model: str | None = None
    prompt_ref: str | None = None
    threshold: float | None = None
    budget_usd: float | None = None

    def schema_for(self, requested: str | None) -> str | None:
        """The schema that an upload or a request gets which names `requested`, or none."""
        return requested or self.schema_ref


DEFAULTS = ("schema_ref", "engine", "model", "prompt_ref", "threshold", "budget_usd")

_COLUMNS = "id, name, created_at, schema_ref, engine, model, prompt_ref, threshold, budget_usd::float8"


async def create(connection: Connection, tenant_id: UUID, name: str) -> Project:
    try:
        row = await connection.fetchrow(
            f"insert into projects (id, tenant_id, name) values ($1, $2, $3) returning {_COLUMNS}",
            new_id(),
            tenant_id,
            name,
        )
    except asyncpg.UniqueViolationError as error:
        raise NameTaken(f"A project named {name} already exists.") from error
    assert row is not None
    return Project(*row)


async def find(connection: Connection, tenant_id: UUID, name: str) -> Project | None:
    row = await connection.fetchrow(
        f"select {_COLUMNS} from projects where tenant_id = $1 and name = $2", tenant_id, name
    )
    return Project(*row) if row else None


async def find_by_id(session: Session, project_id: UUID) -> Project | None:
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from projects where tenant_id = $1 and id = $2", session.scope.tenant_id, project_id
    )
    return Project(*row) if row else None


async def list_all(session: Session) -> list[Project]:
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from projects where tenant_id = $1 order by name", session.scope.tenant_id
    )
    return [Project(*row) for row in rows]


async def set_defaults(session: Session, name: str, changes: dict[str, Any]) -> Project | None:
    """Change the given defaults; None removes one."""
    assert changes.keys() <= set(DEFAULTS)
    settings = "".join(f", {column} = ${place}" for place, column in enumerate(changes, 3))
    row = await session.connection.fetchrow(
        f"update projects set name = name{settings} where tenant_id = $1 and name = $2 returning {_COLUMNS}",
        session.scope.tenant_id,
        name,
        *changes.values(),
    )
    return Project(*row) if row else None


async def names_using_schema(session: Session, name: str) -> list[str]:
    return await _names_using(session, "schema_ref", name)


async def names_using_prompt(session: Session, name: str) -> list[str]:
    return await _names_using(session, "prompt_ref", name)


async def _names_using(session: Session, column: str, name: str) -> list[str]:
    """By name without version: a project that uses a specific version is not affected by changes to the name."""
    rows = await session.connection.fetch(
        f"select name from projects where tenant_id = $1 and {column} = $2 order by name", session.scope.tenant_id, name
    )
    return [row["name"] for row in rows]


async def delete(session: Session, name: str) -> bool:
    try:
        found = await session.connection.fetchval(
            "delete from projects where tenant_id = $1 and name = $2 returning id", session.scope.tenant_id, name
        )
    except asyncpg.ForeignKeyViolationError as error:
        raise ProjectNotEmpty(f"Project {name} still contains documents or batches. Delete them first.") from error
    return found is not None
