"""For load balancers and Prometheus: alive, ready, metrics. Whether they need a key is the operator's choice."""

import os
import time

from fastapi import Depends, Response
from fastapi.params import Depends as DependsMarker
from fastapi.responses import PlainTextResponse
from prometheus_client import REGISTRY, CollectorRegistry, Gauge, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from docsieve.api.access import KeyCheck, Resources
from docsieve.api.problems import COMMON
from docsieve.api.routing import Router
from docsieve.db import health, jobs, migrate
from docsieve.errors import Unavailable
from docsieve.resources import Resources as AppResources
from docsieve.settings import PublicPath, Settings

_BLOB_CHECK_SECONDS = 10.0


class _LastCheck:
    """The probe writes and syncs a blob, so readiness asks for one at most every few seconds."""

    passed_at = float("-inf")


async def _check(resources: AppResources, last: _LastCheck) -> None:
    async with resources.database.system() as connection:
        applied = await migrate.applied(connection)
    # a newer one is fine: during a rolling upgrade the old release goes on until it is replaced
    if (applied or "") < migrate.newest():
        raise Unavailable(f"The database is at revision {applied}, this release needs {migrate.newest()}.")
    if time.monotonic() - last.passed_at > _BLOB_CHECK_SECONDS:
        await resources.blobs.check()
        last.passed_at = time.monotonic()


async def _metrics(resources: AppResources) -> bytes:
    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    async with resources.database.system() as connection:
        depths = await jobs.depths(connection)
        oldest = await health.oldest_transaction(connection)
    queues = CollectorRegistry()
    depth = Gauge("docsieve_queue_jobs", "Unfinished jobs", ["queue", "status"], registry=queues)
    age = Gauge("docsieve_queue_oldest_seconds", "Age of the oldest pending job", ["queue"], registry=queues)
    for row in depths:
        for status in ("pending", "processing", "scheduled"):
            depth.labels(row["queue"], status).set(row[status])
        age.labels(row["queue"]).set(row["oldest_seconds"])
    snapshot = Gauge(
        "docsieve_oldest_transaction_seconds",
        "Age of the oldest open transaction: vacuum waits for it",
        registry=queues,
    )
    snapshot.set(oldest["seconds"] if oldest is not None else 0)
    return generate_latest(registry) + generate_latest(queues)


def router(settings: Settings) -> Router:
    routes = Router(tags=["operations"])
    last = _LastCheck()

    def guard(path: PublicPath) -> list[DependsMarker]:
        return [] if path in settings.public_paths else [Depends(KeyCheck("read"))]

    @routes.get("/livez", response_class=PlainTextResponse, dependencies=guard("livez"), responses=COMMON)
    async def livez() -> str:
        return "ok"

    @routes.get("/readyz", response_class=PlainTextResponse, dependencies=guard("readyz"), responses=COMMON)
    async def readyz(resources: Resources) -> str:
        await _check(resources, last)
        return "ok"

    @routes.get("/metrics", response_class=PlainTextResponse, dependencies=guard("metrics"), responses=COMMON)
    async def metrics(resources: Resources) -> Response:
        return Response(await _metrics(resources), media_type="text/plain; version=0.0.4")

    return routes
