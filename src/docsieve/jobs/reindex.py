"""Keeps the vectors of all chunks those of the embedder in the settings; searches go on with the old one meanwhile."""

import time
from uuid import UUID

from docsieve.db import chunks as chunk_rows
from docsieve.db import embedders
from docsieve.db.embedders import EmbedderRow
from docsieve.db.session import Database
from docsieve.domain.chunks import under_heading
from docsieve.domain.jobs import JobArgs
from docsieve.domain.pages import Progress
from docsieve.embeddings.port import Embedder
from docsieve.logs import get_logger
from docsieve.providers import ProviderBusy
from docsieve.queue.kinds import Attempt, Snooze
from docsieve.resources import Resources
from docsieve.services.indexing import EmbedChunks

log = get_logger()

_BATCH = 200
_REMOVED_AT_ONCE = 2000
_LEASE_SECONDS = 120.0
_SWEEP_SECONDS = 900.0
_FORGOTTEN_AT_ONCE = 2000
_FIRST = (UUID(int=0), "")


class Reindex(JobArgs):
    """Runs by the clock, for a while at a time: what is left over is found by the next one, for its vectors lack.

    An index is made for `index_from` vectors or more; fewer are compared one by one.
    """

    kind = "reindex"
    queue = "maintenance"

    seconds: float = 120.0
    index_from: int = 10_000


class ReindexHandler:
    def __init__(self, resources: Resources) -> None:
        self._database = resources.database
        self._chosen = resources.embedders.chosen

    async def __call__(self, args: Reindex, attempt: Attempt) -> None:
        async with self._database.system() as connection:
            row = await embedders.register(connection, self._chosen.name, self._chosen.dimensions)
            if row.state == "retired":
                await embedders.move(connection, row, before="retired", after="building")
                row = await embedders.register(connection, self._chosen.name, self._chosen.dimensions)
            if not await embedders.lease(connection, row, seconds=_LEASE_SECONDS, renew=False):
                return
        try:
            await self._bring_up(row, args, attempt)
        finally:
            async with self._database.system() as connection:
                await embedders.release(connection, row)

    async def _bring_up(self, row: EmbedderRow, args: Reindex, attempt: Attempt) -> None:
        async with self._database.system() as connection:
            due = row.state == "building" or await embedders.needs_sweep(connection, row, every_seconds=_SWEEP_SECONDS)
        if due:
            filling = _Filling(self._database, row, self._chosen, attempt)
            try:
                if not await filling.run(document_id=None, until=time.monotonic() + args.seconds):
                    return
            except ProviderBusy:
                return
            await self._forget_spellings(row)
        async with self._database.system() as connection:
            large = await embedders.is_large(connection, row, least=args.index_from)
            if large and not await embedders.is_indexed(connection, row):
                await embedders.build_index(connection, row)
                log.info("embedder_indexed", embedder=row.name)
            if row.state == "building":
                await embedders.activate(connection, row)
                log.info("embedder_activated", embedder=row.name)
            elif due:
                await embedders.mark_swept(connection, row)
            for other in await embedders.others(connection, row.name):
                await embedders.move(connection, other, before="building", after="retired")
                await embedders.remove(connection, other, batch=_REMOVED_AT_ONCE)
                log.info("embedder_removed", embedder=other.name)

    async def _forget_spellings(self, row: EmbedderRow) -> None:
        place: tuple[UUID, str] | None = _FIRST
        while place is not None:
            async with self._database.system() as connection:
                place = await chunk_rows.forget_spellings(connection, after=place, batch=_FORGOTTEN_AT_ONCE)
                await embedders.lease(connection, row, seconds=_LEASE_SECONDS, renew=True)


class EmbedChunksHandler:
    """The embedders are those in use now, which may have changed since the job was queued."""

    def __init__(self, resources: Resources) -> None:
        self._database = resources.database
        self._known = resources.embedders

    async def __call__(self, args: EmbedChunks, attempt: Attempt) -> None:
        async with self._database.system() as connection:
            used = await embedders.in_use(connection)
        for row in used:
            embedder = self._known.named(row.name)
            if embedder is None:
                continue
            try:
                await _Filling(self._database, row, embedder, attempt).run(document_id=args.document_id)
            except ProviderBusy as busy:
                raise Snooze(busy.seconds) from busy


class _Filling:
    """Gives chunks the vectors that they lack, a batch at a time; no transaction is open while they are embedded."""

    def __init__(self, database: Database, row: EmbedderRow, embedder: Embedder, attempt: Attempt) -> None:
        self._database = database
        self._row = row
        self._embedder = embedder
        self._attempt = attempt

    async def run(self, *, document_id: UUID | None, until: float | None = None) -> bool:
        """Whether none is left. Raises ProviderBusy when a provider asks us to wait."""
        last = done = 0
        while until is None or time.monotonic() < until:
            async with self._database.system() as connection:
                rows = await chunk_rows.without_vectors(
                    connection, self._row.id, document_id=document_id, after=last, limit=_BATCH
                )
            if not rows:
                return True
            texts = [under_heading(row["heading"], row["text"]) for row in rows]
            vectors = await self._embedder.embed(texts)
            ids = [row["id"] for row in rows]
            async with self._database.system() as connection:
                await chunk_rows.add_vectors(connection, self._row.id, ids, vectors)
                if document_id is None:
                    await embedders.lease(connection, self._row, seconds=_LEASE_SECONDS, renew=True)
            last, done = ids[-1], done + len(ids)
            self._attempt.report(Progress(f"embedding {done}"))
        return False
