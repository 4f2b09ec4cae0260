"""procrastinate 3.10 on psycopg's async pool and uvloop, finished jobs kept (its default, `delete_jobs="never"`).

CONCURRENCY and POOL gave the most of 10/10, 20/20, 50/20 and 50/10 in one short trial each on a busy machine. A drain
takes fewer jobs so that the run stays short; its table and indexes stay smaller for it.
"""

from dataclasses import dataclass

from procrastinate import App, PsycopgConnector

from benchmarks.queues.port import Gate, Job

CONCURRENCY = 20
POOL = 20
BULK = 5_000


def _app(dsn: str, pool: int, job: Job) -> App:
    app = App(connector=PsycopgConnector(conninfo=dsn, min_size=pool, max_size=pool))

    @app.task(name="noop")
    async def noop() -> None:
        job()

    return app


class ProcrastinateClient:
    def __init__(self, app: App) -> None:
        self._app = app
        self._noop = app.tasks["noop"]

    async def enqueue(self) -> None:
        await self._noop.defer_async()

    async def enqueue_bulk(self, count: int) -> None:
        for start in range(0, count, BULK):
            await self._noop.batch_defer_async(*({} for _ in range(min(BULK, count - start))))

    async def close(self) -> None:
        await self._app.close_async()


@dataclass(frozen=True)
class Procrastinate:
    name: str = "procrastinate"
    settings: str = f"psycopg, uvloop, concurrency {CONCURRENCY}, pool of {POOL}, finished jobs kept"
    drained_jobs: int = 4_000
    unfinished: str = "select exists (select from procrastinate_jobs where status in ('todo', 'doing'))"

    async def setup(self, dsn: str) -> None:
        async with _app(dsn, 1, lambda: None).open_async() as app:
            await app.schema_manager.apply_schema_async()

    async def connect(self, dsn: str) -> ProcrastinateClient:
        app = _app(dsn, 1, lambda: None)
        await app.open_async()
        return ProcrastinateClient(app)

    async def work(self, dsn: str, gate: Gate, job: Job) -> None:
        async with _app(dsn, POOL, job).open_async() as app:
            await app.run_worker_async(wait=False, concurrency=CONCURRENCY)
            await gate()
            await app.run_worker_async(concurrency=CONCURRENCY)


contender = Procrastinate()
