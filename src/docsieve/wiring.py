"""The processes of a server: an API or a worker with its database, blob store and clients, closed again at the end."""

import asyncio
import gc
import signal
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from docsieve.api.limits.buckets import SharedBuckets
from docsieve.blobs.port import BlobStore
from docsieve.blobs.registry import open_store
from docsieve.blobs.sealed.store import SealedBlobStore
from docsieve.composition import document_sandbox, open_clients, open_outbound, open_renderer, unpack_sandbox
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.pool import PATIENT, Patience
from docsieve.db.connection.session import Database
from docsieve.db.documents.acceptance import Acceptance
from docsieve.db.events import outbox
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.registry import open_embedder
from docsieve.encryption.keyring import Keyring
from docsieve.encryption.master_keys import master_keys
from docsieve.errors.setup import InvalidSettings
from docsieve.jobs import registry as jobs
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.kinds import Kinds
from docsieve.queue.lane import Lane
from docsieve.queue.worker import Worker
from docsieve.remote.registry import open_remote_parsers
from docsieve.resources import Resources
from docsieve.sealer import open_sealer
from docsieve.services.access import tenants
from docsieve.settings import Settings

if TYPE_CHECKING:
    from arq.connections import ArqRedis
    from fastapi import FastAPI

_REQUEST_PATIENCE = Patience(acquire_seconds=5.0, command_seconds=10.0)

# Of all API processes of a machine together, and of each at least. PostgreSQL allows 100 unless configured otherwise.
_API_CONNECTIONS = 40
_MIN_CONNECTIONS = 5

POOLS: Mapping[str, Mapping[str, int]] = {
    "default": {"default": 8, "download": 16, "webhook": 512, "maintenance": 1},
    "archive": {"archive": 1},
}
"""Sets of lanes with their slots, for machines of different size: unpacking archives takes memory and disk space."""

DEFAULT_LANES: Mapping[str, int] = {queue: slots for pool in POOLS.values() for queue, slots in pool.items()}


@asynccontextmanager
async def open_resources(
    settings: Settings,
    database_url: str,
    *,
    connections: int = 10,
    patience: Patience = PATIENT,
    renders: bool = True,
) -> AsyncIterator[Resources]:
    async with AsyncExitStack() as stack:
        direct_url = settings.database_direct_url
        database = await Database.open(
            database_url,
            direct_url=direct_url.get_secret_value() if direct_url is not None else None,
            connections=connections,
            patience=patience,
        )
        stack.push_async_callback(database.close)
        if settings.redis_url is not None:
            await stack.enter_async_context(_dispatched_by_redis(settings, database))
        # a job waits for the database as long as its lease lasts, a request does not
        keyring = open_keyring(settings, database, outage_seconds=0 if renders else settings.lease_seconds)
        blobs = open_blobs(settings, keyring)
        stack.push_async_callback(blobs.close)
        embedders = KnownEmbedders(open_embedder(settings))
        stack.push_async_callback(embedders.close)
        clients = await stack.enter_async_context(open_clients(settings))
        yield Resources(
            settings,
            database,
            blobs,
            open_sealer(settings),
            embedders,
            clients,
            keyring,
            Acceptance(database),
            open_remote_parsers(clients.azure),
            await stack.enter_async_context(open_renderer(settings)) if renders else None,
        )


def open_keyring(settings: Settings, database: Database, *, outage_seconds: float = 0.0) -> Keyring:
    return Keyring(database, master_keys(settings.master_key), outage_seconds=outage_seconds)


def open_blobs(settings: Settings, keyring: Keyring) -> BlobStore:
    """The store of the settings, in which the blobs of tenants are encrypted if there is a master key."""
    return SealedBlobStore(open_store(settings.blob_location, min_free_bytes=settings.min_free_bytes), keyring)


@asynccontextmanager
async def open_redis(settings: Settings) -> AsyncIterator["ArqRedis"]:
    """Raises InvalidSettings. Connects when it is first used."""
    try:
        # imported here because ARQ would cost each process 200 ms of processor time
        from docsieve.queue.redis.connection import open_connections
    except ImportError as error:
        raise InvalidSettings("DOCSIEVE_REDIS_URL needs ARQ. Install docsieve[redis].") from error
    redis = open_connections(settings)
    try:
        yield redis
    finally:
        await redis.aclose()


@asynccontextmanager
async def _dispatched_by_redis(settings: Settings, database: Database) -> AsyncIterator[None]:
    """Raises InvalidSettings. Redis itself need not answer."""
    async with open_redis(settings) as redis:
        from docsieve.queue.redis.sender import Sender

        sender = Sender(database, redis, otherwise=database.waker.notify)
        database.waker.dispatcher = sender
        try:
            yield
        finally:
            database.waker.dispatcher = None
            await sender.close()


def _lane(database: Database, kinds: Kinds) -> Callable[..., Lane]:
    """What the lanes of a worker are made by."""
    if database.waker.dispatcher is None:
        return Lane
    from docsieve.queue.redis.lane import RedisLane
    from docsieve.queue.redis.sender import Sender

    assert isinstance(database.waker.dispatcher, Sender)
    return partial(RedisLane, sender=database.waker.dispatcher, job_types=list(kinds))


async def prepare(settings: Settings, database_url: str) -> str | None:
    """Migrate the database and make sure there is an admin key. Returns a new key, which can only be shown now."""
    await migrate(settings.direct_url(database_url))
    database = await Database.open(database_url)
    try:
        async with database.system() as connection:
            await outbox.adopt_restored(connection)
        api_key = settings.api_key.get_secret_value() if settings.api_key is not None else None
        return await tenants.bootstrap(database, api_key)
    finally:
        await database.close()


async def run_worker(settings: Settings, database_url: str, lanes: Mapping[str, int]) -> None:
    """Run jobs until SIGTERM or SIGINT."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    workdirs = WorkDirs(settings.data_dir)
    try:
        async with (
            open_resources(settings, database_url, renders=False) as resources,
            document_sandbox(settings, processes=settings.parser_processes, folder=workdirs.sandbox) as sandbox,
            unpack_sandbox(settings, processes=lanes.get("archive", 1), folder=workdirs.sandbox) as unpackers,
            open_outbound(settings) as outbound,
        ):
            kinds = jobs.kinds(resources, sandbox, unpackers, workdirs, outbound)
            scheduled = jobs.scheduled(settings) if "maintenance" in lanes else ()
            gc.freeze()  # everything loaded so far stays, so collections can skip it
            lane = _lane(resources.database, kinds)
            await Worker(resources.database, kinds, lanes, settings, scheduled=scheduled, lane=lane).run(stopping)
    finally:
        workdirs.close()


def build_api(
    settings: Settings,
    database_url: str,
    metrics_folder: Path | None = None,
    buckets: SharedBuckets | None = None,
) -> "FastAPI":
    # imported here because it would cost each worker 450 ms of processor time
    from docsieve.api.app import create_app

    def resources() -> AbstractAsyncContextManager[Resources]:
        connections = max(_MIN_CONNECTIONS, min(20, _API_CONNECTIONS // settings.api_processes))
        return open_resources(settings, database_url, connections=connections, patience=_REQUEST_PATIENCE)

    return create_app(settings, resources, metrics_folder=metrics_folder, buckets=buckets)
