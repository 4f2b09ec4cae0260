"""Chunks of made-up text, by the hundred thousand, and how long searches take among them."""

import asyncio
import random
import statistics
import time
from collections.abc import Sequence

import numpy

from benchmarks.searches.tenants import BenchTenant, new_tenant, record
from docsieve.analysis.search import terms
from docsieve.db.connection.session import Database
from docsieve.db.index import chunks as chunk_rows
from docsieve.db.index import embedders
from docsieve.db.index.chunks import IndexedChunk
from docsieve.domain.pages.chunks import Chunk, Place
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.port import Embedder, Vectors, normalized
from docsieve.services.index import search
from docsieve.services.index.chunk_index import Prepared

WORDS, CHUNK_WORDS, DIMENSIONS = 20_000, 120, 256
SHARES = (0.5, 0.3, 0.1, 0.06, 0.04)
"""Of the chunks, by tenant: searches go round all tenants."""

_DOCUMENT_CHUNKS = 100
_AT_ONCE = 3
_ZIPF = 1.07
_QUERIES, _QUERY_WORDS = 150, 5


class MadeUpEmbedder(Embedder):
    """The mean of a random vector for each word: as many dimensions as the local one has, without its tokenizer."""

    name, dimensions = "made-up-256", DIMENSIONS

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._places = {word: place for place, word in enumerate(vocabulary)}
        self.vectors = numpy.random.default_rng(7).standard_normal((WORDS, DIMENSIONS)).astype(numpy.float32)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        rows = [[self._places[word] for word in text.split() if word in self._places] for text in texts]
        return normalized(numpy.stack([self.vectors[row].mean(axis=0) for row in rows]))

    async def close(self) -> None:
        """Nothing is open."""


class MadeUpTexts:
    def __init__(self, database: Database) -> None:
        random.seed(7)
        self._database = database
        self._vocabulary = _vocabulary()
        self._stems = terms.stems(self._vocabulary, "en")
        ranks = numpy.arange(1, WORDS + 1, dtype=float) ** -_ZIPF
        self._odds = ranks / ranks.sum()
        self._random = numpy.random.default_rng(7)
        self._embedder = MadeUpEmbedder(self._vocabulary)
        self.known = KnownEmbedders(self._embedder)
        self._tenants: list[BenchTenant] = []
        self._chunks = 0

    async def grow_to(self, chunks: int) -> None:
        """Without the vectors' index, which is built afterwards, as for an embedder that is new."""
        async with self._database.system() as connection:
            row = await embedders.register(connection, self._embedder.name, DIMENSIONS)
            await connection.execute(f"drop index if exists {row.index}")
        for at, share in enumerate(SHARES):
            if len(self._tenants) <= at:
                self._tenants.append(await self._new_tenant(at))
            documents = max(1, int(share * (chunks - self._chunks) / _DOCUMENT_CHUNKS))
            for start in range(0, documents, _AT_ONCE):
                some = min(_AT_ONCE, documents - start)
                await asyncio.gather(*(self._add(self._tenants[at], row.id) for _ in range(some)))
        self._chunks = chunks
        async with self._database.system() as connection:
            await connection.execute("vacuum analyze chunks")
            await embedders.build_index(connection, row)
            await connection.execute("vacuum analyze chunk_vectors")

    async def _new_tenant(self, at: int) -> BenchTenant:
        tenant = await new_tenant(self._database, f"made-up-{at}")
        salted = terms.salt(tenant.scope.tenant_id)
        spellings = {word: terms.term(stem, salted) for word, stem in zip(self._vocabulary, self._stems, strict=True)}
        async with self._database.system() as connection:
            await chunk_rows.add_spellings(connection, tenant.scope.tenant_id, spellings)
        return tenant

    async def _add(self, tenant: BenchTenant, embedder_id: int) -> None:
        await record(self._database, tenant, self._document(tenant, embedder_id))

    def _document(self, tenant: BenchTenant, embedder_id: int) -> Prepared:
        salted = terms.salt(tenant.scope.tenant_id)
        drawn = self._random.choice(WORDS, (_DOCUMENT_CHUNKS, CHUNK_WORDS), p=self._odds)
        indexed = []
        for ordinal, words in enumerate(drawn):
            places, counts = numpy.unique(words, return_counts=True)
            numbers = [terms.term(self._stems[place], salted) for place in places]
            packed = numpy.fromiter(zip(numbers, counts, strict=True), terms.PROFILE, len(numbers)).tobytes()
            text = " ".join(self._vocabulary[word] for word in words)
            chunk = Chunk(ordinal, text, 1, places=[Place(1, 0, len(text), (0, 0, 500, 700))])
            indexed.append(IndexedChunk(chunk, list(dict.fromkeys(numbers)), packed, CHUNK_WORDS))
        vectors = normalized(self._embedder.vectors[drawn].mean(axis=1))
        return Prepared(indexed, "en", {embedder_id: vectors}, complete=True)

    async def latencies(self) -> list[float]:
        """Milliseconds of each search, the tenants taking turns; one word in ten is misspelt."""
        taken = []
        for number in range(-len(self._tenants), _QUERIES):
            begun = time.perf_counter()
            scope = self._tenants[number % len(self._tenants)].scope
            await search.find(self._database, self.known, scope, self._query(), limit=10)
            if number >= 0:  # the ones before fill the caches of connections
                taken.append((time.perf_counter() - begun) * 1000)
        return taken

    def _query(self) -> str:
        words = [self._vocabulary[place] for place in self._random.choice(WORDS, _QUERY_WORDS, p=self._odds)]
        return " ".join(word[:2] + word[3:] if random.random() < 0.1 else word for word in words)


def percentiles(taken: Sequence[float]) -> tuple[float, float]:
    return statistics.median(taken), statistics.quantiles(taken, n=20)[18]


def _vocabulary() -> list[str]:
    syllables = [first + second for first in "bcdfghklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "er")]
    words: dict[str, None] = {}
    while len(words) < WORDS:
        words["".join(random.choices(syllables, k=random.randint(2, 4)))] = None
    return list(words)
