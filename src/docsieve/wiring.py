"""The composition root: builds what a process needs from the settings, and closes it again."""

import asyncio
import gc
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from docsieve.blobs.registry import open_store
from docsieve.configuration import azure_account, render_limits, sandbox_limits
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.pool import PATIENT, Patience
from docsieve.db.connection.session import Database
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.registry import open_embedder
from docsieve.jobs import registry as jobs
from docsieve.llm.prices import Prices, read_prices
from docsieve.llm.registry import KnownModels
from docsieve.pipelines.page_renderer import MAX_IMAGE_BYTES, PageRenderer
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.worker import Worker
from docsieve.remote.port import RemoteParser
from docsieve.remote.registry import open_remote_parsers
from docsieve.resources import Resources
from docsieve.sandbox.pool import Sandbox
from docsieve.sealing import open_sealer
from docsieve.services.access import tenants
from docsieve.settings import Settings
from docsieve.tasks import registry as tasks

if TYPE_CHECKING:
    from fastapi import FastAPI

_RENDERING_PROCESSES = 2

_REQUEST_PATIENCE = Patience(acquire_seconds=5.0, command_seconds=10.0)

DEFAULT_LANES: Mapping[str, int] = {"default": 8, "maintenance": 1}


@asynccontextmanager
async def open_resources(
    settings: Settings,
    database_url: str,
    *,
    connections: int = 10,
    patience: Patience = PATIENT,
    renders: bool = True,
) -> AsyncIterator[Resources]:
    database = await Database.open(
        database_url, pooler=settings.database_pooler, connections=connections, patience=patience
    )
    try:
        blobs = open_store(settings.blob_location, min_free_bytes=settings.min_free_bytes)
        try:
            async with (
                _providers(settings) as providers,
                _open_renderer(settings) if renders else nullcontext() as renderer,
            ):
                yield Resources(
                    settings,
                    database,
                    blobs,
                    open_sealer(settings),
                    providers.embedders,
                    providers.models.chosen,
                    providers.remote_parsers,
                    renderer,
                    providers.models,
                    providers.prices,
                )
        finally:
            await blobs.close()
    finally:
        await database.close()


@dataclass(frozen=True, slots=True)
class _Providers:
    """Clients of providers. None makes a call before it is needed."""

    embedders: KnownEmbedders
    models: KnownModels
    prices: Prices
    remote_parsers: Mapping[str, RemoteParser]


@asynccontextmanager
async def _providers(settings: Settings) -> AsyncIterator[_Providers]:
    remote = open_remote_parsers(azure_account(settings))
    embedders, models = KnownEmbedders(open_embedder(settings)), KnownModels(settings)
    try:
        yield _Providers(embedders, models, read_prices(settings.data_dir), remote)
    finally:
        await embedders.close()
        await models.close()


@asynccontextmanager
async def _open_renderer(settings: Settings) -> AsyncIterator[PageRenderer]:
    """Starts no process until the first page is rendered."""
    limits = render_limits(settings, output_bytes=MAX_IMAGE_BYTES)
    workdirs = WorkDirs(settings.data_dir)
    try:
        sandbox = Sandbox(limits, tasks=tasks, children=_RENDERING_PROCESSES, folder=workdirs.sandbox)
        async with PageRenderer(sandbox, workdirs.new) as renderer:
            yield renderer
    finally:
        workdirs.close()


async def prepare(settings: Settings, database_url: str) -> str | None:
    """Migrate the database and make sure there is an admin key. Returns a new key, which can only be shown now."""
    await migrate(database_url)
    database = await Database.open(database_url, pooler=settings.database_pooler)
    try:
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
            Sandbox(
                sandbox_limits(settings), tasks=tasks, children=settings.parser_processes, folder=workdirs.sandbox
            ) as sandbox,
        ):
            kinds = jobs.kinds(resources, sandbox, workdirs)
            periodic = jobs.PERIODIC if "maintenance" in lanes else ()
            gc.freeze()  # everything loaded so far stays, so collections can skip it
            await Worker(resources.database, kinds, lanes, settings, periodic=periodic).run(stopping)
    finally:
        workdirs.close()


def build_api(settings: Settings, database_url: str, metrics_folder: Path | None = None) -> "FastAPI":
    # imported here because a worker starts faster without a web framework
    from docsieve.api.app import create_app

    def resources() -> AbstractAsyncContextManager[Resources]:
        return open_resources(settings, database_url, connections=20, patience=_REQUEST_PATIENCE)

    return create_app(settings, resources, metrics_folder=metrics_folder)
