"""The leaves of extractions as rows, so that they can be reviewed and found by their value."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.domain.extraction import LeafMetadata
from docsieve.domain.schemas.fields import Scalar
from docsieve.domain.schemas.shape import pattern_of

_LONGEST_SEARCHED = 200


@dataclass(frozen=True, slots=True)
class NewField:
    """A leaf with its metadata; `document_id` is the document of its first evidence, or the first document."""

    path: str
    value: Scalar
    about: LeafMetadata
    document_id: UUID


@dataclass(frozen=True, slots=True)
class FieldRow:
    extraction_id: UUID
    document_id: UUID
    path: str
    pattern: str
    value: Any
    confidence: float
    grounded: bool
    evidence: list[dict[str, Any]]
    checks: list[dict[str, Any]]
    doubts: list[dict[str, Any]]
    why: str | None
    needs_review: bool
    filename: str
    ordinal: int


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """The last row of a page."""

    confidence: float
    extraction_id: UUID
    ordinal: int


@dataclass(frozen=True, slots=True)
class FieldFilter:
    schema_name: str | None = None
    pattern: str | None = None
    value: str | None = None
    needs_review: bool | None = None
    project: str | None = None


_COLUMNS = """its.extraction_id, its.document_id, path, pattern, its.value, its.confidence, grounded, evidence, checks,
    doubts, why, its.needs_review, (select filename from documents
        where documents.tenant_id = $1 and documents.id = its.document_id) as filename, ordinal"""


def searchable(value: Scalar) -> str | None:
    """What a value is found by: case and spaces aside, and its beginning only."""
    if value is None:
        return None
    text = value if isinstance(value, str) else json.dumps(value)
    return " ".join(text.casefold().split())[:_LONGEST_SEARCHED] or None


async def add(session: Session, extraction_id: UUID, project_id: UUID, fields: Sequence[NewField]) -> None:
    await session.connection.execute(
        """
        insert into document_fields (tenant_id, extraction_id, project_id, ordinal, document_id, path, pattern, value,
                                     search, confidence, grounded, evidence, checks, doubts, why, needs_review)
        select $1, $2, $3, ordinal, document_id, path, pattern, value::jsonb, search, confidence, grounded,
               evidence::jsonb, checks::jsonb, doubts::jsonb, why, needs_review
        from unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::float8[], $10::boolean[],
                    $11::text[], $12::text[], $13::text[], $14::text[], $15::boolean[])
            with ordinality as given (document_id, path, pattern, value, search, confidence, grounded, evidence, checks,
                                      doubts, why, needs_review, ordinal)
        """,
        session.scope.tenant_id,
        extraction_id,
        project_id,
        [each.document_id for each in fields],
        [each.path for each in fields],
        [pattern_of(each.path) for each in fields],
        [json.dumps(each.value) for each in fields],
        [searchable(each.value) for each in fields],
        [each.about.confidence for each in fields],
        [each.about.grounded for each in fields],
        [json.dumps([asdict(evidence) for evidence in each.about.evidence]) for each in fields],
        [json.dumps([asdict(check) for check in each.about.checks]) for each in fields],
        [json.dumps([asdict(doubt) for doubt in each.about.doubts]) for each in fields],
        [each.about.why for each in fields],
        [each.about.needs_review for each in fields],
    )


@dataclass(frozen=True, slots=True)
class FieldText:
    """A field as JSON text, without what people did to it. PostgreSQL writes that in a tenth of our time."""

    ordinal: int
    path: str
    text: str


_PLACES = """jsonb_to_recordset({}) as place
    (document_id text, page integer, page_width float8, page_height float8, box float8[], text text)"""


async def text_page(
    session: Session, extraction_id: UUID, document_id: UUID | None, *, after: int, limit: int
) -> list[FieldText]:
    """Fields of an extraction, or only those that belong to a document, in the schema's order after that ordinal."""
    rows = await session.connection.fetch(
        f"""
        select ordinal, path, (
            select row_to_json(field)::text from (
                select its.path, its.value, its.confidence, its.grounded,
                       array(select place from {_PLACES.format("its.evidence")}) as evidence,
                       array(select test from jsonb_to_recordset(its.checks) as test
                           (name text, passed boolean, message text)) as checks,
                       array(select doubt from (
                           select code, message, other,
                                  array(select place from {_PLACES.format("given.evidence")}) as evidence
                           from jsonb_to_recordset(its.doubts) as given
                               (code text, message text, other text, evidence jsonb)) as doubt) as doubts,
                       its.why, its.needs_review, its.extraction_id, its.document_id, (
                           select filename from documents
                           where documents.tenant_id = $1 and documents.id = its.document_id) as filename) as field)
        from document_fields as its
        where tenant_id = $1 and extraction_id = $2 and ($3::uuid is null or document_id = $3) and ordinal > $4
        order by ordinal limit $5
        """,
        session.scope.tenant_id,
        extraction_id,
        document_id,
        after,
        limit,
    )
    return [FieldText(*row) for row in rows]


