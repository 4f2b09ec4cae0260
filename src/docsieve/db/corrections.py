"""What people put in the place of values: added, never changed."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.session import Session
from docsieve.domain.ids import new_id
from docsieve.domain.pages import Box
from docsieve.domain.schemas.fields import Scalar
from docsieve.domain.schemas.shape import pattern_of


@dataclass(frozen=True, slots=True)
class NewCorrection:
    """`box`, on a page of a document, is where the person says that the value stands."""

    path: str
    old_value: Scalar
    new_value: Scalar
    document_id: UUID | None = None
    page: int | None = None
    box: Box | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    id: UUID
    path: str
    old_value: Any
    new_value: Any
    document_id: UUID | None
    page: int | None
    box: Box | None
    note: str | None
    made_by: str
    made_at: datetime


_COLUMNS = "id, path, old_value, new_value, document_id, page, box, note, made_by, made_at"


async def add(
    session: Session, extraction_id: UUID, project_id: UUID, made: Sequence[NewCorrection], *, by: str
) -> None:
    await session.connection.executemany(
        """
        insert into corrections (tenant_id, id, project_id, extraction_id, path, pattern, old_value, new_value,
                                 document_id, page, box, note, made_by)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
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


def _correction(values: dict[str, Any]) -> Correction:
    for name in ("old_value", "new_value"):
        values[name] = json.loads(values[name]) if values[name] is not None else None
    values["box"] = tuple(values["box"]) if values["box"] is not None else None
    return Correction(**values)
