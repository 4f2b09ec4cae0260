"""Batches on the server: found by name, created, filled, started and watched."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from docsieve.cli.console.http import Server
from docsieve.errors import Invalid
from docsieve.errors.setup import ServerProblem

_PAGE = 100
_FIRST_INTERVAL, _LONGEST_INTERVAL, _GROWTH = 0.3, 3.0, 1.3


@dataclass(frozen=True, slots=True)
class BatchSettings:
    """What a batch is to do. A name that is taken is that of an earlier run, which is resumed.

    Groups by folder of files on this machine are listed once the files are uploaded: their names on the server have no
    folders.
    """

    name: str
    schema: str | dict[str, Any] | None
    group_by: dict[str, Any]
    by_local_folder: bool = False
    project: str | None = None
    options: tuple[tuple[str, Any], ...] = ()

    def body(self) -> dict[str, Any]:
        group_by = None if self.by_local_folder else self.group_by
        given = {"schema": self.schema, "group_by": group_by, **dict(self.options)}
        return {name: value for name, value in given.items() if value is not None}

    @property
    def mode(self) -> str:
        return "explicit" if self.by_local_folder else self.group_by["mode"]


async def find(server: Server, name: str, *, cancelled: bool) -> dict[str, Any] | None:
    """The newest batch of exactly this name. A cancelled one cannot be resumed."""
    async for each in pages(server, "/batches", "batches", name=name):
        if each["name"] == name and (cancelled or each["status"] != "cancelled"):
            return await server.get(f"/batches/{each['id']}")
    return None


async def open_batch(server: Server, settings: BatchSettings) -> dict[str, Any]:
    """Find the batch or create it. Raises Invalid if it was started with other settings."""
    batch = await find(server, settings.name, cancelled=False)
    if batch is None:
        body = {"name": settings.name, "project": settings.project, **settings.body()}
        return await server.post("/batches", body, key=str(uuid4()))
    if batch["status"] == "pending_configuration" and not batch["starting"]:
        return await server.patch(f"/batches/{batch['id']}", settings.body())
    _check_same(batch, settings)
    return batch


def _check_same(batch: dict[str, Any], settings: BatchSettings) -> None:
    wanted = settings.schema
    known: str = batch["schema"] or ""
    if isinstance(wanted, str) and wanted not in (known, known.partition("@")[0]):
        raise Invalid(f"Batch {settings.name} was started with schema {known or 'of its project'}. Use another --name.")
    mode = batch["group_by"]["mode"]
    if settings.mode != mode:
        raise Invalid(f"Batch {settings.name} was started with groups by {mode}. Use another --name.")


async def start(server: Server, batch: dict[str, Any]) -> None:
    """Start the groups that were not started. A batch that runs already, and has nothing new, is left alone."""
    try:
        await server.post(f"/batches/{batch['id']}/start")
    except ServerProblem as problem:
        started = batch["status"] != "pending_configuration"
        if not (problem.code == "batch_starting" or (problem.code == "nothing_to_start" and started)):
            raise


async def states(server: Server, batch_id: str) -> AsyncIterator[dict[str, Any]]:
    """The batch again and again, until it is completed or cancelled."""
    interval = _FIRST_INTERVAL
    while True:
        batch = await server.get(f"/batches/{batch_id}")
        yield batch
        if batch["status"] in ("completed", "cancelled") or (batch["error"] and not batch["starting"]):
            return
        await asyncio.sleep(interval)
        interval = min(interval * _GROWTH, _LONGEST_INTERVAL)


async def pages(server: Server, path: str, noun: str, **wanted: Any) -> AsyncIterator[dict[str, Any]]:
    """All entries of a list."""
    cursor = None
    while True:
        page = await server.get(path, limit=_PAGE, cursor=cursor, **wanted)
        for each in page[noun]:
            yield each
        cursor = page["next_cursor"]
        if cursor is None:
            return
