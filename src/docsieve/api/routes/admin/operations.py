"""For load balancers and Prometheus: alive, ready, metrics. Whether they need a key is the operator's choice."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import Depends, Response
from fastapi.params import Depends as DependsMarker
from fastapi.responses import PlainTextResponse
from prometheus_client import REGISTRY
from prometheus_client.metrics_core import GaugeMetricFamily

from docsieve import disk, metric_files
from docsieve.api.access import KeyCheck, Resources
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.db import stored_files
from docsieve.db.connection import health, migrate
from docsieve.db.queue import jobs
from docsieve.errors import BlobStoreError, DatabaseUnavailable, DiskFull, Unavailable
from docsieve.resources import Resources as AppResources
from docsieve.settings import PublicPath, Settings

_BLOB_CHECK_SECONDS = 10.0
_DATABASE_SECONDS = 3.0
_BLOB_SECONDS = 5.0


_UNREADY = {**COMMON, **problems(Unavailable, DiskFull, BlobStoreError)}


class _LastCheck:
    """The probe writes and syncs a blob, so readiness asks for one at most every few seconds."""

    passed_at = float("-inf")


async def _check(resources: AppResources, last: _LastCheck) -> None:
    # first, because a database whose disk is full does not answer
    disk.require_room_for_work(resources.settings)
    async with _bounded(), resources.database.system() as connection:
        applied = await migrate.applied(connection)
    # a newer one is fine: during a rolling upgrade the old release goes on until it is replaced
    if (applied or "") < migrate.newest():
        raise Unavailable(f"The database is at revision {applied}, this release needs {migrate.newest()}.")
    if time.monotonic() - last.passed_at > _BLOB_CHECK_SECONDS:
        try:
            async with asyncio.timeout(_BLOB_SECONDS):
                await resources.blobs.check()
        except TimeoutError as error:
            raise BlobStoreError(f"The blob store did not answer within {_BLOB_SECONDS:.0f} s.") from error
        last.passed_at = time.monotonic()


async def _metrics(resources: AppResources, folder: Path | None) -> bytes:
    """Ours of all processes, the database's by what it says now, and those of this process by the client library."""
    counted = await asyncio.to_thread(metric_files.gather, folder)
    foreign = [family for family in REGISTRY.collect() if not family.name.startswith(metric_files.PREFIX)]
    return metric_files.render([*foreign, *counted, *await _database_gauges(resources), _disk_gauge(resources)])


def _disk_gauge(resources: AppResources) -> GaugeMetricFamily:
    free = GaugeMetricFamily("docsieve_disk_free_bytes", "Free space of the disks written to", labels=["disk"])
    for name, folder in disk.watched(resources.settings).items():
        free.add_metric([name], disk.free_bytes(folder))
    return free


async def _database_gauges(resources: AppResources) -> list[GaugeMetricFamily]:
    """Nothing is kept from scrape to scrape. During an outage only one is known: that there is one."""
    up = GaugeMetricFamily("docsieve_database_up", "Whether the database answers")
    try:
        async with _bounded(), resources.database.system() as connection:
            depths = await jobs.depths(connection)
            oldest = await health.oldest_transaction(connection)
            damaged = await stored_files.damaged_originals(connection)
    except DatabaseUnavailable:
        up.add_metric([], 0)
        return [up]
    up.add_metric([], 1)
    depth = GaugeMetricFamily("docsieve_queue_jobs", "Unfinished jobs", labels=["queue", "status"])
    age = GaugeMetricFamily("docsieve_queue_oldest_seconds", "Age of the oldest pending job", labels=["queue"])
    for row in depths:
        for status in ("pending", "processing", "scheduled"):
            depth.add_metric([row["queue"], status], row[status])
        age.add_metric([row["queue"]], row["oldest_seconds"])
    open_for = GaugeMetricFamily(
        "docsieve_oldest_transaction_seconds", "Age of the oldest open transaction: vacuum waits for it"
    )
    open_for.add_metric([], oldest["seconds"] if oldest is not None else 0)
    lost = GaugeMetricFamily("docsieve_damaged_originals", "Documents whose original is damaged or missing")
    lost.add_metric([], damaged)
    return [up, depth, age, open_for, lost]


@asynccontextmanager
async def _bounded() -> AsyncIterator[None]:
    """Probes and scrapers give up after a few seconds, so the answer must come sooner than that."""
    try:
        async with asyncio.timeout(_DATABASE_SECONDS):
            yield
    except TimeoutError as error:
        raise DatabaseUnavailable(f"The database did not answer within {_DATABASE_SECONDS:.0f} s.") from error


def router(settings: Settings, metrics_folder: Path | None) -> Router:
    routes = Router(tags=["operations"])
    last = _LastCheck()

    def guard(path: PublicPath) -> list[DependsMarker]:
        return [] if path in settings.public_paths else [Depends(KeyCheck("read"))]

    @routes.get("/livez", response_class=PlainTextResponse, dependencies=guard("livez"), responses=COMMON)
    async def livez() -> str:
        return "ok"

    @routes.get("/readyz", response_class=PlainTextResponse, dependencies=guard("readyz"), responses=_UNREADY)
    async def readyz(resources: Resources) -> str:
        await _check(resources, last)
        return "ok"

    @routes.get("/metrics", response_class=PlainTextResponse, dependencies=guard("metrics"), responses=COMMON)
    async def metrics(resources: Resources) -> Response:
        return Response(await _metrics(resources, metrics_folder), media_type="text/plain; version=0.0.4")

    return routes
