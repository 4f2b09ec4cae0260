"""Streams of a real API process: resumed after it was killed or stopped, and ended with the credential behind them."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx
import pytest

from docsieve.db.access import tenants
from docsieve.db.connection.session import Database
from docsieve.db.events import outbox
from docsieve.domain.events import EventType
from docsieve.domain.scope import Scope
from docsieve.services.access.tenants import DEFAULT
from tests.event_frames import Frame
from tests.service import ADMIN_KEY, Service

SECONDS = 60.0


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    return start_service()


async def _emit(database: Database, *names: str) -> None:
    async with database.system() as connection:
        tenant = await tenants.find(connection, DEFAULT)
    assert tenant is not None
    for name in names:
        async with database.tenant(Scope(tenant.id)) as session:
            data = {"name": name}
            await outbox.emit(session, EventType.WEBHOOK_TEST, project_id=None, subject_id=None, data=data)


@asynccontextmanager
async def _opened(service: Service, **headers: str) -> AsyncIterator[AsyncIterator[Frame]]:
    """The frames of a stream, from the first one on."""
    async with (
        httpx.AsyncClient(base_url=service.url, timeout=SECONDS, verify=False) as client,
        client.stream("GET", "/api/v1/events", headers=headers) as response,
    ):
        assert response.status_code == 200
        yield _frames(response)


async def _frames(response: httpx.Response) -> AsyncIterator[Frame]:
    rest = ""
    async for text in response.aiter_text():
        *blocks, rest = (rest + text).split("\n\n")
        for block in blocks:
            yield Frame.of(block)


def _names(frames: list[Frame]) -> list[str]:
    return [frame.data["data"]["name"] for frame in frames if frame.data is not None]


async def _take(frames: AsyncIterator[Frame], count: int) -> list[Frame]:
    """So many events; comments and ids do not count."""
    taken: list[Frame] = []
    async with asyncio.timeout(SECONDS):
        while len(taken) < count:
            frame = await anext(frames)
            if frame.event is not None:
                taken.append(frame)
    return taken


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_a_client_resumes_without_loss_or_repetition_after_the_api_ended(
    service: Service, database: Database, how: signal.Signals
) -> None:
    api = service.api()
    async with _opened(service, **{"X-API-Key": ADMIN_KEY}) as frames:
        opening = await anext(frames)
        await _emit(database, "a", "b")
        heard = await _take(frames, 2)
        await _emit(database, "c", "d")
        api.send_signal(how)
        try:
            async with asyncio.timeout(SECONDS):
                heard += [frame async for frame in frames if frame.event is not None]
            assert how is signal.SIGTERM  # the response was completed
        except httpx.RemoteProtocolError:
            assert how is signal.SIGKILL
    api.wait(30)
    await _emit(database, "e")
    service.api()
    last = heard[-1].id
    assert last is not None
    async with _opened(service, **{"X-API-Key": ADMIN_KEY, "Last-Event-ID": last}) as frames:
        heard += await _take(frames, 5 - len(heard))
        await _emit(database, "f")
        heard += await _take(frames, 1)
    assert _names(heard) == ["a", "b", "c", "d", "e", "f"]
    assert len({frame.id for frame in heard}) == 6
    assert opening.id is not None
    async with _opened(service, **{"X-API-Key": ADMIN_KEY, "Last-Event-ID": opening.id}) as frames:
        assert _names(await _take(frames, 6)) == ["a", "b", "c", "d", "e", "f"]


async def test_a_stream_ends_with_its_key_and_with_its_session(service: Service, database: Database) -> None:
    service.api()
    made = service.client.post("/keys", json={"name": "temporary", "scopes": ["read"]}).json()
    signed_in = httpx.post(f"{service.url}/api/v1/session", json={"key": made["key"]}, verify=False)
    cookie = f"docsieve={signed_in.cookies['docsieve']}"
    other = httpx.post(f"{service.url}/api/v1/session", json={"key": ADMIN_KEY}, verify=False)
    async with (
        _opened(service, **{"X-API-Key": made["key"]}) as by_key,
        _opened(service, Cookie=cookie) as by_session,
        _opened(service, Cookie=f"docsieve={other.cookies['docsieve']}") as signed_out,
    ):
        await _emit(database, "while it lasts")
        for frames in (by_key, by_session, signed_out):
            assert _names(await _take(frames, 1)) == ["while it lasts"]
        assert service.client.delete(f"/keys/{made['id']}").status_code == 200
        left = httpx.delete(
            f"{service.url}/api/v1/session",
            cookies={"docsieve": other.cookies["docsieve"]},
            headers={"X-CSRF-Token": other.json()["csrf_token"]},
            verify=False,
        )
        assert left.status_code == 204
        async with asyncio.timeout(SECONDS):
            for frames in (by_key, by_session, signed_out):
                assert [frame async for frame in frames if frame.event is not None] == []


async def test_a_page_of_another_site_cannot_open_a_stream_with_the_cookie(service: Service) -> None:
    service.api()
    signed_in = httpx.post(f"{service.url}/api/v1/session", json={"key": ADMIN_KEY}, verify=False)
    answer = httpx.get(
        f"{service.url}/api/v1/events",
        cookies={"docsieve": signed_in.cookies["docsieve"]},
        headers={"Sec-Fetch-Site": "cross-site"},
        verify=False,
    )
    assert (answer.status_code, answer.json()["code"]) == (403, "csrf_failed")
