"""The chunks of documents for search, written in the transaction that ends the reading of a document."""

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy
from numpy.typing import NDArray

from docsieve.db.connection.driver import Connection, Record
from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.db.index.halfvec import packed, take_packed
from docsieve.domain.pages.chunks import Chunk, PackedChunk

Vectors = NDArray[numpy.float32]
NO_VECTORS: Mapping[int, Vectors] = {}

_SPELLINGS_AT_ONCE = 2000
_CHUNKS_AT_ONCE = 1000
_TERMS_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class IndexedChunk:
    """A chunk with its index data."""

    chunk: Chunk | PackedChunk
    terms: list[int]
    profile: bytes
    length: int


async def replace_chunks(
    session: Session,
    document_id: UUID,
    project_id: UUID,
    chunks: Sequence[IndexedChunk],
    *,
    stemming: str,
    vectors: Mapping[int, Vectors],
) -> None:
    """Replace the document's chunks. `vectors` maps embedder ids to their vectors."""
    await session.connection.execute(
        "delete from chunks where tenant_id = $1 and document_id = $2", session.scope.tenant_id, document_id
    )
    await add_chunks(session, document_id, project_id, chunks, stemming=stemming, vectors=vectors)


async def add_chunks(
    session: Session,
    document_id: UUID,
    project_id: UUID,
    chunks: Sequence[IndexedChunk],
    *,
    stemming: str,
    vectors: Mapping[int, Vectors] = NO_VECTORS,
) -> None:
    for at in range(0, len(chunks), _CHUNKS_AT_ONCE):
        ids = await _insert(session, document_id, project_id, chunks[at : at + _CHUNKS_AT_ONCE], stemming)
        for embedder_id, embedded in vectors.items():
            await add_vectors(session.connection, embedder_id, ids, embedded[at : at + _CHUNKS_AT_ONCE])


async def _insert(
    session: Session, document_id: UUID, project_id: UUID, chunks: Sequence[IndexedChunk], stemming: str
) -> list[int]:
    """Returns their ids in order."""
    rows = await session.connection.fetch(
        """
        insert into chunks (tenant_id, project_id, document_id, stemming, ordinal, page, heading, kind, text, places,
                            length, level, terms, profile)
        select $1, $2, $3, $4, given.ordinal, given.page, given.heading, given.kind, given.text, given.places,
               given.length, given.level, given.terms::integer[], given.profile
        from unnest($5::int[], $6::int[], $7::text[], $8::text[], $9::text[], $10::jsonb[], $11::int[],
                    $12::smallint[], $13::text[], $14::bytea[])
            as given (ordinal, page, heading, kind, text, places, length, level, terms, profile)
        returning id, ordinal
        """,
        session.scope.tenant_id,
        project_id,
        document_id,
        stemming,
        [each.chunk.ordinal for each in chunks],
        [each.chunk.page for each in chunks],
        [each.chunk.heading for each in chunks],
        [each.chunk.kind for each in chunks],
        [each.chunk.text for each in chunks],
        [each.chunk.packed for each in chunks],
        [each.length for each in chunks],
        [_level() for _ in chunks],
        # SQL arrays of arrays must have equal lengths, which these do not
        ["{" + ",".join(map(str, each.terms)) + "}" for each in chunks],
        [each.profile for each in chunks],
    )
    ids = {row["ordinal"]: row["id"] for row in rows}
    return [ids[each.chunk.ordinal] for each in chunks]


def _level() -> int:
    """0 for most chunks, 1 or more for one in 16, 2 for one in 256."""
    return 2 if (drawn := random.random()) < 1 / 256 else 1 if drawn < 1 / 16 else 0


async def add_vectors(connection: Connection, embedder_id: int, chunk_ids: Sequence[int], vectors: Vectors) -> None:
    """Skips vectors of deleted chunks or embedders. Waits for concurrent deletions of chunks."""
    await take_packed(connection)
    await connection.execute(
        """
        insert into chunk_vectors (chunk_id, embedder_id, tenant_id, project_id, document_id, embedding)
        select held.id, $1, held.tenant_id, held.project_id, held.document_id, given.vector
        from unnest($2::bigint[], $3::halfvec[]) as given (id, vector)
        join (select id, tenant_id, project_id, document_id from chunks where id = any($2::bigint[]) for key share)
            as held on held.id = given.id
        where exists (select from embedders where id = $1)
        on conflict do nothing
        """,
        embedder_id,
        list(chunk_ids),
        packed(vectors),
    )


def as_vector(vector: Vectors) -> str:
    return "[" + ",".join(map(str, vector.astype(numpy.float16).tolist())) + "]"


async def add_spellings(connection: Connection, tenant_id: UUID, spellings: Mapping[str, int]) -> None:
    """Add missing words to the tenant's vocabulary, outside the transaction that ends a job to keep that short."""
    words = list(spellings)
    for at in range(0, len(words), _SPELLINGS_AT_ONCE):
        some = words[at : at + _SPELLINGS_AT_ONCE]
        await connection.execute(
            """
            insert into spellings (tenant_id, word, term)
            select $1, given.word, given.term from unnest($2::text[], $3::int[]) as given (word, term)
            where not exists (
                select from spellings where tenant_id = $1 and word = given.word and term = given.term)
            """,
            tenant_id,
            some,
            [spellings[word] for word in some],
        )


async def forget_spellings(connection: Connection, *, after: tuple[UUID, str], batch: int) -> tuple[UUID, str] | None:
    """Remove words that no chunk of their tenant contains, a few at a time. Returns where to continue, or None.

    Recent words stay, because they are added before the transaction that adds their chunks.
    """
    row = await connection.fetchrow(
        """
        with these as (
            select ctid, tenant_id, word, term, since from spellings where (tenant_id, word) > ($1, $2)
            order by tenant_id, word limit $3
        ), gone as (
            delete from spellings where ctid = any(array(
                select ctid from these where since < clock_timestamp() - interval '1 day' and not exists (
                    select from chunks where chunks.tenant_id = these.tenant_id and terms @> array[these.term])))
        )
        select tenant_id, word from these order by tenant_id desc, word desc limit 1
        """,
        *after,
        batch,
    )
    return (row["tenant_id"], row["word"]) if row else None


async def forget_terms(session: Session, terms: Sequence[int]) -> None:
    """Remove the words with these terms that no chunk of the tenant contains any more."""
    for at in range(0, len(terms), _TERMS_AT_ONCE):
        await session.connection.execute(
            "select forget_spellings($1, $2::int[])",
            session.scope.tenant_id,
            terms[at : at + _TERMS_AT_ONCE],
            timeout=BULK_SECONDS,
        )


async def without_vectors(
    connection: Connection,
    embedder_id: int,
    *,
    document_id: UUID | None,
    after: int,
    limit: int,
    except_projects: Collection[UUID] = (),
) -> list[Record]:
    """Chunks of all tenants, or of one document, without a vector of this embedder, ordered by id.

    Those of a document that is still being read are about to be replaced.
    """
    of_which = "true" if document_id is None else "document_id = $5"
    return await connection.fetch(
        f"""
        select id, tenant_id, project_id, heading, text from chunks
        where id > $2 and project_id <> all($4::uuid[]) and {of_which} and not exists (
            select from chunk_vectors where chunk_id = chunks.id and embedder_id = $1)
          and not exists (select from early_pages where early_pages.document_id = chunks.document_id)
        order by id limit $3
        """,
        embedder_id,
        after,
        limit,
        list(except_projects),
        *([] if document_id is None else [document_id]),
    )
