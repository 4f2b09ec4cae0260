"""How fast webhooks are delivered, next to a bare loop, and how much bad receivers slow everything else down."""

import asyncio
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import httpx

from benchmarks.processes import cpu_seconds
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer, postmaster
from benchmarks.uploads.serving import free_port
from benchmarks.webhook_parts import floor, hostile
from benchmarks.webhook_parts.hostile import Measured
from benchmarks.webhook_parts.setup import python, receiver, waiting, worker

MESSAGES = 5_000
ROUNDS = 3
TENANTS, ENDPOINTS, EVENTS = 10, 100, 10
DEAD = 100
WANTED_SHARE = 0.5
WANTED_SHARE_NEXT_TO_DEAD = 0.8
PATIENCE_SECONDS = 300.0
COLUMNS = ("number", "seconds", "per second", "share")
METHOD = f"""A receiver in a separate process answers 200 at once. One worker process with the lane `webhook` finds
{MESSAGES:,} deliveries waiting; the time runs from the first request at the receiver to the last, so that no start
counts, and each message is looked up, signed, sent, and recorded durably with its attempt. Bare loop: httpx posts as
many signed messages of the same size, as many at a time as the worker sends to one receiver, and records nothing.
Median of {ROUNDS} interleaved rounds. Then {TENANTS * ENDPOINTS:,} endpoints, each at its own loopback address, get
{EVENTS} messages each: first all answer, then {DEAD} of them are dead, half of which accept a connection and never
answer, half of which refuse it; the time is that of the messages to the {TENANTS * ENDPOINTS - DEAD} that live.
{hostile.METHOD} Last row: what a message costs that is posted with httpx and noted by one insert, {floor.AT_ONCE} at a
time every {floor.PAUSE_SECONDS * 1000:.0f} ms, next to what each delivery adds to the documents of the healthy case."""


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    ours, bare = [], []
    for _round in range(ROUNDS):
        bare.append(await _bare())
        ours.append(await _one_endpoint(server))
    living, next_to_dead = await _many_endpoints(server, dead=0), await _many_endpoints(server, dead=DEAD)
    alone = TENANTS * ENDPOINTS * EVENTS
    fast, slow = statistics.median(bare), statistics.median(ours)
    rows = [
        _row("bare httpx loop", MESSAGES, fast, 1.0),
        _row("one endpoint", MESSAGES, slow, fast / slow),
        _row(f"{TENANTS * ENDPOINTS:,} endpoints", alone, living, 1.0),
        _row(
            f"the same, {DEAD} of them dead", alone - DEAD * EVENTS, next_to_dead,
            (alone - DEAD * EVENTS) / next_to_dead / (alone / living),
        ),
    ]  # fmt: skip
    read = await hostile.measure(server)
    for case in read:
        note = f"{case.cpu_ms:.1f} ms CPU per document, {case.attempts} attempts"
        rows.append(_row(f"documents read, {case.name}", case.documents, case.seconds, case.share, note))
    rows.append(await _least(server, read[1]))
    targets = [
        Target("deliveries/s, share of the bare loop", WANTED_SHARE, rows[1].figures["share"]),
        Target("deliveries/s next to dead receivers, share", WANTED_SHARE_NEXT_TO_DEAD, rows[3].figures["share"]),
        Target("documents/s next to healthy receivers, share of none", hostile.WANTED_SHARE, read[1].share),
        Target("documents/s next to hostile receivers, share of none", hostile.WANTED_SHARE, read[2].share),
    ]
    return Section("Webhooks", METHOD, COLUMNS, rows, targets)


def _row(name: str, messages: int, seconds: float, share: float, note: str = "") -> Row:
    return Row(name, dict(zip(COLUMNS, (messages, seconds, messages / seconds, share), strict=True)), note)


async def _bare() -> float:
    async with receiver() as port:
        process = await python("benchmarks.webhook_parts.bare", f"http://127.0.0.1:{port}/ok", str(MESSAGES))
        assert await process.wait() == 0
        return await _answered(port, MESSAGES)


async def _one_endpoint(server: BenchServer) -> float:
    async with receiver() as port, waiting(server, [[f"http://127.0.0.1:{port}/ok"]], MESSAGES) as dsn:
        return await _delivered(dsn, port, MESSAGES)


async def _many_endpoints(server: BenchServer, *, dead: int) -> float:
    async with receiver() as port:
        refusing = free_port()
        total = TENANTS * ENDPOINTS
        urls = [f"http://127.1.{number // 200}.{number % 200 + 1}:{port}/ok" for number in range(total)]
        for place in range(dead):
            number = place * (total // dead)
            host = urls[number].rpartition(":")[0]
            urls[number] = f"{host}:{port}/hang" if place % 2 else f"{host}:{refusing}/ok"
        shared = [urls[first : first + ENDPOINTS] for first in range(0, total, ENDPOINTS)]
        async with waiting(server, shared, EVENTS) as dsn:
            return await _delivered(dsn, port, (total - dead) * EVENTS)


async def _least(server: BenchServer, healthy: Measured) -> Row:
    """What a post with httpx and an insert cost, next to a delivery of ours."""
    count = floor.AT_ONCE * floor.BURSTS
    async with server.fresh_database("floor") as dsn, receiver() as port:
        server_pid = await postmaster(dsn)
        before = cpu_seconds([server_pid])
        command = (sys.executable, "-m", "benchmarks.webhook_parts.floor", f"http://127.0.0.1:{port}/ok", dsn)
        process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
        printed, _ = await process.communicate()
        milliseconds = (float(printed) + cpu_seconds([server_pid]) - before) / count * 1000
    note = f"{milliseconds:.2f} ms CPU per message; a delivery: {healthy.delivery_ms:.2f} ms"
    return Row("httpx post and one insert each", {COLUMNS[0]: count}, note)


async def _delivered(dsn: str, port: int, count: int) -> float:
    with tempfile.TemporaryDirectory(prefix="bench-webhooks-") as folder:
        async with worker(dsn, Path(folder), "--queue=webhook=512"):
            return await _answered(port, count)


async def _answered(port: int, count: int) -> float:
    """Seconds from the first to the last message, once so many were answered."""
    async with asyncio.timeout(PATIENCE_SECONDS), httpx.AsyncClient() as client:
        while True:
            counts = (await client.get(f"http://127.0.0.1:{port}/report")).json()
            if counts["answered"] >= count:
                return float(counts["last"] - counts["first"])
            await asyncio.sleep(0.2)
