"""Many extractions with their values, page by page, and the schemas that they were made with."""

import json
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from docsieve.db.connection.driver import Record
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.db.extractions.rows import SCHEMA, ExtractionFilter, conditions
from docsieve.domain.schemas.fields import Schema


class ExportRow(NamedTuple):
    """A tuple, because there may be a million.

    `value`, `metadata` and `missing` are JSON as stored. The documents are those that still exist, in order.
    """

    id: UUID
    group: str | None
    status: str
    confidence: float | None
    needs_review: bool | None
    schema_name: str | None
    schema_version: int | None
    error_code: str | None
    error_message: str | None
    value: str | None
    metadata: str | None
    missing: str
    document_ids: list[UUID]
    filenames: list[str]


MAX_ROWS = 1_000
_FIRST_ROWS = 50
_MAX_SIZE = 4_000_000  # characters of JSON


async def page(
    session: Session, wanted: ExtractionFilter, *, after: UUID | None, last: UUID, metadata: bool
) -> list[ExportRow]:
    """The rows after one and up to another, in the order of their ids: as many as memory should hold at a time.

    An empty page is the end.
    """
    where, arguments = conditions(session, wanted)
    count = len(arguments)
    beyond = f"and id > ${count + 3}" if after is not None else ""
    cursor = await session.connection.cursor(
        f"""
        select id, group_name, status, confidence, needs_review, schema_name, schema_version, error_code, error_message,
            value, {"metadata" if metadata else "null::json as metadata"}, missing
        from extractions where {where} and id <= ${count + 2} {beyond} order by id limit ${count + 1}
        """,
        *arguments,
        MAX_ROWS,
        last,
        *([after] if after is not None else ()),
        timeout=BULK_SECONDS,
    )
    found: list[Record] = []
    size, at_a_time = 0, _FIRST_ROWS
    while size < _MAX_SIZE and (rows := await cursor.fetch(at_a_time, timeout=BULK_SECONDS)):
        found += rows
        size += sum(len(row["value"] or "") + len(row["metadata"] or "") for row in rows)
        at_a_time = max(1, (_MAX_SIZE - size) * len(found) // max(size, 1))  # as many as probably fit
    documents = await _documents(session, [row["id"] for row in found])
    return [ExportRow._make((*row, *documents.get(row["id"], ([], [])))) for row in found]


async def _documents(session: Session, ids: Sequence[UUID]) -> dict[UUID, tuple[list[UUID], list[str]]]:
    """By extraction, the ids and the names of its documents in their order."""
    rows = await session.connection.fetch(
        """
        select its.extraction_id, its.document_id, filename
        from extraction_documents as its join documents on documents.id = its.document_id
        where its.tenant_id = $1 and documents.tenant_id = $1 and its.extraction_id = any($2::uuid[])
        order by its.extraction_id, position
        """,
        session.scope.tenant_id,
        ids,
        timeout=BULK_SECONDS,
    )
    found: dict[UUID, tuple[list[UUID], list[str]]] = {}
    for extraction_id, document_id, filename in rows:
        document_ids, filenames = found.setdefault(extraction_id, ([], []))
        document_ids.append(document_id)
        filenames.append(filename)
    return found


async def last_id(session: Session, wanted: ExtractionFilter) -> UUID | None:
    where, arguments = conditions(session, wanted)
    found: UUID | None = await session.connection.fetchval(
        f"select id from extractions where {where} order by id desc limit 1", *arguments, timeout=BULK_SECONDS
    )
    return found


async def schemas(session: Session, wanted: ExtractionFilter, *, limit: int) -> list[Schema]:
    """The distinct schemas of the extractions: by name, newest version first, then those without a name.

    A numbered version never changes, but a built-in schema may change with a release of Docsieve. Its stored size
    tells, without reading the schema of every row.
    """
    where, arguments = conditions(session, wanted)
    rows = await session.connection.fetch(
        f"""
        with named as (
            select distinct on (schema_name, schema_version, batch_spec, pg_column_size(schema)) id
            from extractions where {where} and schema_name is not null
            order by schema_name, schema_version, batch_spec, pg_column_size(schema), id desc
        ), nameless as (
            select distinct on (batch_spec, md5(schema::text)) id from extractions
            where {where} and schema_name is null order by batch_spec, md5(schema::text), id desc
        ), found as (
            select id, schema_name, schema_version, {SCHEMA} as schema from extractions
            where tenant_id = $1 and id in (select id from named union all select id from nameless)
        ), differing as (
            select distinct on (schema_name, schema_version, md5(schema::text)) * from found
            order by schema_name, schema_version, md5(schema::text), id desc
        )
        select schema from differing
        order by schema_name nulls last, schema_version desc nulls last, id desc limit ${len(arguments) + 1}
        """,
        *arguments,
        limit,
        timeout=BULK_SECONDS,
    )
    return [json.loads(row[0]) for row in rows]


async def schemas_of(session: Session, extraction_ids: Sequence[UUID]) -> dict[UUID, Schema]:
    rows = await session.connection.fetch(
        f"select id, {SCHEMA} from extractions where tenant_id = $1 and id = any($2::uuid[])",
        session.scope.tenant_id,
        list(extraction_ids),
    )
    return {row[0]: json.loads(row[1]) for row in rows}
