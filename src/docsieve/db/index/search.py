"""Queries the index of chunks. Every statement filters by tenant, in addition to row-level security."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.connection.driver import Record
from docsieve.db.connection.session import Session
from docsieve.db.index.embedders import EmbedderRow

# A filter that matches up to this many documents is turned into their ids, and those are searched exactly.
_FEW_DOCUMENTS = 1000
# Up to this many vectors are compared one by one: exact, and as fast as the graph, which ignores tenants.
_FEW_VECTORS = 10_000
# The graph is not used for a tenant with a smaller share of all vectors, because it would visit others' first.
_SMALL_SHARE = 0.01
_GRAPH = """set local hnsw.iterative_scan = relaxed_order; set local hnsw.ef_search = 100;
set local hnsw.max_scan_tuples = 40000"""


@dataclass(frozen=True, slots=True)
class Filters:
    """Filters on the documents of results; None means any."""

    project: str | None = None
    document_class: str | None = None
    media_type: str | None = None
    language: str | None = None
    created_from: datetime | None = None
    created_to: datetime | None = None
    metadata: dict[str, Any] | None = None
    document_id: UUID | None = None

    def conditions(self, first: int) -> tuple[str, list[Any]]:
        """SQL conditions on the documents row `matching`, and their arguments, numbered from `first`."""
        metadata = None if self.metadata is None else json.dumps(self.metadata)
        given = {
            "matching.project_id = (select id from projects where tenant_id = $1 and name = {})": self.project,
            "matching.class = {}": self.document_class,
            "matching.media_type = {}": self.media_type,
            "matching.language = {}": self.language,
            "matching.created_at >= {}": self.created_from,
            "matching.created_at < {}": self.created_to,
            "matching.metadata @> {}": metadata,
            "matching.id = {}": self.document_id,
        }
        asked = {condition: value for condition, value in given.items() if value is not None}
        numbered = (condition.format(f"${first + at}") for at, condition in enumerate(asked))
        return " and ".join(("matching.tenant_id = $1", *numbered)), list(asked.values())


NO_FILTERS = Filters()


@dataclass(frozen=True, slots=True)
class Statistics:
    """Number and mean length of chunks, and how many contain each term. Estimates for large numbers."""

    chunks: int
    mean_length: float
    having: dict[int, int]


@dataclass(frozen=True, slots=True)
class Within:
    """Where to search: in a few documents given by id, or in all that match the filters."""

    filters: Filters
    documents: list[UUID] | None = None

    def condition(self, table: str, first: int) -> tuple[str, list[Any]]:
        if self.documents is not None or self.filters == NO_FILTERS:
            return "true", []
        conditions, arguments = self.filters.conditions(first)
        of_chunk = f"matching.id = {table}.document_id"
        return f"exists (select from documents as matching where {of_chunk} and {conditions})", arguments


async def stemmings(session: Session) -> list[str]:
    """The stemmings of the tenant's chunks, found by skipping through the index."""
    rows = await session.connection.fetch(
        """
        with recursive known as (
            (select stemming from chunks where tenant_id = $1 order by stemming limit 1)
            union all
            select (select stemming from chunks where tenant_id = $1 and stemming > known.stemming
                    order by stemming limit 1)
            from known where known.stemming is not null)
        select stemming from known where stemming is not null
        """,
        session.scope.tenant_id,
    )
    return [row[0] for row in rows]


async def statistics(session: Session, terms: Sequence[int]) -> Statistics:
    row = await session.connection.fetchrow(
        "select total, mean_length, frequencies from search_statistics($1, $2)", session.scope.tenant_id, list(terms)
    )
    if row is None or not row["total"]:
        return Statistics(0, 1.0, {})
    return Statistics(row["total"], float(row["mean_length"]), dict(zip(terms, row["frequencies"] or [], strict=True)))


