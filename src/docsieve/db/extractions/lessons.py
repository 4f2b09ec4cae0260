"""What engines learned about a tenant's schema, in numbered versions. At most one per engine is active."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class Teacher:
    """An extraction that a person looked at; `verified` says that they looked at all of it."""

    extraction_id: UUID
    verified: bool


@dataclass(frozen=True, slots=True)
class NewLessons:
    schema_name: str
    engine: str
    engine_version: str
    lessons: dict[str, Any]
    examples: int
    held_back_leaves: int
    score_trained: float
    score_untrained: float

    @property
    def better(self) -> bool:
        return self.score_trained > self.score_untrained


@dataclass(frozen=True, slots=True)
class Lessons:
    version: int
    engine: str
    engine_version: str
    examples: int
    held_back_leaves: int
    score_trained: float
    score_untrained: float
    active: bool
    created_at: datetime


_COLUMNS = """version, engine, engine_version, examples, held_back_leaves, score_trained, score_untrained, active,
    created_at"""


async def retire(session: Session, schema_name: str, engine: str | None = None) -> None:
    """Deactivate the lessons of one engine, or of all. Scores stay; the content, which may quote documents, goes."""
    await session.connection.execute(
        """
        update lessons set active = false, lessons = '{}'
        where tenant_id = $1 and schema_name = $2 and active and ($3::text is null or engine = $3)
        """,
        session.scope.tenant_id,
        schema_name,
        engine,
    )


async def add(session: Session, new: NewLessons) -> int:
    """Add the next version and deactivate the engine's previous one. It is active only if it helps."""
    await retire(session, new.schema_name, new.engine)
    version: int = await session.connection.fetchval(
        """
        insert into lessons (tenant_id, schema_name, version, engine, engine_version, lessons, examples,
                             held_back_leaves, score_trained, score_untrained, active)
        select $1, $2, coalesce(max(version), 0) + 1, $3, $4, $5, $6, $7, $8, $9, $10 from lessons
        where tenant_id = $1 and schema_name = $2
        returning version
        """,
        session.scope.tenant_id,
        new.schema_name,
        new.engine,
        new.engine_version,
        json.dumps(new.lessons if new.better else {}),
        new.examples,
        new.held_back_leaves,
        new.score_trained,
        new.score_untrained,
        new.better,
    )
    return version


async def active(session: Session, schema_name: str, engine: str) -> tuple[int, dict[str, Any]] | None:
    """Version and content of the lessons that the engine uses for this schema."""
    row = await session.connection.fetchrow(
        "select version, lessons from lessons where tenant_id = $1 and schema_name = $2 and engine = $3 and active",
        session.scope.tenant_id,
        schema_name,
        engine,
    )
    return (row[0], json.loads(row[1])) if row else None


async def list_all(session: Session, schema_name: str) -> list[Lessons]:
    """Newest first."""
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from lessons where tenant_id = $1 and schema_name = $2 order by version desc",
        session.scope.tenant_id,
        schema_name,
    )
    return [Lessons(*row) for row in rows]


async def teachers(session: Session, schema_name: str, *, limit: int) -> list[Teacher]:
    """The newest extractions with any version of the schema that a person verified or corrected, oldest first."""
    rows = await session.connection.fetch(
        """
        select id, verified_at is not null from extractions
        where tenant_id = $1 and schema_name = $2 and status = 'completed'
          and (verified_at is not null or exists (
              select from corrections
              where corrections.tenant_id = $1 and extraction_id = extractions.id and action <> 'undo'
                and not exists (
                    select from corrections as later where later.tenant_id = $1 and later.undoes = corrections.id)))
        order by id desc limit $3
        """,
        session.scope.tenant_id,
        schema_name,
        limit,
    )
    return [Teacher(*row) for row in reversed(rows)]


async def taught_by(session: Session, document_ids: Sequence[UUID]) -> list[str]:
    """The schemas that these documents have taught something about."""
    rows = await session.connection.fetch(
        """
        select distinct schema_name
        from extractions join extraction_documents as its on its.extraction_id = extractions.id
        where extractions.tenant_id = $1 and its.tenant_id = $1 and its.document_id = any($2::uuid[])
          and schema_name is not null and (verified_at is not null or exists (
              select from corrections where corrections.tenant_id = $1 and corrections.extraction_id = extractions.id))
        """,
        session.scope.tenant_id,
        list(document_ids),
    )
    return [row[0] for row in rows]


async def count_teaching(session: Session, schema_name: str) -> int:
    """Grows with every correction and verification, so that two counts tell whether there was another between them."""
    counted: int = await session.connection.fetchval(
        """
        select (select count(*) from extractions
                where tenant_id = $1 and schema_name = $2 and verified_at is not null)
             + (select count(*) from corrections join extractions on extractions.id = extraction_id
                where corrections.tenant_id = $1 and extractions.tenant_id = $1 and schema_name = $2)
        """,
        session.scope.tenant_id,
        schema_name,
    )
    return counted
