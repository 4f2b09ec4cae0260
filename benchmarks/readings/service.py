"""The whole service under measurement: an API and a worker, documents in over HTTP, ready by the database's clock."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx

from benchmarks.processes import cpu_seconds, largest_child_mb, own_cpu_seconds, parent, status_mb
from benchmarks.uploads.serving import KEY, Code, api_of

SENDERS = 8
PROCESSES = ("API", "worker", "sandbox", "PostgreSQL")
PATIENCE_SECONDS = 900.0


@dataclass(frozen=True)
class Service:
    dsn: str
    port: int
    api_pid: int
    worker_pid: int
    postgres_pid: int

    async def read(self, paths: Sequence[Path], *, schema: str = "none") -> float:
        """Upload all and return the seconds from the first upload to the last document's end.

        Without a schema, only reading is measured.
        """
        waiting = list(reversed(paths))
        ids: list[str] = []
        async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=120) as client:

            async def send() -> None:
                while waiting:
                    path = waiting.pop()
                    answer = await client.post(
                        f"http://127.0.0.1:{self.port}/api/v1/documents",
                        files={"file": (path.name, path.read_bytes())},
                        data={"schema": schema},
                    )
                    ids.append(answer.raise_for_status().json()["id"])

            async with asyncio.TaskGroup() as group:
                for _ in range(SENDERS):
                    group.create_task(send())
        return await self._until_ready(ids)

    async def _until_ready(self, ids: list[str]) -> float:
        connection = await asyncpg.connect(self.dsn)
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while await connection.fetchval(
                    "select count(*) from documents where id = any($1::uuid[]) and status in ('pending', 'processing')",
                    ids,
                ):
                    await asyncio.sleep(0.05)
            failed = await connection.fetchval(
                "select min(error_message) from documents where id = any($1::uuid[]) and status <> 'ready'", ids
            )
            if failed is not None:
                raise RuntimeError(f"a document was not read: {failed}")
            seconds = await connection.fetchval(
                """
                select extract(epoch from max(jobs.completed_at) - min(documents.created_at))::float8
                from documents join jobs on jobs.id = documents.job_id where documents.id = any($1::uuid[])
                """,
                ids,
            )
            return float(seconds)
        finally:
            await connection.close()

    def cpu_seconds(self) -> dict[str, float]:
        """So far, by process; the sandbox is all that the worker has started."""
        worker = own_cpu_seconds(self.worker_pid)
        api, below, postgres = map(cpu_seconds, ([self.api_pid], [self.worker_pid], [self.postgres_pid]))
        return dict(zip(PROCESSES, (api, worker, below - worker, postgres), strict=True))

    def memory_mb(self) -> tuple[float, float]:
        """What the worker holds, and the largest of its parser processes."""
        return status_mb(self.worker_pid, "VmRSS"), largest_child_mb(self.worker_pid, "VmRSS")


@asynccontextmanager
async def service(dsn: str, folder: Path, checkout: Path | None = None) -> AsyncIterator[Service]:
    """The worker with its default lanes and settings, logging warnings only, as the API beside it would on a server.

    With a `checkout`, both run the code of that one.
    """
    code = Code.of(checkout)
    async with api_of(code, dsn, folder) as api:
        settings = {"DOCSIEVE_DATABASE_URL": dsn, "DOCSIEVE_DATA_DIR": str(folder), "DOCSIEVE_LOG_LEVEL": "warning"}
        environment = {**os.environ, **settings, **code.environment}
        with (folder / "worker.log").open("wb") as output:
            worker = await asyncio.create_subprocess_exec(
                code.python, "-m", "docsieve", "worker", env=environment, stdout=output, stderr=output
            )
        try:
            yield Service(dsn, api.port, api.pid, worker.pid, await _postgres_pid(dsn))
        finally:
            worker.terminate()
            await worker.wait()


async def _postgres_pid(dsn: str) -> int:
    """The process that starts one for each connection."""
    connection = await asyncpg.connect(dsn)
    try:
        found = parent(await connection.fetchval("select pg_backend_pid()"))
    finally:
        await connection.close()
    assert found is not None
    return found
