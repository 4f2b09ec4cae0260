"""How fast webhooks are delivered, next to a bare loop, and how much bad receivers slow everything else down."""

import asyncio
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

import httpx

from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from benchmarks.uploads.serving import free_port
from benchmarks.webhook_parts import hostile
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
{hostile.METHOD}"""


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
    rows += [_row(f"documents read, {name}", count, seconds, share) for name, count, seconds, share in read]
    targets = [
        Target("deliveries/s, share of the bare loop", WANTED_SHARE, rows[1].figures["share"]),
        Target("deliveries/s next to dead receivers, share", WANTED_SHARE_NEXT_TO_DEAD, rows[3].figures["share"]),
        Target("documents/s next to hostile receivers, share", hostile.WANTED_SHARE, rows[-1].figures["share"]),
    ]
    return Section("Webhooks", METHOD, COLUMNS, rows, targets)


def _row(name: str, messages: int, seconds: float, share: float) -> Row:
    return Row(name, dict(zip(COLUMNS, (messages, seconds, messages / seconds, share), strict=True)))


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
