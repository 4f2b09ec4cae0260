"""Waiting for a document's status: woken at first, by changes, and when the process stops."""

import asyncio
from collections.abc import AsyncIterator
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.services.events.status_watch import StatusWatch
from tests.api.running import Running, uploaded

SECONDS = 30.0


@pytest.fixture
async def statuses(api: Running) -> AsyncIterator[StatusWatch]:
    started = StatusWatch(api.resources.database)
    yield started
    await started.close()


async def test_a_watch_is_woken_once_and_then_by_changes_only(
    api: Running, acme: Tenant, client: httpx.AsyncClient, statuses: StatusWatch
) -> None:
    document_id = UUID((await uploaded(client))["id"])
    with statuses.watch(acme.id, document_id) as watch:
        assert await watch.changed(seconds=SECONDS)
        assert not await watch.changed(seconds=1)
        await api.claim()
        assert await watch.changed(seconds=SECONDS)
        assert not await watch.changed(seconds=1)


async def test_a_watch_is_woken_when_the_process_stops(
    acme: Tenant, client: httpx.AsyncClient, statuses: StatusWatch
) -> None:
    document_id = UUID((await uploaded(client))["id"])
    with statuses.watch(acme.id, document_id) as watch:
        assert await watch.changed(seconds=SECONDS)
        waiting = asyncio.create_task(watch.changed(seconds=SECONDS))
        statuses.end_waits()
        assert await waiting


async def test_a_watch_of_another_tenants_document_is_told_that_there_is_none(
    api: Running, client: httpx.AsyncClient, statuses: StatusWatch
) -> None:
    document_id = UUID((await uploaded(client))["id"])
    stranger = await api.tenant("stranger")
    with statuses.watch(stranger.id, document_id) as watch:
        assert await watch.changed(seconds=SECONDS)
        assert watch.seen is None
