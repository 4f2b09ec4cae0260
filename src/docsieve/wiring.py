"""The processes of a server: an API or a worker with its database, blob store and clients, closed again at the end."""

import asyncio
import gc
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from docsieve.blobs.registry import open_store
from docsieve.composition import document_sandbox, open_clients, open_outbound, open_renderer, unpack_sandbox
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.pool import PATIENT, Patience
from docsieve.db.connection.session import Database
from docsieve.db.events import outbox
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.registry import open_embedder
from docsieve.jobs import registry as jobs
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.worker import Worker
from docsieve.remote.registry import open_remote_parsers
from docsieve.resources import Resources
from docsieve.sealer import open_sealer
from docsieve.services.access import tenants
from docsieve.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

_REQUEST_PATIENCE = Patience(acquire_seconds=5.0, command_seconds=10.0)

DEFAULT_LANES: Mapping[str, int] = {"default": 8, "archive": 1, "webhook": 512, "maintenance": 1}


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
        blobs = open_store(settings.blob_location, min_free_bytes=settings.min_free_bytes)
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
            open_remote_parsers(clients.azure),
            await stack.enter_async_context(open_renderer(settings)) if renders else None,
        )


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
            await Worker(resources.database, kinds, lanes, settings, scheduled=scheduled).run(stopping)
    finally:
        workdirs.close()


def build_api(settings: Settings, database_url: str, metrics_folder: Path | None = None) -> "FastAPI":
    # imported here because it would cost each worker 450 ms of processor time
    from docsieve.api.app import create_app

    def resources() -> AbstractAsyncContextManager[Resources]:
        return open_resources(settings, database_url, connections=20, patience=_REQUEST_PATIENCE)

    return create_app(settings, resources, metrics_folder=metrics_folder)
