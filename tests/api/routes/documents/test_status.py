"""Waiting for the status of a document to change, in one request."""

import asyncio
from time import monotonic

import httpx
import pytest

from docsieve.db.queue import jobs as queue_sql
from docsieve.services.events import ticker
from tests.api.running import Running, assert_problem, uploaded

PROMPT_SECONDS = 20.0
"""Much less than the requests are ready to wait."""


async def test_a_request_that_waits_is_answered_when_the_document_was_read(
    api: Running, client: httpx.AsyncClient
) -> None:
    url = f"/documents/{(await uploaded(client))['id']}/status"
    (job,) = await api.claim()
    waiting = asyncio.create_task(client.get(url, params={"wait": 60}))
    began = monotonic()
    await api.complete(job, "one")
    answer = await waiting
    assert (answer.status_code, answer.json()["status"]) == (200, "ready")
    assert monotonic() - began < PROMPT_SECONDS


async def test_waiting_ends_with_the_current_status_when_time_is_up(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{(await uploaded(client))['id']}/status"
    began = monotonic()
    answer = await client.get(url, params={"wait": 1})
    assert (answer.status_code, answer.json()["status"]) == (200, "pending")
    assert monotonic() - began >= 1
    unchanged = await client.get(url, params={"wait": 1}, headers={"If-None-Match": answer.headers["etag"]})
    assert (unchanged.status_code, unchanged.content) == (304, b"")


async def test_with_the_last_etag_any_change_ends_the_wait(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{(await uploaded(client))['id']}/status"
    (job,) = await api.claim()
    etag = (await client.get(url)).headers["etag"]
    waiting = asyncio.create_task(client.get(url, params={"wait": 60}, headers={"If-None-Match": etag}))
    async with api.resources.database.system() as connection:
        await queue_sql.record_progress(connection, [(job, '{"stage": "reading"}', None)], worker_id=job.worker_id)
    changed = await waiting
    assert (changed.status_code, changed.json()["progress"]["stage"]) == (200, "reading")
    assert changed.headers["etag"] != etag


async def test_what_is_final_is_answered_at_once(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{(await uploaded(client))['id']}/status"
    (job,) = await api.claim()
    await api.fail(job)
    began = monotonic()
    assert (await client.get(url, params={"wait": 60})).json()["status"] == "failed"
    assert monotonic() - began < PROMPT_SECONDS


async def test_a_document_that_is_deleted_or_cancelled_ends_the_wait(api: Running, client: httpx.AsyncClient) -> None:
    deleted, cancelled = await uploaded(client, b"1"), await uploaded(client, b"2")
    waiting = [
        asyncio.create_task(client.get(f"/documents/{each['id']}/status", params={"wait": 60}))
        for each in (deleted, cancelled)
    ]
    assert (await client.delete(f"/documents/{deleted['id']}")).status_code == 204
    assert (await client.post("/documents/cancel", json={"ids": [cancelled["id"]]})).json()["count"] == 1
    gone, ended = await asyncio.gather(*waiting)
    assert_problem(gone, 404, "not_found")
    assert ended.json()["status"] == "cancelled"


async def test_more_requests_wait_than_there_are_connections(
    api: Running, client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ticker, "TICK_SECONDS", 0.05)
    documents = [await uploaded(client, str(number).encode()) for number in range(30)]
    waiting = [
        asyncio.create_task(client.get(f"/documents/{each['id']}/status", params={"wait": 60})) for each in documents
    ]
    jobs = await api.claim(limit=30)
    for job in jobs:
        await api.complete(job, "one")
    answers = await asyncio.gather(*waiting)
    assert {each.json()["status"] for each in answers} == {"ready"}


async def test_another_tenant_cannot_wait(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    stranger = await api.admin(await api.tenant("stranger"))
    assert_problem(await stranger.get(f"/documents/{document['id']}/status?wait=60"), 404, "not_found")


@pytest.mark.parametrize("wait", ["-1", "61", "soon"])
async def test_waits_are_between_no_time_and_a_minute(client: httpx.AsyncClient, wait: str) -> None:
    document = await uploaded(client)
    assert_problem(await client.get(f"/documents/{document['id']}/status?wait={wait}"), 422, "invalid_request")


async def test_waits_end_when_the_process_stops(api: Running, client: httpx.AsyncClient) -> None:
    url = f"/documents/{(await uploaded(client))['id']}/status"
    began = monotonic()
    waiting = asyncio.create_task(client.get(url, params={"wait": 60}))
    await client.get(url)
    api.app.state.waiting.end()
    assert (await waiting).json()["status"] == "pending"
    assert monotonic() - began < PROMPT_SECONDS
