"""Indexes chunks: words and vectors are prepared first and written in the transaction that ends the reading."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.analysis.search import terms
from docsieve.db.connection.session import Database, Session
from docsieve.db.index import chunks as chunk_rows
from docsieve.db.index import embedders
from docsieve.db.index.chunks import IndexedChunk
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.pages.chunks import Chunk, PackedChunk
from docsieve.domain.pages.texts import CountedTexts
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.port import Vectors
from docsieve.errors.providers import BudgetExceeded, ProviderError
from docsieve.llm.prices import Prices
from docsieve.logs import get_logger
from docsieve.services.index.vectors import SHORT_WAIT_SECONDS, Payer, embed_chunks

log = get_logger()

# More vectors would make the transaction that ends a reading too long, so they are added by a separate job.
AT_ONCE = 200


class EmbedChunks(JobArgs):
    """Adds missing vectors to a document's chunks."""

    job_type = "embed_chunks"
    queue = "maintenance"

    document_id: UUID


EARLY_STEMMING = terms.stemming(None)
"""Of chunks that are searched before the whole document was read, and with it its language."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Chunks that are ready to be written to the index."""

    chunks: list[IndexedChunk]
    stemming: str
    vectors: dict[int, Vectors]
    complete: bool

    async def record(self, session: Session, document_id: UUID, project_id: UUID) -> None:
        """Replace the document's chunks. Safe to repeat, because the end of a job may be retried."""
        await chunk_rows.replace_chunks(
            session, document_id, project_id, self.chunks, stemming=self.stemming, vectors=self.vectors
        )
        if not self.complete:
            missing = EmbedChunks(document_id=document_id)
            job = NewJob(missing, project_id=project_id, document_id=document_id, unique_key=str(document_id))
            await enqueue(session, [job])


async def prepare(
    database: Database,
    known: KnownEmbedders,
    tenant_id: UUID,
    chunks: Sequence[Chunk | PackedChunk],
    *,
    language: str | None,
    project_id: UUID,
    prices: Prices | None = None,
) -> Prepared:
    """Everything slow, before the transaction. An embedder that does not respond does not delay the document.

    Neither does an exhausted budget: `reindex` adds the missing vectors once there is budget again.
    """
    stemming, salted = terms.stemming(language), terms.salt(tenant_id)
    texts = CountedTexts(chunk.searchable for chunk in chunks)
    indexed, spellings = await asyncio.to_thread(_index, chunks, texts, stemming, salted)
    async with database.system() as connection:
        await chunk_rows.add_spellings(connection, tenant_id, spellings)
        if not chunks:
            return Prepared(indexed, stemming, {}, complete=True)
        used = await embedders.in_use(connection)
        if not any(row.name == known.chosen.name for row in used):
            await embedders.register(connection, known.chosen.name, known.chosen.dimensions)
            used = await embedders.in_use(connection)
    if len(chunks) > AT_ONCE:
        return Prepared(indexed, stemming, {}, complete=False)
    vectors, complete = {}, True
    for row in used:
        embedder = known.named(row.name)
        if embedder is None:
            continue
        try:
            vectors[row.id] = await embed_chunks(
                database,
                embedder,
                texts,
                Payer(tenant_id, project_id),
                prices=prices,
                max_wait_seconds=SHORT_WAIT_SECONDS,
            )
        except BudgetExceeded as error:
            log.warning("chunks_not_embedded", embedder=row.name, chunks=len(chunks), error=error.code)
        except ProviderError as error:
            log.warning("chunks_not_embedded", embedder=row.name, chunks=len(chunks), error=error.code)
            complete = False
    return Prepared(indexed, stemming, vectors, complete)


def index_early(tenant_id: UUID, chunks: Sequence[PackedChunk]) -> list[IndexedChunk]:
    """Chunks of a document that is still being read. They are found by their words only."""
    return _index(chunks, CountedTexts(each.searchable for each in chunks), EARLY_STEMMING, terms.salt(tenant_id))[0]


def _index(
    chunks: Sequence[Chunk | PackedChunk], texts: CountedTexts, stemming: str, salted: int
) -> tuple[list[IndexedChunk], dict[str, int]]:
    profiles, spellings = terms.index(texts, stemming, salted)
    indexed = [IndexedChunk(chunk, *profile) for chunk, profile in zip(chunks, profiles, strict=True)]
    return indexed, spellings
