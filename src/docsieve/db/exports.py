"""Many extractions with their values, page by page, and the schemas that they were made with."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.db.extractions import ExtractionFilter, conditions
from docsieve.domain.schemas.fields import Schema


@dataclass(frozen=True, slots=True)
class ExportRow:
    """`value`, `metadata` and `missing` are JSON as stored. The documents are those that still exist, in order."""

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
_AT_A_TIME = 100
_MAX_SIZE = 4_000_000  # characters of JSON

_DOCUMENTS = """
    from extraction_documents as its join documents on documents.id = its.document_id
    where its.tenant_id = $1 and documents.tenant_id = $1 and its.extraction_id = extractions.id"""


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
            value, {"metadata" if metadata else "null::json"}, missing,
            array(select its.document_id {_DOCUMENTS} order by position),
            array(select filename {_DOCUMENTS} order by position)
        from extractions where {where} and id <= ${count + 2} {beyond} order by id limit ${count + 1}
        """,
        *arguments,
        MAX_ROWS,
        last,
        *([after] if after is not None else ()),
        timeout=BULK_SECONDS,
    )
    found: list[ExportRow] = []
    size = 0
    while size < _MAX_SIZE and (rows := await cursor.fetch(_AT_A_TIME, timeout=BULK_SECONDS)):
        found += [ExportRow(*row) for row in rows]
        size += sum(len(each.value or "") + len(each.metadata or "") for each in found[-len(rows) :])
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
        with versions as (
            select distinct on (schema_name, schema_version, pg_column_size(schema)) id, schema_name, schema_version
            from extractions where {where} and schema_name is not null
            order by schema_name, schema_version desc nulls last, pg_column_size(schema), id desc
        ), nameless as (
            select distinct on (md5(schema::text)) id from extractions
            where {where} and schema_name is null order by md5(schema::text), id desc
        ), found as (
            select id, schema_name, schema_version from versions union all select id, null, null from nameless
        )
        select schema from found join extractions using (id) where extractions.tenant_id = $1
        order by found.schema_name nulls last, found.schema_version desc nulls last, id desc limit ${len(arguments) + 1}
        """,
        *arguments,
        limit,
        timeout=BULK_SECONDS,
    )
    return [json.loads(row[0]) for row in rows]


async def schemas_of(session: Session, extraction_ids: Sequence[UUID]) -> dict[UUID, Schema]:
    rows = await session.connection.fetch(
        "select id, schema from extractions where tenant_id = $1 and id = any($2::uuid[])",
        session.scope.tenant_id,
        list(extraction_ids),
    )
    return {row[0]: json.loads(row[1]) for row in rows}