async def similar_words(session: Session, words: Sequence[str], *, each: int) -> list[Record]:
    """The tenant's words with similar spelling: `asked, word, term, similarity`."""
    return await session.connection.fetch(
        "select asked, word, term, similarity from search_spellings($1, $2, $3)",
        session.scope.tenant_id,
        list(words),
        each,
    )


async def within(session: Session, filters: Filters) -> Within:
    if filters == NO_FILTERS:
        return Within(filters)
    conditions, arguments = filters.conditions(2)
    rows = await session.connection.fetch(
        f"select id from documents as matching where {conditions} limit {_FEW_DOCUMENTS + 1}",
        session.scope.tenant_id,
        *arguments,
    )
    return Within(filters, [row[0] for row in rows] if len(rows) <= _FEW_DOCUMENTS else None)


async def profiles(
    session: Session, where: Within, *, any_of: Sequence[int], all_of: Sequence[int] = (), limit: int
) -> list[Record]:
    """Chunks that contain any of the first and all of the second terms: `id, length, profile`."""
    condition, arguments = where.condition("chunks", 6)
    return await session.connection.fetch(
        f"""
        select id, length, profile from chunks
        where tenant_id = $1 and id = any(array(select search_candidates($1, $2, $3, $4, $5))) and {condition}
        """,
        session.scope.tenant_id,
        list(any_of),
        list(all_of),
        where.documents,
        limit,
        *arguments,
    )


async def nearest(
    session: Session, embedder: EmbedderRow, vector: str, where: Within, *, among: int, limit: int
) -> list[int]:
    """The ids of the chunks with the nearest vectors, best first.

    `among` is the approximate number of chunks in scope.
    """
    condition, arguments = where.condition("chunk_vectors", 5)
    kind = f"halfvec({embedder.dimensions})"
    # in a subquery, because a generic plan would parse the vector's text for every row
    distance = f"(embedding::{kind} <=> (select $2::text::{kind}))"
    if where.documents is not None or await _are_few(session, among):
        distance += " + 0"  # differs from the index expression
    else:
        await session.connection.execute(_GRAPH)
    statement = f"""
        select chunk_id from chunk_vectors
        where tenant_id = $1 and embedder_id = {embedder.id} and ($3::uuid is null or project_id = $3)
          and ($4::uuid[] is null or document_id = any($4)) and {condition}
        order by {distance} limit {limit}"""
    scope = session.scope
    rows = await session.connection.fetch(
        statement, scope.tenant_id, vector, scope.project_id, where.documents, *arguments
    )
    return [row["chunk_id"] for row in rows]


async def _are_few(session: Session, among: int) -> bool:
    if among <= _FEW_VECTORS:
        return True
    in_all = await session.connection.fetchval("select reltuples from pg_class where oid = 'chunk_vectors'::regclass")
    return among < _SMALL_SHARE * float(in_all)


async def chunks(session: Session, ids: Sequence[int]) -> dict[int, Record]:
    """The displayed data of these chunks, by id."""
    rows = await session.connection.fetch(
        """
        select chunks.id, document_id, filename, class, ordinal, page, heading, kind, text, places, stemming,
               sha256
        from chunks join documents on documents.id = chunks.document_id
        where chunks.tenant_id = $1 and documents.tenant_id = $1 and chunks.id = any($2::bigint[])
        """,
        session.scope.tenant_id,
        list(ids),
    )
    return {row["id"]: row for row in rows}


async def with_content(session: Session, hashes: Sequence[str], filters: Filters, *, each: int) -> list[Record]:
    """Documents with one of these contents that match the filters, at most the oldest `each` per content."""
    conditions, arguments = filters.conditions(4)
    rows: list[Record] = await session.connection.fetch(
        f"""
        select id, filename, sha256 from (
            select id, filename, sha256, row_number() over (partition by sha256 order by id) as place
            from documents as matching where sha256 = any($2::text[]) and status = 'ready' and {conditions}) as ranked
        where place <= $3 order by id
        """,
        session.scope.tenant_id,
        list(hashes),
        each,
        *arguments,
    )
    return rows
