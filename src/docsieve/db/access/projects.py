"""Projects, which isolate documents inside a tenant, and their defaults."""

import json
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.connection.driver import Connection, Record
from docsieve.db.connection.session import Session
from docsieve.domain.classes import schemas_with
from docsieve.domain.ids import new_id
from docsieve.domain.schedules.windows import ProcessingWindow
from docsieve.domain.schemas.choice import AUTO
from docsieve.errors import NameTaken, ProjectNotEmpty


@dataclass(frozen=True, slots=True)
class Project:
    """`schema_ref` and the following fields are the project's defaults. None means the server's default; it keeps
    documents, their files and results forever.

    `class_schemas` maps document classes to schemas, for documents whose schema is not named.
    """

    id: UUID
    name: str
    created_at: datetime
    schema_ref: str | None = None
    engine: str | None = None
    model: str | None = None
    prompt_ref: str | None = None
    threshold: float | None = None
    budget_usd: float | None = None
    fallback_engine: str | None = None
    class_schemas: dict[str, str] = field(default_factory=dict)
    processing_window: ProcessingWindow | None = None
    keep_documents_days: int | None = None
    keep_originals_days: int | None = None
    keep_results_days: int | None = None

    def schema_for(self, requested: str | None) -> str:
        """The schema that an upload or a request gets which names `requested`, or nothing."""
        return requested or self.schema_ref or AUTO


DEFAULTS = (
    "schema_ref",
    "engine",
    "model",
    "prompt_ref",
    "threshold",
    "budget_usd",
    "fallback_engine",
    "class_schemas",
    "processing_window",
    "keep_documents_days",
    "keep_originals_days",
    "keep_results_days",
)


_COLUMNS = """id, name, created_at, schema_ref, engine, model, prompt_ref, threshold, budget_usd::float8,
    fallback_engine, class_schemas, processing_window, keep_documents_days, keep_originals_days, keep_results_days"""


def _project(row: Record) -> Project:
    changes, window = json.loads(row["class_schemas"]), row["processing_window"]
    return Project(
        **{
            **row,
            "class_schemas": schemas_with(changes),
            "processing_window": ProcessingWindow.model_validate_json(window) if window is not None else None,
        }
    )


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
    return _project(row)


async def find(connection: Connection, tenant_id: UUID, name: str) -> Project | None:
    row = await connection.fetchrow(
        f"select {_COLUMNS} from projects where tenant_id = $1 and name = $2", tenant_id, name
    )
    return _project(row) if row else None


async def find_by_id(session: Session, project_id: UUID) -> Project | None:
    row = await session.connection.fetchrow(
        f"select {_COLUMNS} from projects where tenant_id = $1 and id = $2", session.scope.tenant_id, project_id
    )
    return _project(row) if row else None


async def list_all(session: Session) -> list[Project]:
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from projects where tenant_id = $1 order by name", session.scope.tenant_id
    )
    return [_project(row) for row in rows]


async def set_defaults(session: Session, name: str, changes: dict[str, Any]) -> Project | None:
    """Change the given defaults; None removes one. Of `class_schemas`, the classes that are not named stay."""
    assert changes.keys() <= set(DEFAULTS)
    settings = "".join(f", {_setting(column, f'${place}')}" for place, column in enumerate(changes, 3))
    row = await session.connection.fetchrow(
        f"update projects set name = name{settings} where tenant_id = $1 and name = $2 returning {_COLUMNS}",
        session.scope.tenant_id,
        name,
        *(_stored(column, value) for column, value in changes.items()),
    )
    return _project(row) if row else None


def _stored(column: str, value: Any) -> Any:
    if isinstance(value, ProcessingWindow):
        return value.model_dump_json()
    return json.dumps(value) if column == "class_schemas" else value


async def window_opens(session: Session, project_id: UUID, *, batch: bool) -> datetime | None:
    """When the processing window opens; None if it is open, or does not apply to this work."""
    opens: datetime | None = await session.connection.fetchval(
        """
        select processing_window_opens(processing_window, $3, clock_timestamp())
        from projects where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        project_id,
        batch,
    )
    return opens


async def is_time_zone(session: Session, name: str) -> bool:
    found = await session.connection.fetchval("select true from pg_timezone_names where name = $1", name)
    return found is not None


def _setting(column: str, value: str) -> str:
    if column != "class_schemas":
        return f"{column} = {value}"
    return f"class_schemas = case {value}::jsonb when 'null' then '{{}}' else class_schemas || {value} end"


async def names_using_schema(session: Session, name: str) -> list[str]:
    """Those that name it as their schema, or for a class of documents."""
    return await _names_using(
        session, "schema_ref = $2 or exists (select from jsonb_each_text(class_schemas) where value = $2)", name
    )


async def names_using_prompt(session: Session, name: str) -> list[str]:
    return await _names_using(session, "prompt_ref = $2", name)


async def _names_using(session: Session, condition: str, name: str) -> list[str]:
    """By name without version: a project that uses a specific version is not affected by changes to the name."""
    rows = await session.connection.fetch(
        f"select name from projects where tenant_id = $1 and ({condition}) order by name", session.scope.tenant_id, name
    )
    return [row["name"] for row in rows]


async def delete(session: Session, name: str) -> UUID | None:
    """The id of the project, or None if there is no such project. Raises ProjectNotEmpty."""
    try:
        project_id: UUID | None = await session.connection.fetchval(
            "delete from projects where tenant_id = $1 and name = $2 returning id", session.scope.tenant_id, name
        )
    except asyncpg.ForeignKeyViolationError as error:
        raise ProjectNotEmpty(f"Project {name} still contains documents or batches. Delete them first.") from error
    return project_id
