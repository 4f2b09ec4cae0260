"""The composition root: builds what a process needs from the settings, and takes it down again."""

import asyncio
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from docsieve.blobs.registry import open_store
from docsieve.db.migrate import migrate
from docsieve.db.session import Database
from docsieve.jobs import registry
from docsieve.jobs.scratch import Scratch
from docsieve.queue.worker import Worker
from docsieve.resources import Resources
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.sealing import open_sealer
from docsieve.services import tenants
from docsieve.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

DEFAULT_LANES: Mapping[str, int] = {"default": 8, "archive": 1, "webhook": 16, "maintenance": 1}


@asynccontextmanager
async def open_resources(settings: Settings, database_url: str, *, connections: int = 10) -> AsyncIterator[Resources]:
    database = await Database.open(database_url, pooler=settings.database_pooler, connections=connections)
    try:
        blobs = open_store(settings.blob_location)
        try:
            yield Resources(settings, database, blobs, open_sealer(settings))
        finally:
            await blobs.close()
    finally:
        await database.close()


async def prepare(settings: Settings, database_url: str) -> str | None:
    """Bring the database up to date and make sure somebody can sign in; returns a key that must be shown now."""
    await migrate(database_url)
    database = await Database.open(database_url, pooler=settings.database_pooler)
    try:
        api_key = settings.api_key.get_secret_value() if settings.api_key is not None else None
        return await tenants.bootstrap(database, api_key)
    finally:
        await database.close()


async def run_worker(settings: Settings, database_url: str, lanes: Mapping[str, int]) -> None:
    """Work until SIGTERM or SIGINT."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    limits = Limits(
        memory_mb=settings.parser_memory_mb,
        wall_seconds=settings.parser_seconds,
        cpu_seconds=max(1, int(settings.parser_seconds)),
    )
    scratch = Scratch(settings.data_dir)
    try:
        async with (
            open_resources(settings, database_url) as resources,
            Sandbox(limits, children=settings.parser_processes) as sandbox,
        ):
            kinds = registry.kinds(resources, sandbox, scratch)
            periodic = registry.PERIODIC if "maintenance" in lanes else ()
            await Worker(resources.database, kinds, lanes, settings, periodic=periodic).run(stopping)
    finally:
        scratch.close()


def build_api(settings: Settings, database_url: str) -> "FastAPI":
    # imported here because a worker has no use for a web framework and starts sooner without
    from docsieve.api.app import create_app

    return create_app(settings, lambda: open_resources(settings, database_url, connections=20))
