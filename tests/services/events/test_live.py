"""Streams of one process: joined between two ticks, ended when they lag, lose their credential or the process stops."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from uuid import UUID

import pytest

from docsieve.db.access import keys as key_rows
from docsieve.db.access import projects
from docsieve.db.connection.session import Database
from docsieve.db.events import outbox
from docsieve.domain.events import EventType
from docsieve.domain.scope import Scope
from docsieve.services.access import keys, tenants
from docsieve.services.access.credentials import Credential
from docsieve.services.events import listener as listeners
from docsieve.services.events import live as live_events
from docsieve.services.events.listener import Listener, Wanted
from docsieve.services.events.live import LiveEvents
from docsieve.settings import Settings
from tests.event_frames import Frame, frames_of

SECONDS = 30.0


@pytest.fixture
async def credential(database: Database, scope: Scope) -> Credential:
    async with database.system() as connection:
        key, _ = await keys.create(connection, scope.tenant_id, name="a key", scopes=["read"])
    return Credential(key.id)


@pytest.fixture
async def live(database: Database) -> AsyncIterator[LiveEvents]:
    started = LiveEvents(database, Settings())
    yield started
    await started.close()


async def _emit(
    database: Database,
    scope: Scope,
    name: str,
    event_type: EventType = EventType.WEBHOOK_TEST,
    *,
    project_id: UUID | None = None,
) -> UUID:
    async with database.tenant(scope) as session:
        return await outbox.emit(session, event_type, project_id=project_id, subject_id=None, data={"name": name})


class Client:
    """Reads a stream as a client does."""

    def __init__(self, live: LiveEvents, listener: Listener, after: UUID | None = None) -> None:
        self.listener = listener
        self._frames: list[Frame] = []
        live.admit(listener)
        self._stream: AsyncGenerator[bytes] = live.stream(listener, after=after, follow=True)

    async def next(self) -> Frame:
        async with asyncio.timeout(SECONDS):
            while not self._frames:
                self._frames = frames_of((await anext(self._stream)).decode())
        return self._frames.pop(0)

    async def rest(self) -> list[Frame]:
        """Everything up to the end of the stream."""
        async with asyncio.timeout(SECONDS):
            return self._frames + [frame async for text in self._stream for frame in frames_of(text.decode())]


def _name(frame: Frame) -> str:
    assert frame.data is not None
    return str(frame.data["data"]["name"])


async def test_all_streams_of_a_tenant_hear_an_event_that_they_want(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential
) -> None:
    clients = [Client(live, Listener(scope, Wanted(), credential)) for _ in range(3)]
    deaf = Client(live, Listener(scope, Wanted(types=frozenset({"document.ready"})), credential))
    for each in (*clients, deaf):
        await each.next()
    await _emit(database, scope, "one")
    assert [_name(await each.next()) for each in clients] == ["one"] * 3
    await _emit(database, scope, "two", EventType.DOCUMENT_READY)
    assert [_name(await each.next()) for each in (*clients, deaf)] == ["two"] * 4


async def test_a_stream_hears_nothing_of_other_tenants_and_projects(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential
) -> None:
    async with database.system() as connection, connection.transaction():
        other = Scope((await tenants.create(connection, "other")).id)
        side = await projects.create(connection, scope.tenant_id, "side")
    limited = Client(live, Listener(Scope(scope.tenant_id, side.id), Wanted(), credential))
    outsider = Client(live, Listener(other, Wanted(), credential))
    whole = Client(live, Listener(scope, Wanted(), credential))
    for each in (limited, outsider, whole):
        await each.next()
    await _emit(database, scope, "of the tenant")
    assert _name(await whole.next()) == "of the tenant"
    await _emit(database, scope, "of the project", project_id=side.id)
    assert _name(await whole.next()) == _name(await limited.next()) == "of the project"
    await _emit(database, other, "of the other")
    assert _name(await outsider.next()) == "of the other"


async def test_a_stream_of_a_silent_project_has_an_id_to_resume_from(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential
) -> None:
    async with database.system() as connection, connection.transaction():
        side = await projects.create(connection, scope.tenant_id, "side")
    await _emit(database, scope, "of the tenant")
    limited = Scope(scope.tenant_id, side.id)
    opening = await Client(live, Listener(limited, Wanted(), credential)).next()
    assert opening.id is not None
    await _emit(database, scope, "meanwhile", project_id=side.id)
    again = Client(live, Listener(limited, Wanted(), credential), UUID(opening.id))
    assert await _hear(again, 1) == ["meanwhile"]


async def test_events_between_the_backlog_and_joining_are_neither_lost_nor_repeated(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential
) -> None:
    first = await _emit(database, scope, "0")
    other = Client(live, Listener(scope, Wanted(), credential))
    await other.next()

    async def write() -> None:
        for number in range(1, 200):
            await _emit(database, scope, str(number))

    writing = asyncio.create_task(write())
    clients = [Client(live, Listener(scope, Wanted(), credential), first) for _ in range(20)]
    heard = await asyncio.gather(*(_hear(each, 199) for each in clients))
    await writing
    assert heard == [[str(number) for number in range(1, 200)]] * 20


async def _hear(client: Client, count: int) -> list[str]:
    names: list[str] = []
    while len(names) < count:
        frame = await client.next()
        if frame.event is not None:
            names.append(_name(frame))
    return names


async def test_a_client_that_lags_too_far_behind_is_ended_and_resumes_without_loss(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listeners, "MAX_PENDING", 5)
    quick, slow = (Client(live, Listener(scope, Wanted(), credential)) for _ in range(2))
    await quick.next()
    opened = await slow.next()
    assert opened.id is not None
    for number in range(8):
        await _emit(database, scope, str(number))
        assert _name(await quick.next()) == str(number)
    assert slow.listener.ended
    assert await slow.rest() == []
    again = Client(live, Listener(scope, Wanted(), credential), UUID(opened.id))
    assert await _hear(again, 8) == [str(number) for number in range(8)]


async def test_the_stream_of_a_revoked_key_ends(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_events, "_CHECK_SECONDS", 0.0)
    async with database.system() as connection:
        other, _ = await keys.create(connection, scope.tenant_id, name="other", scopes=["read"])
    client = Client(live, Listener(scope, Wanted(), credential))
    kept = Client(live, Listener(scope, Wanted(), Credential(other.id)))
    await client.next()
    await kept.next()
    async with database.tenant(scope) as session:
        await key_rows.revoke(session, credential.key_id)
    assert await client.rest() == []
    await _emit(database, scope, "secret")
    assert _name(await kept.next()) == "secret"


async def test_streams_end_when_the_process_stops_and_none_begins_after_that(
    live: LiveEvents, scope: Scope, credential: Credential
) -> None:
    client = Client(live, Listener(scope, Wanted(), credential))
    await client.next()
    live.end_streams()
    assert await client.rest() == []
    late = Client(live, Listener(scope, Wanted(), credential))
    assert [each.event for each in await late.rest()] == [None]


async def test_a_quiet_stream_sends_heartbeats_with_the_newest_id_of_its_scope(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_events, "HEARTBEAT_SECONDS", 0.05)
    deaf = Client(live, Listener(scope, Wanted(types=frozenset({"document.ready"})), credential))
    await deaf.next()
    assert (await deaf.next()).id is None
    emitted = await _emit(database, scope, "not for it")
    async with asyncio.timeout(SECONDS):
        while (beat := await deaf.next()).id is None:
            pass
    assert (beat.id, beat.event) == (str(emitted), None)


async def test_a_heartbeat_never_sends_a_client_back(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with database.system() as connection, connection.transaction():
        other = Scope((await tenants.create(connection, "other")).id)
    elsewhere = Client(live, Listener(other, Wanted(), credential))
    await elsewhere.next()
    first = Client(live, Listener(scope, Wanted(), credential))
    await first.next()
    await _emit(database, scope, "heard")
    await first.next()
    live.leave(first.listener)
    missed = await _emit(database, scope, "while no stream of the tenant was open")
    await _emit(database, other, "a later tick")
    await elsewhere.next()
    monkeypatch.setattr(live_events, "HEARTBEAT_SECONDS", 0.05)
    second = Client(live, Listener(scope, Wanted(), credential))
    assert (await second.next()).id == str(missed)
    assert (await second.next()).id is None


async def test_an_outage_of_the_database_delays_events_and_loses_none(
    live: LiveEvents, database: Database, scope: Scope, credential: Credential
) -> None:
    client = Client(live, Listener(scope, Wanted(), credential))
    await client.next()
    async with database.system() as connection:
        await connection.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where datname = current_database() and pid <> pg_backend_pid()"
        )
    await _emit(database, scope, "after the outage")
    assert _name(await client.next()) == "after the outage"
