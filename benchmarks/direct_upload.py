"""A large file that goes to the blob store itself, next to one that passes through the API."""

import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx

from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from benchmarks.uploads.memory import kilobytes, reset_peak
from benchmarks.uploads.sending import LINE, STREAM_BYTES, Sender, read_answer
from benchmarks.uploads.serving import KEY, Served, docsieve_api
from benchmarks.uploads.store import s3_store

SIZE = 1024**3
ROUNDS = 3
SECONDS, CPU, MEMORY, SHARE = "seconds", "API, CPU s", "API, memory MB", "time, share of API"
COLUMNS = (SECONDS, CPU, MEMORY, SHARE)
METHOD = f"""`docsieve api` with one process and an S3 server on loopback (moto) as its blob store. A file of 1 GiB is
sent through the API, which stores it in parts, or with the signed request of `POST /uploads` to the store, after which
the API has it copied there, reads it once for its hash and type, and accepts it. Both take turns; medians of {ROUNDS}
rounds. Processor time and the peak of resident memory, above what it was before, are those of the API process alone:
client, store and database share the machine, and a store in Python is slower than a real one, in both cases."""


async def run(server: BenchServer, _: Sequence[str], *, size: int = SIZE) -> Section:
    ways = {"through the API": _through_api, "direct upload": _directly}
    found: dict[str, list[dict[str, float]]] = {name: [] for name in ways}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-direct-")))
        database = await stack.enter_async_context(server.fresh_database("direct"))
        settings = await stack.enter_async_context(s3_store())
        served = await stack.enter_async_context(docsieve_api(database, folder, **settings))
        for way in ways.values():
            await _measured(served, way, STREAM_BYTES)
        for name in tuple(ways) * ROUNDS:
            found[name].append(await _measured(served, ways[name], size))
    rows = [
        Row(name, {column: statistics.median(each[column] for each in rounds) for column in (SECONDS, CPU, MEMORY)})
        for name, rounds in found.items()
    ]
    api, direct = rows
    direct.figures[SHARE] = direct.figures[SECONDS] / api.figures[SECONDS]
    targets = [
        Target("CPU of the API for a direct upload, share", 1.0, direct.figures[CPU] / api.figures[CPU], at_most=True),
        Target("memory that a direct upload adds to the API, MB", 64, direct.figures[MEMORY], at_most=True),
    ]
    return Section("Direct uploads", METHOD, COLUMNS, rows, targets)


Way = Callable[[Served, int], Awaitable[str]]


async def _measured(served: Served, way: Way, size: int) -> dict[str, float]:
    before, used = kilobytes(served.pid, "VmRSS"), _cpu_seconds(served.pid)
    reset_peak(served.pid)
    begun = time.perf_counter()
    document_id = await way(served, size)
    figures = {
        SECONDS: time.perf_counter() - begun,
        CPU: _cpu_seconds(served.pid) - used,
        MEMORY: (kilobytes(served.pid, "VmHWM") - before) / 1024,
    }
    async with _client(served) as client:
        (await client.delete(f"/documents/{document_id}")).raise_for_status()
    return figures


async def _through_api(served: Served, size: int) -> str:
    return _accepted(json.loads(await Sender(served.port, served.path, KEY, LINE).stream(size)), size)


async def _directly(served: Served, size: int) -> str:
    async with _client(served) as client:
        begun = (await client.post("/uploads", json={"filename": "bench.txt", "size": size})).raise_for_status().json()
        (part,) = begun["parts"]
        if not begun["direct"]:
            raise RuntimeError("the signed request does not lead to the store")
        await _put(part["url"], part["headers"], size)
        answer = await client.post(f"/uploads/{begun['id']}/complete")
    return _accepted(answer.raise_for_status().json(), size)


async def _put(url: str, headers: dict[str, str], size: int) -> None:
    """As `Sender` does it, so that the client takes equally long in both cases."""
    to = urlsplit(url)
    assert to.hostname is not None
    reader, writer = await asyncio.open_connection(to.hostname, to.port)
    head = [f"PUT {to.path}?{to.query} HTTP/1.1", f"Host: {to.netloc}", f"Content-Length: {size}"]
    head += [f"{name}: {value}" for name, value in headers.items()]
    writer.write(("\r\n".join(head) + "\r\n\r\n").encode())
    piece = (LINE * (STREAM_BYTES // len(LINE) + 1))[:STREAM_BYTES]
    for _ in range(size // STREAM_BYTES):
        writer.write(piece)
        await writer.drain()
    await read_answer(reader)
    writer.close()


def _accepted(document: dict[str, object], size: int) -> str:
    if document["size"] != size:
        raise RuntimeError(f"{document['size']} bytes arrived of {size}")
    return str(document["id"])


def _client(served: Served) -> httpx.AsyncClient:
    base = f"http://127.0.0.1:{served.port}/api/v1"
    return httpx.AsyncClient(base_url=base, headers={"X-API-Key": KEY}, timeout=600)


def _cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
