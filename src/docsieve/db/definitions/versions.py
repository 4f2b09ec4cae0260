"""Things that come in immutable numbered versions under a name, one of them current: schemas and prompts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from docsieve.db.connection.session import Session

# A batch made from a list of fields has a schema with such a name (`schema_name` in services/batches). It can be used
# by name but is neither listed nor counted: the batch shows it, and it is deleted with the batch.
_NAMED_BY_PEOPLE = "name !~ '^batch-[0-9a-f]{12}$'"


@dataclass(frozen=True, slots=True)
class Version:
    name: str
    version: int
    content: str
    note: str | None
    created_at: datetime
    created_by: str | None
    current: bool


@dataclass(frozen=True, slots=True)
class Head:
    """The current version of a name; version 0 is the built-in one."""

    name: str
    current_version: int
    newest_version: int
    deleted: bool


class Versions:
    def __init__(self, noun: Literal["schema", "prompt"]) -> None:
        self.noun = noun
        self._rows, self._heads = f"{noun}s", f"{noun}_heads"
        self._select = f"""
            select name, version, content::text, note, created_at, created_by,
                   version = current_version and deleted_at is null
            from {self._rows} join {self._heads} using (tenant_id, name)
            where tenant_id = $1"""

    async def find(self, session: Session, name: str, version: int) -> Version | None:
        """Also one of a deleted name."""
        row = await session.connection.fetchrow(
            f"{self._select} and name = $2 and version = $3", session.scope.tenant_id, name, version
        )
        return Version(*row) if row else None

    async def list_current(self, session: Session) -> list[Version]:
        rows = await session.connection.fetch(
            f"{self._select} and version = current_version and deleted_at is null and {_NAMED_BY_PEOPLE} order by name",
            session.scope.tenant_id,
        )
        return [Version(*row) for row in rows]

    async def list_versions(self, session: Session, name: str) -> list[Version]:
        """All of a name, newest first; of a deleted one too."""
        rows = await session.connection.fetch(
            f"{self._select} and name = $2 order by version desc", session.scope.tenant_id, name
        )
        return [Version(*row) for row in rows]

    async def count_names(self, session: Session) -> int:
        found: int = await session.connection.fetchval(
            f"select count(*) from {self._heads} where tenant_id = $1 and {_NAMED_BY_PEOPLE}",
            session.scope.tenant_id,
        )
        return found

    async def head(self, session: Session, name: str) -> Head | None:
        row = await session.connection.fetchrow(
            f"""
            select name, current_version, newest_version, deleted_at is not null
            from {self._heads} where tenant_id = $1 and name = $2
            """,
            session.scope.tenant_id,
            name,
        )
        return Head(*row) if row else None

    async def lock(self, session: Session, name: str) -> Head:
        """The name's head, created if necessary, and locked until the transaction ends."""
        row = await session.connection.fetchrow(
            f"""
            insert into {self._heads} (tenant_id, name) values ($1, $2)
            on conflict (tenant_id, name) do update set name = excluded.name
            returning name, current_version, newest_version, deleted_at is not null
            """,
            session.scope.tenant_id,
            name,
        )
        assert row is not None
        return Head(*row)

    async def insert(
        self, session: Session, name: str, version: int, content: str, *, note: str | None, created_by: str | None
    ) -> None:
        """The head must be locked."""
        await session.connection.execute(
            f"update {self._heads} set newest_version = $3 where tenant_id = $1 and name = $2",
            session.scope.tenant_id,
            name,
            version,
        )
        await session.connection.execute(
            f"insert into {self._rows} (tenant_id, name, version, content, note, created_by)"
            " values ($1, $2, $3, $4, $5, $6)",
            session.scope.tenant_id,
            name,
            version,
            content,
            note,
            created_by,
        )

    async def make_current(self, session: Session, name: str, version: int) -> None:
        """A deleted name is back with it."""
        await session.connection.execute(
            f"update {self._heads} set current_version = $3, deleted_at = null where tenant_id = $1 and name = $2",
            session.scope.tenant_id,
            name,
            version,
        )

    async def delete(self, session: Session, name: str) -> bool:
        """The name is no longer listed or found; its versions are, by their numbers."""
        found = await session.connection.fetchval(
            f"""
            update {self._heads} set deleted_at = clock_timestamp()
            where tenant_id = $1 and name = $2 and deleted_at is null returning name
            """,
            session.scope.tenant_id,
            name,
        )
        return found is not None


SCHEMAS = Versions("schema")
"""A tenant's own schemas; the content of a version is the schema as JSON."""

PROMPTS = Versions("prompt")
"""A tenant's prompts; the content of a version is the template."""
