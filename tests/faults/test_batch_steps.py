"""kill -9 at every step of starting a batch of a thousand documents: nothing is lost, nothing is started twice."""

import asyncio
from collections.abc import Callable
from typing import Any

import asyncpg
import httpx
import pytest

from docsieve.domain.ids import new_ids
from tests.service import Service

DOCUMENTS = 1_000
STEPS = ("batch.deferred", "batch.planned", "batch.extractions_written", "batch.jobs_written", "batch.committed")
COMMITTED = "batch.committed"
FIELDS = [{"name": "total", "type": "number"}]
MAIL = b"From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\nMIME-Version: 1.0\r\n\r\nHello.\r\n"

# copies of a document that was read, which share its pages
_COPY = """
with copies as (
    insert into documents (id, tenant_id, project_id, status, filename, media_type, size, sha256, pages_key, page_count,
                           characters, parser, parser_version)
    select id, tenant_id, project_id, status, place || '.txt', media_type, size, sha256, pages_key, page_count,
           characters, parser, parser_version
    from unnest($3::uuid[]) with ordinality as new (id, place),
         (select tenant_id, project_id, status, media_type, size, sha256, pages_key, page_count, characters, parser,
                 parser_version from documents where id = $1) as original
    returning id, tenant_id, project_id)
insert into batch_documents (batch_id, document_id, tenant_id, project_id) select $2, * from copies
"""
_STARTED = """
select count(*) as extractions, count(distinct extractions.job_id) as jobs,
       count(distinct its.document_id) as documents, count(distinct jobs.id) as queued
from extractions join extraction_documents as its on its.extraction_id = extractions.id
left join jobs on jobs.id = extractions.job_id and jobs.status in ('pending', 'scheduled', 'processing', 'completed')
where batch_id = $1
"""


def _ask(service: Service, query: str, *arguments: Any) -> Any:
    async def ask() -> Any:
        connection = await asyncpg.connect(service.environment["DOCSIEVE_DATABASE_URL"])
        try:
            return await connection.fetchrow(query, *arguments)
        finally:
            await connection.close()

    return asyncio.run(ask())


def _batch(service: Service, document_id: str, count: int = DOCUMENTS) -> str:
    batch_id: str = service.client.post("/batches", json={"name": "a", "fields": FIELDS}).json()["id"]
    _ask(service, _COPY, document_id, batch_id, new_ids(count))
    return batch_id


def _wait(service: Service, batch_id: str, **wanted: Any) -> dict[str, Any]:
    """The batch, once it has these values."""

    def found() -> dict[str, Any] | None:
        batch: dict[str, Any] = service.client.get(f"/batches/{batch_id}").json()
        return batch if wanted.items() <= batch.items() else None

    batch: dict[str, Any] = service.wait_until(found, what=str(wanted))
    return batch


def _assert_started_once(service: Service, batch_id: str, count: int) -> None:
    found = _ask(service, _STARTED, batch_id)
    assert tuple(found) == (count, count, count, count)
    progress = service.client.get(f"/batches/{batch_id}").json()["progress"]
    assert progress["total"] == count


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    return start_service(DOCSIEVE_LEASE_SECONDS="2", DOCSIEVE_SHUTDOWN_SECONDS="5", DOCSIEVE_PARSER_MEMORY_MB="512")


@pytest.fixture
def document_id(service: Service) -> str:
    """A document that was read, while nothing runs."""
    api, worker = service.api(), service.worker("default=1")
    document: str = service.upload(b"Total 5.00").json()["id"]
    assert service.settled(document)["status"] == "ready"
    for process in (worker, api):
        process.terminate()
        process.wait(30)
    return document


def test_the_api_killed_at_any_step_of_a_start_leaves_all_of_it_or_nothing(service: Service, document_id: str) -> None:
    for step in STEPS[1:]:
        api = service.api()
        batch_id = _batch(service, document_id)
        api.terminate()
        api.wait(30)
        doomed = service.api(DOCSIEVE_FAULT=step)
        with pytest.raises(httpx.TransportError):
            service.client.post(f"/batches/{batch_id}/start")
        assert doomed.wait(30) == -9, step
        api = service.api()
        again = service.client.post(f"/batches/{batch_id}/start")
        assert (again.status_code, step == COMMITTED) in ((200, False), (409, True)), step
        _assert_started_once(service, batch_id, DOCUMENTS)
        api.terminate()
        api.wait(30)


def test_a_worker_killed_at_any_step_of_a_postponed_start_is_replaced_and_starts_it_once(
    service: Service, document_id: str
) -> None:
    service.api()
    for step in STEPS[1:]:
        batch_id = _batch(service, document_id)
        # the groups are not known before the mail was read
        service.upload(MAIL + step.encode(), "mail.eml", batch=batch_id).raise_for_status()
        assert service.client.post(f"/batches/{batch_id}/start").json()["starting"] is True
        assert service.worker("default=1", DOCSIEVE_FAULT=step).wait(60) == -9, step
        survivor = service.worker("default=1")
        _wait(service, batch_id, starting=False)
        _assert_started_once(service, batch_id, DOCUMENTS + 1)
        assert service.client.post(f"/batches/{batch_id}/cancel").json()["status"] == "cancelled"
        survivor.terminate()
        assert survivor.wait(30) == 0


def test_an_api_killed_while_it_postpones_a_start_has_done_nothing(service: Service, document_id: str) -> None:
    api = service.api()
    batch_id = _batch(service, document_id, 10)
    service.upload(MAIL, "mail.eml", batch=batch_id).raise_for_status()
    api.terminate()
    api.wait(30)
    doomed = service.api(DOCSIEVE_FAULT="batch.deferred")
    with pytest.raises(httpx.TransportError):
        service.client.post(f"/batches/{batch_id}/start")
    assert doomed.wait(30) == -9
    service.api()
    assert service.client.get(f"/batches/{batch_id}").json()["status"] == "pending_configuration"
    assert service.client.post(f"/batches/{batch_id}/start").json()["starting"] is True
    service.worker()
    assert _wait(service, batch_id, status="completed")["progress"]["completed"] == 11