async def evidence_in_document(
    session: Session, extraction_id: UUID, document_id: UUID, path: str
) -> list[dict[str, Any]]:
    """The places in this document that prove the value of a field, or the values of a list or of an object."""
    rows = await session.connection.fetch(
        """
        select evidence from document_fields
        where tenant_id = $1 and extraction_id = $2
          and (path = $3 or starts_with(path, $3 || '.') or starts_with(path, $3 || '['))
        order by ordinal
        """,
        session.scope.tenant_id,
        extraction_id,
        path,
    )
    places = [place for row in rows for place in json.loads(row["evidence"])]
    return [place for place in places if place["document_id"] == str(document_id)]


async def outside_lists(session: Session, extraction_ids: Sequence[UUID]) -> dict[UUID, list[FieldRow]]:
    """By extraction, the fields that are not part of a list, in the schema's order."""
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS} from document_fields as its
        where tenant_id = $1 and extraction_id = any($2::uuid[]) and path not like '%[%'
        order by extraction_id, ordinal
        """,
        session.scope.tenant_id,
        list(extraction_ids),
    )
    found: dict[UUID, list[FieldRow]] = {}
    for row in rows:
        found.setdefault(row["extraction_id"], []).append(_row(row))
    return found


_UNVERIFIED = """
from document_fields as its join extractions on extractions.id = its.extraction_id
where its.tenant_id = $1 and extractions.tenant_id = $1 and verified_at is null and not superseded
  and ($2::text is null or schema_name = $2)
  and ($3::text is null or pattern = $3)
  and ($4::text is null or search = $4)
  and ($5::text is null or its.project_id = (select id from projects where tenant_id = $1 and name = $5))
"""
# Written out, because an index that holds only what needs review is read for no parameter that may be anything.
_IN_NEED = {None: "", True: "and its.needs_review", False: "and not its.needs_review"}


def _arguments(session: Session, wanted: FieldFilter) -> list[Any]:
    return [session.scope.tenant_id, wanted.schema_name, wanted.pattern, searchable(wanted.value), wanted.project]


async def worst_first(
    session: Session, wanted: FieldFilter, *, after: FieldPlace | None = None, limit: int
) -> list[FieldRow]:
    """Fields of completed extractions, the least sure first; none that was verified, or done again with its schema."""
    beyond = "and (its.confidence, its.extraction_id, ordinal) > ($7, $8, $9)" if after is not None else ""
    rows = await session.connection.fetch(
        f"""
        select {_COLUMNS} {_UNVERIFIED} {_IN_NEED[wanted.needs_review]} {beyond}
        order by its.confidence, its.extraction_id, ordinal limit $6
        """,
        *_arguments(session, wanted),
        limit,
        *((after.confidence, after.extraction_id, after.ordinal) if after is not None else ()),
    )
    return [_row(row) for row in rows]


async def count_left(session: Session, wanted: FieldFilter) -> tuple[int, int]:
    """How many leaves like these need review, and in how many documents."""
    row = await session.connection.fetchrow(
        f"select count(*), count(distinct its.document_id) {_UNVERIFIED} {_IN_NEED[True]}", *_arguments(session, wanted)
    )
    assert row is not None
    return row[0], row[1]


async def mark_reviewed(session: Session, extraction_id: UUID, paths: Sequence[str] | None) -> None:
    """Somebody has looked at these fields, or at all; an extraction is in need of review while one of its fields is."""
    await session.connection.execute(
        """
        update document_fields set needs_review = false
        where tenant_id = $1 and extraction_id = $2 and needs_review and ($3::text[] is null or path = any($3))
        """,
        session.scope.tenant_id,
        extraction_id,
        None if paths is None else list(paths),
    )
    await session.connection.execute(
        """
        update extractions set needs_review = false
        where tenant_id = $1 and id = $2 and needs_review and ($3 or not exists (
            select from document_fields as its
            where its.tenant_id = $1 and its.extraction_id = $2 and its.needs_review))
        """,
        session.scope.tenant_id,
        extraction_id,
        paths is None,
    )


async def mark_doubtful(session: Session, extraction_id: UUID, paths: Sequence[str]) -> None:
    """These fields need review again, and so does their extraction."""
    await session.connection.execute(
        """
        update document_fields set needs_review = true
        where tenant_id = $1 and extraction_id = $2 and not needs_review and path = any($3::text[])
        """,
        session.scope.tenant_id,
        extraction_id,
        list(paths),
    )
    await session.connection.execute(
        """
        update extractions set needs_review = true
        where tenant_id = $1 and id = $2 and not needs_review and exists (
            select from document_fields as its
            where its.tenant_id = $1 and its.extraction_id = $2 and its.needs_review)
        """,
        session.scope.tenant_id,
        extraction_id,
    )


def _row(row: Any) -> FieldRow:
    values = dict(row)
    for name in ("value", "evidence", "checks", "doubts"):
        values[name] = json.loads(values[name]) if values[name] is not None else None
    return FieldRow(**values)
