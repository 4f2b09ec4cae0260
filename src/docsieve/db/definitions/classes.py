"""A tenant's own kinds of document."""

from dataclasses import dataclass
from datetime import datetime

import asyncpg

from docsieve.db.connection.session import Session
from docsieve.domain.classes import ClassDescription
from docsieve.errors import NameTaken


@dataclass(frozen=True, slots=True)
class OwnClass:
    name: str
    description: str
    created_at: datetime


_COLUMNS = "name, description, created_at"


async def create(session: Session, name: str, description: str) -> OwnClass:
    try:
        row = await session.connection.fetchrow(
            f"insert into document_classes (tenant_id, name, description) values ($1, $2, $3) returning {_COLUMNS}",
            session.scope.tenant_id,
            name,
            description,
        )
    except asyncpg.UniqueViolationError as error:
        raise NameTaken(f"A class named {name} already exists.") from error
    assert row is not None
    return OwnClass(*row)


async def list_own(session: Session) -> list[OwnClass]:
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from document_classes where tenant_id = $1 order by name", session.scope.tenant_id
    )
    return [OwnClass(*row) for row in rows]


async def descriptions(session: Session) -> list[ClassDescription]:
    """What the classifier needs of them."""
    return [ClassDescription(each.name, each.description) for each in await list_own(session)]


async def count(session: Session) -> int:
    found: int = await session.connection.fetchval(
        "select count(*) from document_classes where tenant_id = $1", session.scope.tenant_id
    )
    return found


async def delete(session: Session, name: str) -> bool:
    found = await session.connection.fetchval(
        "delete from document_classes where tenant_id = $1 and name = $2 returning name", session.scope.tenant_id, name
    )
    return found is not None
