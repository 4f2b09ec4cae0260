"""An API and a worker that only unpacks, so that reading the entries takes no time from it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import asyncpg
import httpx

from benchmarks.processes import family, status_mb
from benchmarks.uploads.serving import KEY, docsieve_api

PATIENCE_SECONDS = 900.0


@dataclass(frozen=True)
class Unpacked:
    """`child_mb` is the peak of the largest process below the worker, `worker_mb` that of the worker."""

    seconds: float
    documents: int
    child_mb: float
    worker_mb: float


@dataclass(frozen=True)
class Unpacker:
    dsn: str
    port: int
    pid: int

    async def unpack(self, archive: Path) -> Unpacked:
        """Upload an archive and unpack it; the seconds are those of its job, by the database's clock."""
        url = f"http://127.0.0.1:{self.port}/api/v1/documents"
        async with httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=PATIENCE_SECONDS) as client:
            with archive.open("rb") as file:
                answer = (await client.post(url, files={"file": (archive.name, file)})).raise_for_status().json()
        connection = await asyncpg.connect(self.dsn)
        largest = 0.0
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                while True:
                    largest = max([largest, *(status_mb(pid, "VmHWM") for pid in family([self.pid]) - {self.pid})])
                    row = await connection.fetchrow(
                        """
                        select documents.status, extract(epoch from completed_at - started_at)::float8, created
                        from documents join jobs on jobs.id = documents.job_id
                        left join archives on archives.document_id = documents.id where documents.id = $1
                        """,
                        answer["id"],
                    )
                    assert row is not None
                    if row[0] not in ("pending_unpacking", "unpacking"):
                        break
                    await asyncio.sleep(0.05)
        finally:
            await connection.close()
        if row[0] != "unpacked":
            raise RuntimeError(f"the archive ended as {row[0]}")
        return Unpacked(row[1], row[2], largest, status_mb(self.pid, "VmHWM"))


@asynccontextmanager
async def unpacker(dsn: str, folder: Path) -> AsyncIterator[Unpacker]:
    async with docsieve_api(dsn, folder) as api:
        settings = {"DOCSIEVE_DATABASE_URL": dsn, "DOCSIEVE_DATA_DIR": str(folder), "DOCSIEVE_LOG_LEVEL": "warning"}
        with (folder / "worker.log").open("wb") as output:
            worker = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "docsieve", "worker", "--queue", "archive=1"),
                env={**os.environ, **settings}, stdout=output, stderr=output,
            )  # fmt: skip
        try:
            yield Unpacker(dsn, api.port, worker.pid)
        finally:
            worker.terminate()
            await worker.wait()
