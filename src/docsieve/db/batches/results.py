"""The results of a batch: one row per group."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.extractions import corrections
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.corrections import Correction
from docsieve.db.extractions.rows import Extraction


@dataclass(frozen=True, slots=True)
class SourceName:
    id: UUID
    filename: str


@dataclass(frozen=True, slots=True)
class GroupResult:
    """An extraction of the batch, its documents in reading order, and what people did to its values."""

    group: str
    extraction: Extraction
    documents: list[SourceName]
    corrections: list[Correction]

    @property
    def id(self) -> UUID:
        return self.extraction.id


async def list_page(
    session: Session, batch_id: UUID, *, status: str | None, after: UUID | None, limit: int
) -> list[GroupResult]:
    """In the order of the groups."""
    rows = await session.connection.fetch(
        """
        select id, group_name, array(
            select jsonb_build_object('id', documents.id, 'filename', filename)
            from extraction_documents as its join documents on documents.id = its.document_id
            where its.tenant_id = $1 and documents.tenant_id = $1 and its.extraction_id = extractions.id
            order by position) as documents
        from extractions
        where tenant_id = $1 and batch_id = $2 and ($3::text is null or status = $3) and ($4::uuid is null or id > $4)
        order by id limit $5
        """,
        session.scope.tenant_id,
        batch_id,
        status,
        after,
        limit,
    )
    ids = [row["id"] for row in rows]
    found = {each.id: each for each in await extractions.find_all(session, ids)}
    made = await corrections.of_extractions(session, ids)
    return [
        GroupResult(row["group_name"], found[row["id"]], _names(row["documents"]), made.get(row["id"], []))
        for row in rows
        if row["id"] in found
    ]


def _names(stored: list[str]) -> list[SourceName]:
    named: list[dict[str, Any]] = [json.loads(each) for each in stored]
    return [SourceName(UUID(each["id"]), each["filename"]) for each in named]
