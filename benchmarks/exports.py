"""What exporting many extractions costs, next to hand-written loops over the same rows."""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import asyncpg
import httpx

from benchmarks.exporting.rows import insert
from benchmarks.processes import status_mb
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from benchmarks.uploads.serving import KEY, Served, docsieve_api

FEW, MANY = 10_000, 100_000
ROUNDS = 3
COMPARED = ("csv", "xlsx")
ALL = {"csv": {}, "xlsx": {"lists": "json"}, "xlsx, a sheet of lists": {}, "jsonl": {}, "parquet": {}}
RATE, SHARE, SIZE = "rows/s", "share of the loop", "MB"
MEMORY_FEW, MEMORY_MANY, WAIT = f"memory MB, {FEW:,}", f"memory MB, {MANY:,}", "p99 of others, ms"
COLUMNS = (RATE, SHARE, SIZE, MEMORY_FEW, MEMORY_MANY, WAIT)
METHOD = f"""`docsieve api` exports {MANY:,} extractions of one schema with 22 fields and a list of three items,
inserted set-based; curl discards the bytes. The loops are what one would write by hand for this schema: a
cursor over the same query, `json.loads`, and `csv.writer` or `xlsxwriter` with `constant_memory`, to a file. Lists are
JSON in a cell unless the row says otherwise. Median of {ROUNDS} rounds that take turns. `csv.writer` alone has all rows
in memory and reads nothing. Memory is the peak of the API's resident set during an export, above what it held after a
first one. The last column is the 99th percentile of `/healthz` during an export, asked every 20 ms."""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    with tempfile.TemporaryDirectory(prefix="bench-exports-") as name:
        folder = Path(name)
        async with server.fresh_database("exports") as dsn, docsieve_api(dsn, folder) as ours:
            connection = await asyncpg.connect(dsn)
            await _upload(ours)
            await insert(connection, FEW)
            for kind in ALL:
                await _export(ours, kind)  # imports, prepared statements, allocator
            few = {kind: await _growth_mb(ours, kind) for kind in ALL}
            await insert(connection, MANY - FEW)
            await connection.close()
            rates, sizes, many, waits = await _measure(ours, dsn, folder)
    rows = [_row(kind, rates, sizes[kind], few[kind], many[kind], waits[kind]) for kind in ALL]
    loops = {"csv loop": "csv", "xlsxwriter loop": "xlsx", "csv.writer alone": "memory"}
    rows += [Row(name, {RATE: statistics.median(rates[f"bare {what}"])}) for name, what in loops.items()]
    return Section("Exports", METHOD, COLUMNS, rows, _targets(rows))


Measured = tuple[dict[str, list[float]], dict[str, float], dict[str, float], dict[str, float]]


async def _measure(ours: Served, dsn: str, folder: Path) -> Measured:
    rates: dict[str, list[float]] = {}
    sizes: dict[str, float] = {}
    many = {kind: await _growth_mb(ours, kind) for kind in ALL}
    waits = {kind: await _wait_ms(ours, kind) for kind in ALL}
    for _ in range(ROUNDS):
        for what in ("csv", "xlsx", "memory"):
            rates.setdefault(f"bare {what}", []).append(MANY / await _bare(what, dsn, folder))
        for kind in ALL:
            seconds, sizes[kind] = await _export(ours, kind)
            rates.setdefault(kind, []).append(MANY / seconds)
    return rates, sizes, many, waits


async def _upload(ours: Served) -> None:
    async with httpx.AsyncClient(headers={"X-API-Key": KEY}) as client:
        sent = {"file": ("invoice.txt", b"Hello.")}
        (await client.post(f"http://127.0.0.1:{ours.port}/api/v1/documents", files=sent)).raise_for_status()


async def _export(ours: Served, kind: str) -> tuple[float, float]:
    """Seconds and megabytes of one export, fetched by curl, which costs little itself."""
    options = "&".join(f"{name}={value}" for name, value in ALL[kind].items())
    url = f"http://127.0.0.1:{ours.port}/api/v1/extractions/export?format={kind.partition(',')[0]}&{options}"
    arguments = ("-sS", "--fail", "-o", "/dev/null", "-w", "%{size_download}", "-H", f"X-API-Key: {KEY}", url)
    started = time.perf_counter()
    process = await asyncio.create_subprocess_exec("curl", *arguments, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"curl ended with {process.returncode}")
    return time.perf_counter() - started, int(output) / 1e6


async def _growth_mb(ours: Served, kind: str) -> float:
    before = status_mb(ours.pid, "VmRSS")
    # Where the kernel does not let us reset the peak, an earlier one can only make the figure larger.
    with suppress(PermissionError):
        Path(f"/proc/{ours.pid}/clear_refs").write_text("5")
    await _export(ours, kind)
    return status_mb(ours.pid, "VmHWM") - before


async def _wait_ms(ours: Served, kind: str) -> float:
    waits = []
    exporting = asyncio.create_task(_export(ours, kind))
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{ours.port}") as client:
        while not exporting.done():
            started = time.perf_counter()
            (await client.get("/healthz")).raise_for_status()
            waits.append(time.perf_counter() - started)
            await asyncio.sleep(0.02)
    await exporting
    return statistics.quantiles(waits, n=100)[98] * 1000


async def _bare(what: str, dsn: str, folder: Path) -> float:
    command = ("-m", "benchmarks.exporting.bare", what, dsn, str(folder / f"bare.{what}"))
    process = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"the loop ended with {process.returncode}")
    return float(output)


def _row(kind: str, rates: dict[str, list[float]], size: float, few: float, many: float, wait: float) -> Row:
    figures = {RATE: statistics.median(rates[kind]), SIZE: size, MEMORY_FEW: few, MEMORY_MANY: many, WAIT: wait}
    if kind in COMPARED:
        figures[SHARE] = figures[RATE] / statistics.median(rates[f"bare {kind}"])
    return Row(kind, figures)


def _targets(rows: Sequence[Row]) -> list[Target]:
    by_name = {row.name: row.figures for row in rows}
    shares = [Target(f"{each}: share of a hand-written loop", 0.5, by_name[each][SHARE]) for each in COMPARED]
    grown = [by_name[each][MEMORY_MANY] - by_name[each][MEMORY_FEW] for each in ALL]
    return [*shares, Target("memory that ten times the rows add, MB", 16, max(grown), at_most=True)]
