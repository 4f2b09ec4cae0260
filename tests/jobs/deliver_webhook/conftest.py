"""An application whose worker sends webhooks, in this process, and a receiver on loopback."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.composition import open_outbound
from docsieve.db.access.tenants import Tenant
from docsieve.db.webhooks.sending import DeliverWebhook
from docsieve.domain.events import EventType
from docsieve.jobs.deliver_webhook import DeliverWebhookHandler
from docsieve.queue.kinds import Kind
from docsieve.queue.worker import Worker
from tests.api.running import Running, running
from tests.signals import OwnSignals, named, own_signals
from tests.webhook_receiver import Receiver, receiving

ALLOWED = "127.0.0.0/8"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as started:
        yield started


@dataclass
class Sending:
    """An application with a tenant, and ways to make events and to wait for what becomes of them."""

    api: Running
    tenant: Tenant
    client: httpx.AsyncClient
    signals: OwnSignals

    async def endpoint(self, url: str, **settings: Any) -> dict[str, Any]:
        response = await self.client.post("/webhooks/endpoints", json={"url": url, **settings})
        assert response.status_code == 201, response.text
        created: dict[str, Any] = response.json()
        return created

    async def emit(self, kind: str = EventType.BUDGET_EXCEEDED, count: int = 1) -> list[UUID]:
        """Events of the tenant; their ids."""
        async with self.api.resources.database.system() as connection:
            rows = await connection.fetch(
                "select emit_event($1, null, $2, null, null, null, jsonb_build_object('number', place)) as id"
                " from generate_series(1, $3::int) as place",
                self.tenant.id,
                kind,
                count,
            )
        return [row["id"] for row in rows]

    async def deliveries(self, **wanted: str) -> list[dict[str, Any]]:
        answer = (await self.client.get("/webhooks/deliveries", params={"limit": "200", **wanted})).json()
        found: list[dict[str, Any]] = answer["deliveries"]
        return found

    async def delivery(self, delivery_id: str) -> dict[str, Any]:
        details: dict[str, Any] = (await self.client.get(f"/webhooks/deliveries/{delivery_id}")).json()
        return details

    async def until(self, condition: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The only delivery, once the condition holds; looked at again whenever a job has ended."""
        return (await self.until_all(lambda found: len(found) == 1 and condition(found[0])))[0]

    async def until_all(self, condition: Callable[[list[dict[str, Any]]], bool]) -> list[dict[str, Any]]:
        while True:
            ended = sum(map(named("attempt.ended"), self.signals.seen))
            if condition(found := await self.deliveries()):
                return found
            await self.signals.until(named("attempt.ended"), times=ended + 1)

    async def make_due(self) -> None:
        """Let the time of every scheduled attempt come."""
        await self.execute("update jobs set run_at = clock_timestamp() where status = 'scheduled'")

    async def execute(self, statement: str, *arguments: object) -> None:
        async with self.api.resources.database.system() as connection:
            await connection.execute(statement, *arguments)

    async def fetchval(self, query: str, *arguments: object) -> Any:
        async with self.api.resources.database.system() as connection:
            return await connection.fetchval(query, *arguments)

    @asynccontextmanager
    async def worker(self, slots: int = 64) -> AsyncIterator[Worker]:
        resources = self.api.resources
        async with open_outbound(resources.settings) as client:
            kinds = {DeliverWebhook.job_type: Kind(DeliverWebhook, DeliverWebhookHandler(resources, client))}
            worker = Worker(resources.database, kinds, {"webhook": slots}, resources.settings)
            stopping = asyncio.Event()
            task = asyncio.create_task(worker.run(stopping))
            try:
                yield worker
            finally:
                stopping.set()
                await asyncio.wait_for(task, 30)


@asynccontextmanager
async def opened(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[Sending]:
    with own_signals() as signals:
        async with running(database_url, folder, outbound_allow=ALLOWED, **settings) as api:
            tenant = await api.tenant("acme")
            yield Sending(api, tenant, await api.admin(tenant), signals)


@pytest.fixture
async def sending(database_url: str, tmp_path: Path) -> AsyncIterator[Sending]:
    async with opened(database_url, tmp_path) as started:
        yield started
