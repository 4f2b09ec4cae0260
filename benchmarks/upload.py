"""What taking a document in costs, beside a handler that only makes bytes and a row durable."""

import asyncio
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from benchmarks.uploads.memory import growth_mb
from benchmarks.uploads.serving import KEY, Served, bare_server, docsieve_api

ROUNDS = 5


@dataclass(frozen=True)
class Load:
    label: str
    size: int
    connections: int
    requests: int

    @property
    def rate(self) -> str:
        return f"{self.label}, req/s"

    @property
    def slowest(self) -> str:
        return f"{self.label}, p99 ms"

    @property
    def share(self) -> str:
        return f"{self.label}, share of bare"


LOADS = (Load("100 KB", 100_000, 8, 400), Load("10 MB", 10_000_000, 2, 24))
MEMORY = "1 GB, memory MB"
COLUMNS = (*(column for load in LOADS for column in (load.rate, load.slowest, load.share)), MEMORY)
METHOD = f"""`docsieve api` with its default settings and a local blob store, beside a bare handler under the same
uvicorn settings (uvloop, httptools, one process) that writes the raw request body to a file, syncs the file and its
folder, and commits one row: it parses, hashes, checks and queues nothing. Both use the same durable PostgreSQL and the
same disk. No worker runs, so jobs pile up. A client process sends multipart forms with distinct content over kept
connections, {" and ".join(f"{load.requests} of {load.label} over {load.connections} connections" for load in LOADS)} a
round, the servers taking turns; median rate of {ROUNDS} rounds, p99 over all. Client, server and database share the
machine's cores. Memory is the peak of the API's resident set while 1 GiB passes through in chunks, above what it held
before."""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    rates: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    latencies: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    async with AsyncExitStack() as stack:
        folders = [Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-upload-"))) for _ in range(2)]
        databases = [await stack.enter_async_context(server.fresh_database("upload")) for _ in range(2)]
        ours = await stack.enter_async_context(docsieve_api(databases[0], folders[0]))
        bare = await stack.enter_async_context(bare_server(databases[1], folders[1]))
        memory = await growth_mb(ours)
        for load in LOADS:
            for served in (ours, bare) * ROUNDS:
                seconds, found = await _send(served, load)
                rates[served.name][load.label].append(load.requests / seconds)
                latencies[served.name][load.label] += found
    rows = [_row(served.name, rates[served.name], latencies[served.name]) for served in (ours, bare)]
    rows[0].figures[MEMORY] = memory
    for load in LOADS:
        rows[0].figures[load.share] = rows[0].figures[load.rate] / rows[1].figures[load.rate]
    return Section("Uploads", METHOD, COLUMNS, rows, _targets(rows[0]))


async def _send(served: Served, load: Load) -> tuple[float, list[float]]:
    """One round by a client process of its own: the seconds it took, and the latencies."""
    numbers = (served.port, served.path, KEY, load.size, load.connections, load.requests)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.uploads.sending", *map(str, numbers), stdout=asyncio.subprocess.PIPE
    )
    output, _ = await process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"the client ended with {process.returncode}")
    answer = json.loads(output)
    return answer["seconds"], answer["latencies"]


def _row(name: str, rates: dict[str, list[float]], latencies: dict[str, list[float]]) -> Row:
    figures = {}
    for load in LOADS:
        figures[load.rate] = statistics.median(rates[load.label])
        figures[load.slowest] = statistics.quantiles(latencies[load.label], n=100)[98] * 1000
    return Row(name, figures)


def _targets(ours: Row) -> list[Target]:
    shares = [
        Target(f"{load.label}: share of the bare handler's rate", 0.7, ours.figures[load.share]) for load in LOADS
    ]
    return [*shares, Target("memory that a 1 GiB upload adds, MB", 64, ours.figures[MEMORY], at_most=True)]
