"""Keeps the vectors of all chunks those of the embedder in the settings; searches go on with the old one meanwhile."""

import time
from collections.abc import Iterable, Sequence
from uuid import UUID

from docsieve.db.connection.driver import Record
from docsieve.db.index import chunks as chunk_rows
from docsieve.db.index import embedders
from docsieve.db.index.embedders import EmbedderRow
from docsieve.domain.jobs import JobArgs
from docsieve.domain.pages.chunks import under_heading
from docsieve.domain.pages.page import Progress
from docsieve.embeddings.port import Embedder, RemoteEmbedder
from docsieve.errors.providers import BudgetExceeded, ProviderBusy
from docsieve.logs import get_logger
from docsieve.providers.limits import MAX_WAIT_SECONDS
from docsieve.queue.kinds import Attempt, Snooze
from docsieve.resources import Resources
from docsieve.services.index.chunk_index import EmbedChunks
from docsieve.services.index.vectors import Payer, embed_chunks

log = get_logger()

_BATCH = 200
_REMOVED_AT_ONCE = 2000
_LEASE_SECONDS = 120.0
_SWEEP_SECONDS = 900.0
_FORGOTTEN_AT_ONCE = 2000
_FIRST = (UUID(int=0), "")


class Reindex(JobArgs):
    """Runs periodically with a time budget. The next run picks up chunks that still have no vectors.

    An index is made for `index_from` vectors or more; fewer are compared one by one.
    """

    job_type = "reindex"
    queue = "maintenance"

    seconds: float = 120.0
    index_from: int = 10_000


class ReindexHandler:
    def __init__(self, resources: Resources) -> None:
        self._resources = resources
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
            filling = _Filling(self._resources, row, self._chosen, attempt)
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
        self._resources = resources

    async def __call__(self, args: EmbedChunks, attempt: Attempt) -> None:
        async with self._resources.database.system() as connection:
            used = await embedders.in_use(connection)
        for row in used:
            embedder = self._resources.embedders.named(row.name)
            if embedder is None:
                continue
            try:
                await _Filling(self._resources, row, embedder, attempt).run(document_id=args.document_id)
            except ProviderBusy as busy:
                raise Snooze(busy.seconds) from busy


class _Filling:
    """Gives chunks the vectors that they lack, a batch at a time; no transaction is open while they are embedded.

    Chunks of a project without budget are skipped until it has some again; they do not block others.
    """

    def __init__(self, resources: Resources, row: EmbedderRow, embedder: Embedder, attempt: Attempt) -> None:
        self._database = resources.database
        self._prices = resources.clients.prices
        self._row = row
        self._embedder = embedder
        self._attempt = attempt
        self._without_money: set[UUID] = set()

    async def run(self, *, document_id: UUID | None, until: float | None = None) -> bool:
        """Whether none is left that may be embedded. Raises ProviderBusy when a provider asks us to wait."""
        last = done = 0
        while until is None or time.monotonic() < until:
            async with self._database.system() as connection:
                rows = await chunk_rows.without_vectors(
                    connection,
                    self._row.id,
                    document_id=document_id,
                    after=last,
                    limit=_BATCH,
                    except_projects=self._without_money,
                )
            if not rows:
                return True
            for some in self._at_once(rows):
                done += await self._fill(some)
                if document_id is None:
                    async with self._database.system() as connection:
                        await embedders.lease(connection, self._row, seconds=_LEASE_SECONDS, renew=True)
                self._attempt.report(Progress(f"embedding {done}"))
            last = rows[-1]["id"]
        return False

    def _at_once(self, rows: Sequence[Record]) -> Iterable[Sequence[Record]]:
        """All together, or those of each project, where that pays for them."""
        if not isinstance(self._embedder, RemoteEmbedder):
            return [rows]
        theirs: dict[UUID, list[Record]] = {}
        for row in rows:
            theirs.setdefault(row["project_id"], []).append(row)
        return theirs.values()

    async def _fill(self, rows: Sequence[Record]) -> int:
        """How many got their vectors."""
        payer = Payer(rows[0]["tenant_id"], rows[0]["project_id"])
        try:
            vectors = await embed_chunks(
                self._database,
                self._embedder,
                [under_heading(row["heading"], row["text"]) for row in rows],
                payer,
                prices=self._prices,
                max_wait_seconds=MAX_WAIT_SECONDS,
            )
        except BudgetExceeded as error:
            log.warning("chunks_not_embedded", embedder=self._row.name, chunks=len(rows), error=error.code)
            self._without_money.add(payer.project_id)
            return 0
        async with self._database.system() as connection:
            await chunk_rows.add_vectors(connection, self._row.id, [row["id"] for row in rows], vectors)
        return len(rows)
