"""The results of a batch: one row per group."""

import json
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.extractions import corrections, fields
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.corrections import Correction
from docsieve.db.extractions.fields import FieldRow
from docsieve.db.extractions.rows import Extraction
from docsieve.domain.jobs import JobFailure


@dataclass(frozen=True, slots=True)
class Source:
    """A document of a result, and why it could not be read, if it could not."""

    id: UUID
    filename: str
    error: JobFailure | None


@dataclass(frozen=True, slots=True)
class GroupResult:
    """An extraction of the batch, its documents in reading order, and what people did to its values.

    `fields` are those outside of lists, if they were asked for.
    """

    group: str
    extraction: Extraction
    documents: list[Source]
    corrections: list[Correction]
    fields: list[FieldRow] | None = None

    @property
    def id(self) -> UUID:
        return self.extraction.id


@dataclass(frozen=True, slots=True)
class ResultFilter:
    status: str | None = None
    needs_review: bool | None = None


async def list_page(
    session: Session, batch_id: UUID, wanted: ResultFilter, *, with_fields: bool, after: UUID | None, limit: int
) -> list[GroupResult]:
    """In the order of the groups."""
    rows = await session.connection.fetch(
        """
        select id, group_name, array(
            select jsonb_build_object('id', documents.id, 'filename', filename, 'error_code', error_code,
                'error_message', error_message)
            from extraction_documents as its join documents on documents.id = its.document_id
            where its.tenant_id = $1 and documents.tenant_id = $1 and its.extraction_id = extractions.id
            order by position) as documents
        from extractions
        where tenant_id = $1 and batch_id = $2 and ($3::text is null or status = $3)
          and ($4::boolean is null or needs_review = $4) and ($5::uuid is null or id > $5)
        order by id limit $6
        """,
        session.scope.tenant_id,
        batch_id,
        wanted.status,
        wanted.needs_review,
        after,
        limit,
    )
    ids = [row["id"] for row in rows]
    found = {each.id: each for each in await extractions.find_all(session, ids)}
    made = await corrections.of_extractions(session, ids)
    leaves = await fields.outside_lists(session, ids) if with_fields else None
    return [
        GroupResult(
            row["group_name"],
            found[row["id"]],
            [_source(each) for each in row["documents"]],
            made.get(row["id"], []),
            None if leaves is None else leaves.get(row["id"], []),
        )
        for row in rows
        if row["id"] in found
    ]


def _source(stored: str) -> Source:
    row: dict[str, Any] = json.loads(stored)
    code = row["error_code"]
    error = JobFailure(code, row["error_message"] or "") if code is not None else None
    return Source(UUID(row["id"]), row["filename"], error)
