"""What people did to values: corrected, accepted as right, and took back again. Added, never changed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.domain.ids import new_id
from docsieve.domain.pages.page import Box
from docsieve.domain.schemas.fields import Scalar
from docsieve.domain.schemas.shape import pattern_of

Action = Literal["correct", "accept", "undo"]


@dataclass(frozen=True, slots=True)
class NewCorrection:
    """`box`, on a page of a document, is the location of the value, as drawn by the person.

    Accepting leaves the value as it is. `undoes` is the row that is taken back.
    """

    path: str
    old_value: Scalar
    new_value: Scalar
    document_id: UUID | None = None
    page: int | None = None
    box: Box | None = None
    note: str | None = None
    action: Action = "correct"
    undoes: UUID | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """`undone` says that it was taken back; `made_by_name` is what the key was called then."""

    id: UUID
    extraction_id: UUID
    action: Action
    path: str
    old_value: Any
    new_value: Any
    document_id: UUID | None
    page: int | None
    box: Box | None
    note: str | None
    made_by: str
    made_by_name: str | None
    made_at: datetime
    undone: bool

    @property
    def is_effective(self) -> bool:
        return self.action != "undo" and not self.undone


_COLUMNS = """id, extraction_id, action, path, old_value, new_value, document_id, page, box, note, made_by,
    made_by_name, made_at, exists (
        select from corrections as later where later.tenant_id = $1 and later.undoes = corrections.id) as undone"""


async def add(
    session: Session, extraction_id: UUID, project_id: UUID, made: Sequence[NewCorrection], *, by: str
) -> None:
    await session.connection.executemany(
        """
        insert into corrections (tenant_id, id, project_id, extraction_id, path, pattern, old_value, new_value,
                                 document_id, page, box, note, made_by, action, undoes, made_by_name)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
                (select name from api_keys where tenant_id = $1 and id = $13))
        """,
        [
            (
                session.scope.tenant_id,
                new_id(),
                project_id,
                extraction_id,
                each.path,
                pattern_of(each.path),
                json.dumps(each.old_value),
                json.dumps(each.new_value),
                each.document_id,
                each.page,
                list(each.box) if each.box is not None else None,
                each.note,
                by,
                each.action,
                each.undoes,
            )
            for each in made
        ],
    )


async def of_extraction(session: Session, extraction_id: UUID) -> list[Correction]:
    """Oldest first."""
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from corrections where tenant_id = $1 and extraction_id = $2 order by made_at, id",
        session.scope.tenant_id,
        extraction_id,
    )
    return [_correction(dict(row)) for row in rows]


async def of_extractions(session: Session, ids: Sequence[UUID]) -> dict[UUID, list[Correction]]:
    """By extraction, oldest first; without those that have none."""
    rows = await session.connection.fetch(
        f"select {_COLUMNS} from corrections where tenant_id = $1 and extraction_id = any($2::uuid[])"
        " order by made_at, id",
        session.scope.tenant_id,
        list(ids),
    )
    made: dict[UUID, list[Correction]] = {}
    for row in rows:
        made.setdefault(row["extraction_id"], []).append(_correction(dict(row)))
    return made


async def of_fields(session: Session, leaves: Sequence[tuple[UUID, str]]) -> list[Correction]:
    """All that was done to these leaves, each an extraction's id and a path; oldest first."""
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS} from corrections
        where tenant_id = $1 and extraction_id = any($2::uuid[]) and (extraction_id, path) in (
            select * from unnest($3::uuid[], $4::text[]))
        order by made_at, id
        """,
        session.scope.tenant_id,
        list({extraction_id for extraction_id, _ in leaves}),
        [extraction_id for extraction_id, _ in leaves],
        [path for _, path in leaves],
    )
    return [_correction(dict(row)) for row in rows]


def _correction(values: dict[str, Any]) -> Correction:
    for name in ("old_value", "new_value"):
        values[name] = json.loads(values[name]) if values[name] is not None else None
    values["box"] = tuple(values["box"]) if values["box"] is not None else None
    return Correction(**values)
