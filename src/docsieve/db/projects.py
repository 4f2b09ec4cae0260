"""Projects: walls inside a tenant."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg

from docsieve.db.driver import Connection
from docsieve.db.session import Session
from docsieve.domain.ids import new_id
from docsieve.errors import NameTaken, ProjectNotEmpty


@dataclass(frozen=True, slots=True)
class Project:
    id: UUID
    name: str
    created_at: datetime


_COLUMNS = "id, name, created_at"


async def create(connection: Connection, tenant_id: UUID, name: str) -> Project:
    try:
        row = await connection.fetchrow(
            f"insert into projects (id, tenant_id, name) values ($1, $2, $3) returning {_COLUMNS}",
            new_id(),
            tenant_id,
            name,
        )
    except asyncpg.UniqueViolationError as error:
        raise NameTaken(f"There is already a project named {name}.") from error
    assert row is not None
    return Project(*row)


async def find(connection: Connection, tenant_id: UUID, name: str) -> Project | None:
    row = await connection.fetchrow(
        f"select {_COLUMNS} from projects where tenant_id = $1 and name = $2", tenant_id, name
    )
    return Project(*row) if row else None


async def list_all(session: Session) -> list[Project]:
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from projects where tenant_id = $1 order by name", session.scope.tenant_id
    )
    return [Project(*row) for row in rows]


async def delete(session: Session, name: str) -> bool:
    try:
        found = await session.connection.fetchval(
            "delete from projects where tenant_id = $1 and name = $2 returning id", session.scope.tenant_id, name
        )
    except asyncpg.ForeignKeyViolationError as error:
        raise ProjectNotEmpty(f"Project {name} still holds documents; delete them first.") from error
    return found is not None
