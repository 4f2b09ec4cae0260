"""Changing the embedder runs in the background, and rereading a document replaces its chunks."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy
import pytest

from docsieve.analysis.search.chunks import chunk_pages
from docsieve.db.index import chunks as chunk_rows
from docsieve.db.index import embedders
from docsieve.db.index.embedders import EmbedderRow
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.scope import SYSTEM_TENANT
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.local import LocalEmbedder
from docsieve.embeddings.port import Embedder, Vectors, normalized
from docsieve.errors.providers import ProviderError
from docsieve.jobs.reindex import EmbedChunksHandler, Reindex, ReindexHandler
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.services.index import chunk_index
from docsieve.services.index.chunk_index import EmbedChunks
from tests.services.index.library import Library, page


class LetterEmbedder(Embedder):
    """Counts letters. `gate`, where given, is waited for before each batch of passages."""

    name, dimensions = "letters-26", 26

    def __init__(self, gate: asyncio.Event | None = None, *, broken: bool = False) -> None:
        self.gate = gate
        self.broken = broken
        self.waiting = asyncio.Event()

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if self.broken:
            raise ProviderError
        if self.gate is not None and not query:
            self.waiting.set()
            await self.gate.wait()
        letters = "abcdefghijklmnopqrstuvwxyz"
        counts = [[text.lower().count(letter) for letter in letters] for text in texts]
        return normalized(numpy.array(counts, numpy.float32))

    async def close(self) -> None:
        """Nothing is open."""


def _resources(library: Library, known: KnownEmbedders) -> Resources:
    return cast(
        Resources, SimpleNamespace(database=library.database, embedders=known, clients=SimpleNamespace(prices=None))
    )


def _attempt(kind: str) -> Attempt:
    return Attempt(ClaimedJob(new_id(), 1, "w", SYSTEM_TENANT, None, None, kind, "maintenance", "{}", 1, 0))


async def _reindex(library: Library, chosen: Embedder, **args: Any) -> None:
    await ReindexHandler(_resources(library, KnownEmbedders(chosen)))(Reindex(**args), _attempt("reindex"))


async def _in_use(library: Library) -> list[EmbedderRow]:
    async with library.database.system() as connection:
        return await embedders.in_use(connection)


async def _count(library: Library, what: str) -> int:
    async with library.database.system() as connection:
        return int(await connection.fetchval(f"select count(*) from {what}"))


async def test_searches_continue_while_another_embedder_takes_over(library: Library) -> None:
    wanted = await library.add(page("A violin is tuned in fifths."))
    gate = asyncio.Event()
    letters = LetterEmbedder(gate)
    changed = Library(library.database, library.scope, KnownEmbedders(letters))
    work = asyncio.create_task(_reindex(library, letters, index_from=1))
    await letters.waiting.wait()

    meanwhile = await changed.ask("musical instrument")
    assert (meanwhile.embedder, meanwhile.hits[0].document_id) == (LocalEmbedder.name, wanted)

    gate.set()
    late = await changed.add(page("Quartz quizzes."))
    await work
    assert [row.name for row in await _in_use(library)] == ["letters-26"]
    found = await changed.ask("zzq")
    assert (found.embedder, found.hits[0].document_id) == ("letters-26", late)
    (row,) = await _in_use(library)
    async with library.database.system() as connection:
        assert await embedders.is_indexed(connection, row)
    assert await _count(library, "embedders") == 1
    assert await _count(library, "chunk_vectors") == await _count(library, "chunks")
    assert await _count(library, "pg_class where relname like 'chunk_vectors_of_%'") == 1


async def test_a_reindexing_that_stopped_continues_where_it_was(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docsieve.jobs.reindex._BATCH", 1)
    for text in ("one", "two", "three"):
        await library.add(page(text))
    letters = LetterEmbedder()
    await _reindex(library, letters, seconds=0.0)
    assert [row.state for row in await _in_use(library)] == ["active", "building"]
    (_, row) = await _in_use(library)
    async with library.database.system() as connection:
        (first, *_) = await chunk_rows.without_vectors(connection, row.id, document_id=None, after=0, limit=9)
        await chunk_rows.add_vectors(connection, row.id, [first["id"]], await letters.embed(["one"]))
    await _reindex(library, letters)
    assert [row.name for row in await _in_use(library)] == ["letters-26"]
    assert await _count(library, "chunk_vectors") == 3


async def test_two_workers_do_not_build_the_same_vectors(library: Library) -> None:
    await library.add(page("one"))
    gate = asyncio.Event()
    slow = LetterEmbedder(gate)
    work = asyncio.create_task(_reindex(library, slow))
    await slow.waiting.wait()
    other = LetterEmbedder(asyncio.Event())
    await _reindex(library, other)
    assert not other.waiting.is_set()
    gate.set()
    await work


async def test_an_index_is_built_once_the_vectors_are_many(library: Library) -> None:
    await library.add(page("one"))
    await _reindex(library, LocalEmbedder())
    (row,) = await _in_use(library)
    async with library.database.system() as connection:
        assert not await embedders.is_indexed(connection, row)
    await _reindex(library, LocalEmbedder(), index_from=1)
    async with library.database.system() as connection:
        assert await embedders.is_indexed(connection, row)
    assert len(await library.found("one")) == 1


async def test_an_embedder_that_does_not_answer_holds_up_neither_reading_nor_searching(library: Library) -> None:
    broken = LetterEmbedder(broken=True)
    library = Library(library.database, library.scope, KnownEmbedders(broken))
    wanted = await library.add(page("A violin is tuned."))
    found = await library.ask("violin")
    assert (found.embedder, found.hits[0].document_id) == (None, wanted)
    assert await _count(library, "jobs where job_type = 'embed_chunks'") == 1
    broken.broken = False
    handler = EmbedChunksHandler(_resources(library, library.known))
    await handler(EmbedChunks(document_id=wanted), _attempt("embed_chunks"))
    assert (await library.ask("violin")).embedder == "letters-26"
    assert await _count(library, "chunk_vectors") == 1


async def test_the_vectors_of_a_long_document_follow_by_a_job(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunk_index, "AT_ONCE", 1)
    wanted = await library.add(*(page(f"Page {n}. " + "The snow falls. " * 60, number=n) for n in range(1, 4)))
    assert await _count(library, "chunk_vectors") == 0
    assert (await library.found("snow"))[0] == wanted
    handler = EmbedChunksHandler(_resources(library, library.known))
    await handler(EmbedChunks(document_id=wanted), _attempt("embed_chunks"))
    assert await _count(library, "chunk_vectors") == await _count(library, "chunks") == 3


async def test_an_embedder_that_goes_while_a_document_is_read_does_not_fail_the_reading(library: Library) -> None:
    document_id = await library.add(page("An old zeppelin."))
    chunks = list(chunk_pages([page("A new submarine.")]))
    tenant_id = library.scope.tenant_id
    async with library.database.tenant(library.scope) as session:
        project_id = await session.connection.fetchval("select project_id from documents")
    prepared = await chunk_index.prepare(
        library.database, library.known, tenant_id, chunks, language="en", project_id=project_id
    )
    await _reindex(library, LetterEmbedder())
    async with library.database.tenant(library.scope) as session:
        await prepared.record(session, document_id, project_id)
    assert await library.found("submarine") == [document_id]


async def test_rereading_a_document_replaces_its_chunks(library: Library) -> None:
    document_id = await library.add(page("An old zeppelin."))
    async with library.database.system() as connection:
        project_id = await connection.fetchval("select project_id from documents")
    await library.read(document_id, project_id, page("A new submarine."))
    assert await library.found('"old zeppelin"') == []
    assert await library.found("submarine") == [document_id]
    assert await _count(library, "chunks") == await _count(library, "chunk_vectors") == 1
    await library.read(document_id, project_id)
    assert await _count(library, "chunks") == 0


async def test_words_without_chunks_are_forgotten(library: Library) -> None:
    document_id = await library.add(page("An old zeppelin."))
    await library.add(page("An old submarine."))
    async with library.database.system() as connection:
        await connection.execute("delete from documents where id = $1", document_id)
        await connection.execute("update spellings set since = since - interval '2 days'")
        await connection.execute("update embedders set swept_at = null")
    await _reindex(library, LocalEmbedder())
    assert await _count(library, "spellings where word = 'zeppelin'") == 0
    assert await _count(library, "spellings where word = 'submarine'") == 1


async def test_many_documents_may_become_findable_at_once(library: Library) -> None:
    await asyncio.gather(*(library.add(page(f"The same words in document {n}.")) for n in range(12)))
    assert len((await library.ask("same words", limit=50)).hits) == 12
