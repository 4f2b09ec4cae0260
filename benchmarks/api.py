"""Requests per second of the busiest routes, next to bare handlers, and with a thousand connections."""

import asyncio
import os
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from benchmarks.api_parts import wrk
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from benchmarks.uploads.serving import KEY, Served, bare_api, docsieve_api

ROUNDS = 3
CONNECTIONS = 32
CROWD = 1_000
NO_LIMITS = "requests=off,uploads=off,upload_bytes=off"
INVOICE = Path("samples/documents/invoice-NL-2026-0417.pdf")
RATE, P99, FAILED, SHARE = "req/s", "p99 ms", "failed", "share of bare"
COLUMNS = (RATE, P99, FAILED, SHARE)
METHOD = f"""`docsieve api` with one process, with its default limits and with none, next to a bare handler of the same
framework under the same server settings that does nothing, or reads one row by its key with a prepared statement. `wrk`
sends requests over {CONNECTIONS} kept connections for {wrk.SECONDS} s, the servers taking turns, median of {ROUNDS}
rounds; then over {CROWD:,} connections once. The fields are those of a one-page invoice. Client, servers and
PostgreSQL share the machine's cores. Failed: refused, lost or not answered within 10 s."""


@dataclass(frozen=True)
class Case:
    name: str
    url: str
    headers: dict[str, str]
    next_to: str | None = None


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    program = wrk.install()
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-api-")))
        dsn = await stack.enter_async_context(server.fresh_database("api"))
        ours = await stack.enter_async_context(docsieve_api(dsn, folder))
        document_id, etag = await _document(ours, dsn, folder)
        second = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-api-")))
        unlimited = await stack.enter_async_context(docsieve_api(dsn, second, DOCSIEVE_LIMITS=NO_LIMITS))
        bare = await stack.enter_async_context(bare_api(dsn, folder))
        cases = _cases(ours, unlimited, bare, document_id, etag)
        rows = [await _row(program, case, found) for case, found in await _rounds(program, cases)]
        crowds = [case for case in cases if "status, same ETag" in case.name or case.name == "bare: one query"]
        for case in crowds:
            found = await wrk.measure(program, case.url, connections=CROWD, headers=case.headers)
            rows.append(Row(f"{case.name}, {CROWD:,} connections", _figures(found)))
    _compare(rows, cases)
    return Section("Requests", METHOD, COLUMNS, rows, _targets(rows))


def _cases(ours: Served, unlimited: Served, bare: Served, document_id: str, etag: str) -> list[Case]:
    def at(served: Served, path: str) -> str:
        return f"http://127.0.0.1:{served.port}{path}"

    key, document = {"X-API-Key": KEY}, f"/api/v1/documents/{document_id}"
    same = {**key, "If-None-Match": etag}
    return [
        Case("bare: nothing", at(bare, "/nothing"), {}),
        Case("bare: one query", at(bare, "/one-query"), {}),
        Case("livez", at(ours, "/livez"), {}, "bare: nothing"),
        Case("status, same ETag", at(ours, f"{document}/status"), same, "bare: one query"),
        Case("status, same ETag, no limits", at(unlimited, f"{document}/status"), same, "bare: one query"),
        Case("status", at(ours, f"{document}/status"), key, "bare: one query"),
        Case("fields", at(ours, f"{document}/fields"), key, "bare: one query"),
    ]


async def _rounds(program: str, cases: Sequence[Case]) -> list[tuple[Case, list[wrk.Measured]]]:
    found: dict[str, list[wrk.Measured]] = defaultdict(list)
    for _ in range(ROUNDS):
        for case in cases:
            measured = await wrk.measure(program, case.url, connections=CONNECTIONS, headers=case.headers)
            found[case.name].append(measured)
    return [(case, found[case.name]) for case in cases]


async def _row(program: str, case: Case, found: list[wrk.Measured]) -> Row:
    middle = sorted(found, key=lambda each: each.rate)[len(found) // 2]
    return Row(
        case.name,
        {
            **_figures(middle),
            P99: statistics.median(each.p99_ms for each in found),
            FAILED: sum(each.failed for each in found),
        },
    )


def _figures(found: wrk.Measured) -> dict[str, float]:
    return {RATE: found.rate, P99: found.p99_ms, FAILED: found.failed}


def _compare(rows: Sequence[Row], cases: Sequence[Case]) -> None:
    rates = {row.name: row.figures[RATE] for row in rows}
    for row, case in zip(rows, cases, strict=False):
        if case.next_to is not None:
            row.figures[SHARE] = row.figures[RATE] / rates[case.next_to]


def _targets(rows: Sequence[Row]) -> list[Target]:
    by_name = {row.name: row.figures for row in rows}
    limited, unlimited = by_name["status, same ETag"], by_name["status, same ETag, no limits"]
    crowd = by_name[f"status, same ETag, {CROWD:,} connections"]
    return [
        Target("status with the same ETag: share of a bare handler with one query", 0.5, limited[SHARE]),
        Target("rate with limits as part of that without", 0.9, limited[RATE] / unlimited[RATE]),
        Target(f"requests over {CROWD:,} connections that failed", 0, crowd[FAILED], at_most=True),
    ]


async def _document(served: Served, dsn: str, folder: Path) -> tuple[str, str]:
    """A document with fields, and the ETag of its status."""
    async with _worker(dsn, folder), httpx.AsyncClient(headers={"X-API-Key": KEY}, timeout=90) as client:
        url = f"http://127.0.0.1:{served.port}{served.path}"
        sent = await client.post(url, files={"file": (INVOICE.name, INVOICE.read_bytes())}, data={"schema": "invoice"})
        document_id = sent.raise_for_status().json()["id"]
        answer = (await client.get(f"{url}/{document_id}/status?wait=60")).raise_for_status()
        if answer.json()["status"] != "ready":
            raise RuntimeError(f"the document did not become ready: {answer.text}")
        return document_id, answer.headers["ETag"]


@asynccontextmanager
async def _worker(dsn: str, folder: Path) -> AsyncIterator[None]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DOCSIEVE_")}
    environment |= {"DOCSIEVE_DATABASE_URL": dsn, "DOCSIEVE_DATA_DIR": str(folder)}
    with (folder / "worker.log").open("wb") as log:
        worker = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "docsieve", "worker", env=environment, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        worker.terminate()
        await worker.wait()
