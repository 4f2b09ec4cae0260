"""Many open dashboards, each watching a document that waits its turn, as the browser does: by ETag, ever slower."""

import asyncio
import random
import time
from collections.abc import Collection
from dataclasses import dataclass

import httpx

from benchmarks.processes import cpu_seconds
from benchmarks.uploads.serving import KEY

# What web/src/api/documents.ts does while nothing changes.
SOONEST_SECONDS, LATEST_SECONDS, SLOWER_BY = 1.0, 5.0, 1.5


@dataclass(frozen=True)
class Polling:
    requests: int
    unchanged: int
    seconds: float
    p50_ms: float
    p99_ms: float
    cpu_seconds: float

    @property
    def cores(self) -> float:
        return self.cpu_seconds / self.seconds


async def poll(port: int, document_ids: list[str], seconds: float, pids: Collection[int]) -> Polling:
    """One dashboard for each document, for some seconds; the CPU is that of the processes named."""
    took: list[float] = []
    statuses: list[int] = []
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}/api/v1", timeout=60) as client:
        session = (await client.post("/session", json={"key": KEY})).raise_for_status()
        assert session.json()["tenant"]
        started, cpu = time.perf_counter(), cpu_seconds(pids)
        end = started + seconds

        async def dashboard(document_id: str) -> None:
            etag, wait = "", SOONEST_SECONDS
            await asyncio.sleep(random.uniform(0, LATEST_SECONDS))
            while (now := time.perf_counter()) < end:
                answer = await client.get(f"/documents/{document_id}/status", headers={"If-None-Match": etag})
                took.append(time.perf_counter() - now)
                statuses.append(answer.status_code)
                wait = min(LATEST_SECONDS, wait * SLOWER_BY) if answer.status_code == 304 else SOONEST_SECONDS
                etag = answer.headers["etag"]
                await asyncio.sleep(min(wait, max(0.0, end - time.perf_counter())))

        async with asyncio.TaskGroup() as group:
            for document_id in document_ids:
                group.create_task(dashboard(document_id))
        lasted, used = time.perf_counter() - started, cpu_seconds(pids) - cpu
    took.sort()
    p50, p99 = took[len(took) // 2] * 1000, took[int(len(took) * 0.99)] * 1000
    return Polling(len(took), statuses.count(304), lasted, p50, p99, used)
