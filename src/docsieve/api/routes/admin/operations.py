"""Health checks and metrics for load balancers and Prometheus. A setting decides which of them need an API key."""

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
from docsieve.db.connection import health, migrate
from docsieve.db.documents import stored_files
from docsieve.db.queue import jobs
from docsieve.errors import BlobStoreError, DatabaseUnavailable, DiskFull, RedisUnavailable, Unavailable
from docsieve.errors.blobs import EncryptionKeyUnavailable
from docsieve.resources import Resources as AppResources
from docsieve.settings import PublicPath, Settings

_BLOB_CHECK_SECONDS = 10.0
_KEY_CHECK_SECONDS = 60.0
"""A key management service may charge for each call."""
_DATABASE_SECONDS = 3.0
_BLOB_SECONDS = 5.0
_KEY_SECONDS = 5.0
_QUEUES = ("default", "download", "archive", "webhook", "maintenance")


_UNREADY = {**COMMON, **problems(Unavailable, DiskFull, BlobStoreError, EncryptionKeyUnavailable)}


class _PassedChecks:
    """When the costly checks last passed. They write and sync a blob and ask for the master key."""

    blobs_at = float("-inf")
    keys_at = float("-inf")


async def _check(resources: AppResources, passed: _PassedChecks) -> None:
    # First, because a database does not respond when its disk is full.
    disk.require_room_for_work(resources.settings)
    async with _bounded(), resources.database.system() as connection:
        applied = await migrate.applied(connection)
    # A newer revision is fine: during a rolling upgrade the old release keeps running until it is replaced.
    if (applied or "") < migrate.newest():
        raise Unavailable(f"The database is at revision {applied}, but this release needs {migrate.newest()}.")
    if time.monotonic() - passed.blobs_at > _BLOB_CHECK_SECONDS:
        try:
            async with asyncio.timeout(_BLOB_SECONDS):
                await resources.blobs.check()
        except TimeoutError as error:
            raise BlobStoreError(f"The blob store did not respond within {_BLOB_SECONDS:.0f} s.") from error
        passed.blobs_at = time.monotonic()
    if time.monotonic() - passed.keys_at > _KEY_CHECK_SECONDS:
        try:
            async with asyncio.timeout(_KEY_SECONDS):
                await resources.keyring.check()
        except TimeoutError as error:
            raise EncryptionKeyUnavailable(f"The master key was not available within {_KEY_SECONDS:.0f} s.") from error
        passed.keys_at = time.monotonic()


async def _dispatch(resources: AppResources) -> str | None:
    """What to say about a dispatcher that does not respond. Nothing waits for it, so the API is ready all the same."""
    dispatcher = resources.database.waker.dispatcher
    if dispatcher is not None:
        try:
            await dispatcher.backlog([])
        except RedisUnavailable:
            return "Redis does not respond: workers claim jobs from PostgreSQL"
    return None


async def _metrics(resources: AppResources, folder: Path | None) -> bytes:
    """Our metrics of all processes, current figures from the database, and the library's metrics of this process."""
    counted = await asyncio.to_thread(metric_files.gather, folder)
    foreign = [family for family in REGISTRY.collect() if not family.name.startswith(metric_files.PREFIX)]
    gauges = [*await _database_gauges(resources), *await _redis_gauges(resources), _disk_gauge(resources)]
    return metric_files.render([*foreign, *counted, *gauges])


def _disk_gauge(resources: AppResources) -> GaugeMetricFamily:
    free = GaugeMetricFamily("docsieve_disk_free_bytes", "Free space of the disks written to", labels=["disk"])
    for name, folder in disk.watched(resources.settings).items():
        free.add_metric([name], disk.free_bytes(folder))
    return free


async def _database_gauges(resources: AppResources) -> list[GaugeMetricFamily]:
    """Queried at every scrape. During an outage only `docsieve_database_up` is reported."""
    up = GaugeMetricFamily("docsieve_database_up", "Whether the database responds")
    try:
        async with _bounded(), resources.database.system() as connection:
            depths = await jobs.depths(connection)
            snapshots = await health.snapshots(connection)
            dead_rows = await health.dead_rows(connection)
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
    open_for.add_metric([], max((row["seconds"] or 0 for row in snapshots), default=0))
    behind = GaugeMetricFamily(
        "docsieve_oldest_snapshot_transactions",
        "Transactions since the oldest snapshot of a transaction or replication slot: vacuum waits for it",
    )
    behind.add_metric([], max((row["transactions"] for row in snapshots), default=0))
    dead = GaugeMetricFamily("docsieve_dead_rows", "Dead rows that vacuum has not removed yet", labels=["table"])
    for each in dead_rows:
        dead.add_metric([each["table"]], each["dead"])
    lost = GaugeMetricFamily("docsieve_damaged_originals", "Documents whose original is damaged or missing")
    lost.add_metric([], damaged)
    return [up, depth, age, open_for, behind, dead, lost]


async def _redis_gauges(resources: AppResources) -> list[GaugeMetricFamily]:
    dispatcher = resources.database.waker.dispatcher
    if dispatcher is None:
        return []
    up = GaugeMetricFamily("docsieve_redis_up", "Whether Redis responds")
    waiting = GaugeMetricFamily("docsieve_redis_messages", "Messages that wait for a worker", labels=["queue"])
    try:
        for queue, count in (await dispatcher.backlog(_QUEUES)).items():
            waiting.add_metric([queue], count)
    except RedisUnavailable:
        up.add_metric([], 0)
        return [up]
    up.add_metric([], 1)
    return [up, waiting]


@asynccontextmanager
async def _bounded() -> AsyncIterator[None]:
    """Probes and scrapers give up after a few seconds, so the response must be faster."""
    try:
        async with asyncio.timeout(_DATABASE_SECONDS):
            yield
    except TimeoutError as error:
        raise DatabaseUnavailable(f"The database did not respond within {_DATABASE_SECONDS:.0f} s.") from error


def router(settings: Settings, metrics_folder: Path | None) -> Router:
    routes = Router(tags=["operations"], versioned=False)
    passed = _PassedChecks()

    def guard(path: PublicPath) -> list[DependsMarker]:
        return [] if path in settings.public_paths else [Depends(KeyCheck("read"))]

    @routes.get("/livez", response_class=PlainTextResponse, dependencies=guard("livez"), responses=COMMON)
    async def livez() -> str:
        """Check whether the process is running."""
        return "ok"

    @routes.get("/readyz", response_class=PlainTextResponse, dependencies=guard("readyz"), responses=_UNREADY)
    async def readyz(resources: Resources) -> str:
        """Check whether the database, the blob store, the encryption key and disk space allow serving requests."""
        await _check(resources, passed)
        return await _dispatch(resources) or "ok"

    @routes.get("/metrics", response_class=PlainTextResponse, dependencies=guard("metrics"), responses=COMMON)
    async def metrics(resources: Resources) -> Response:
        """Get metrics in the Prometheus text format."""
        return Response(await _metrics(resources, metrics_folder), media_type="text/plain; version=0.0.4")

    return routes
