"""The application in this process: real database, real blob store, HTTP without a socket."""

import io
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from fastapi import FastAPI

from docsieve.api.app import create_app
from docsieve.api.routing import API_PREFIX
from docsieve.db.access import projects
from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import rows as documents
from docsieve.db.documents.rows import ReadResult
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.documents import pages_key
from docsieve.domain.jobs import ClaimedJob, JobFailure
from docsieve.domain.pages.page import Line, Page
from docsieve.domain.pages.pagefile import PageFileWriter
from docsieve.domain.scope import Scope
from docsieve.resources import Resources
from docsieve.services.access import keys, tenants
from docsieve.settings import Settings
from docsieve.wiring import open_resources
from tests import backends

WORKER = "worker-of-the-test"
LEASE_SECONDS = 30.0


@dataclass(frozen=True)
class Running:
    """An application after its start, and ways for a test to change its state."""

    app: FastAPI
    resources: Resources
    closing: AsyncExitStack

    async def client(self, key: str | None = None, *, prefix: str = API_PREFIX, **headers: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        sent = {**headers, **({"X-API-Key": key} if key is not None else {})}
        client = httpx.AsyncClient(transport=transport, base_url=f"http://docsieve{prefix}", headers=sent)
        return await self.closing.enter_async_context(client)

    async def tenant(self, name: str) -> Tenant:
        async with self.resources.database.system() as connection, connection.transaction():
            return await tenants.create(connection, name)

    async def project(self, tenant: Tenant, name: str) -> UUID:
        async with self.resources.database.tenant(Scope(tenant.id)) as session:
            return (await projects.create(session.connection, tenant.id, name)).id

    async def key(
        self, tenant: Tenant, scope: str, *, project_id: UUID | None = None, expires_at: datetime | None = None
    ) -> str:
        async with self.resources.database.system() as connection:
            _, presented = await keys.create(
                connection, tenant.id, name="a key", scopes=[scope], project_id=project_id, expires_at=expires_at
            )
        return presented

    async def admin(self, tenant: Tenant, *, project_id: UUID | None = None) -> httpx.AsyncClient:
        return await self.client(await self.key(tenant, "admin", project_id=project_id))

    async def claim(self, limit: int = 1) -> list[ClaimedJob]:
        async with self.resources.database.system() as connection:
            return await queue_sql.claim(
                connection, "default", limit=limit, worker_id=WORKER, lease_seconds=LEASE_SECONDS
            )

    async def fail(self, job: ClaimedJob, *, retry_in: float | None = None) -> None:
        async with self.resources.database.system() as connection:
            failure = JobFailure("corrupt_document", "It cannot be opened.")
            assert await queue_sql.fail(connection, job, failure, details=None, retry_in=retry_in)

    async def complete(self, job: ClaimedJob, *texts: str | Page, sealed: bool = False) -> str:
        """End the job as a worker does, with one stored page for each text or page; returns the key of the pages."""
        assert job.document_id is not None
        async with self.resources.database.tenant(Scope(job.tenant_id)) as session:
            source = await documents.source(session, job.document_id)
        assert source is not None
        key = pages_key(job.tenant_id, source.sha256, "text", "1", only_for=job.document_id if sealed else None)
        content = io.BytesIO()
        writer = PageFileWriter(content, parser="text", parser_version="1")
        for number, text in enumerate(texts, 1):
            line = "" if isinstance(text, Page) else text
            page = Page(number, 612.0, 792.0, [Line(line, (0.0, 0.0, 100.0, 10.0))])
            writer.add(text if isinstance(text, Page) else page)
        summary = writer.close()
        await self.resources.blobs.put(key, once(content.getvalue()))
        async with self.resources.database.tenant(Scope(job.tenant_id)) as session:
            read = ReadResult(key, summary.page_count, 0, summary.characters, "text", "1", cached=False)
            await documents.record_reading(session, job.document_id, read, job_id=job.id, attempt=job.attempt)
            assert await queue_sql.complete(session.connection, [job], worker_id=WORKER) == {job.id}
        return key

    async def blobs(self) -> set[str]:
        return {info.key async for info in self.resources.blobs.list() if not info.key.startswith("probes/")}

    async def count(self, table: str) -> int:
        async with self.resources.database.system() as connection:
            return int(await connection.fetchval(f"select count(*) from {table}"))


@asynccontextmanager
async def running(database_url: str, data_dir: Path, **settings: Any) -> AsyncIterator[Running]:
    chosen = Settings(**{"data_dir": data_dir, **backends.in_process_settings(), **settings})
    with _startable(chosen, lambda: open_resources(chosen, database_url)) as app:
        async with app.router.lifespan_context(app), AsyncExitStack() as closing:
            yield Running(app, app.state.resources, closing)


class _Application:
    """An application that is started again and again, each time with the resources of another test."""

    open_resources: Callable[[], AbstractAsyncContextManager[Resources]]

    def __init__(self, settings: Settings) -> None:
        self.app = create_app(settings, lambda: self.open_resources())
        self.as_made = self.changeable()

    def changeable(self) -> tuple[object, ...]:
        router = self.app.router
        return [*router.routes], router.default, [*self.app.user_middleware], {**self.app.exception_handlers}


# By their settings. The first request to an application builds all its routes, which takes longer than most tests.
_at_rest: dict[str, list[_Application]] = {}


@contextmanager
def _startable(
    settings: Settings, open_resources: Callable[[], AbstractAsyncContextManager[Resources]]
) -> Iterator[FastAPI]:
    """An application that no other test is using; one that a test has changed or failed with is not used again."""
    at_rest = _at_rest.setdefault(settings.model_dump_json(exclude={"data_dir"}), [])
    application = at_rest.pop() if at_rest else _Application(settings)
    application.open_resources = open_resources
    yield application.app
    if application.changeable() == application.as_made:
        at_rest.append(application)


async def once(content: bytes) -> AsyncIterator[bytes]:
    yield content


async def upload(
    client: httpx.AsyncClient,
    content: bytes = b"Hello.",
    filename: str = "a.txt",
    *,
    key: str | None = None,
    **fields: str,
) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key is not None else {}
    return await client.post("/documents", files={"file": (filename, content)}, data=fields, headers=headers)


async def uploaded(
    client: httpx.AsyncClient, content: bytes = b"Hello.", filename: str = "a.txt", **given: str
) -> dict[str, Any]:
    response = await upload(client, content, filename, **given)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


def assert_problem(response: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """The answer is a problem document with exactly this status and code."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert {"type", "title", "status", "code", "detail"} <= problem.keys()
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["title"]
    assert problem["detail"]
    return problem
