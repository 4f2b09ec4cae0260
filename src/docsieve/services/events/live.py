"""Hands out new events to all open streams of this process, which cost the database one query per tick together."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator
from time import monotonic, time
from uuid import UUID

from docsieve import metrics
from docsieve.db.connection.session import Database
from docsieve.db.events import outbox
from docsieve.db.events.outbox import BEGINNING, Position
from docsieve.domain.events import Event
from docsieve.errors.access import TooManyStreams
from docsieve.services.access import credentials
from docsieve.services.events.frames import (
    START,
    event_frame,
    heartbeat_frame,
    opening_frame,
    reset_frame,
)
from docsieve.services.events.listener import Listener
from docsieve.services.events.ticker import Ticker
from docsieve.settings import Settings

HEARTBEAT_SECONDS = 15.0
MAX_STREAMS_PER_TENANT = 2000
_CHECK_SECONDS = 5.0
_PAGE = 500


class LiveEvents:
    """The streams of one process. Between `_position` and the horizon lie the events that the next tick hands out."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self._database = database
        self._settings = settings
        self._open: Counter[UUID] = Counter()
        self._joined: dict[UUID, set[Listener]] = {}
        self._newest: dict[tuple[UUID, UUID | None], UUID] = {}
        self._position = BEGINNING
        self._checked = 0.0
        self._ending = False
        self._turn = asyncio.Lock()  # a listener joins between two ticks, not during one
        self._ticker = Ticker(self._tick)

    def admit(self, listener: Listener) -> None:
        """Count a stream that is about to open; `leave` must follow. Raises TooManyStreams."""
        if self._open[listener.scope.tenant_id] >= MAX_STREAMS_PER_TENANT:
            raise TooManyStreams
        self._open[listener.scope.tenant_id] += 1

    def leave(self, listener: Listener) -> None:
        tenant_id = listener.scope.tenant_id
        self._open[tenant_id] -= 1
        if tenant_id in self._joined:
            self._joined[tenant_id].discard(listener)

    def end_streams(self) -> None:
        """Before the process stops. Clients connect to another one and go on after the last event they got."""
        self._ending = True
        for listeners in self._joined.values():
            for each in listeners:
                each.end()

    async def close(self) -> None:
        self.end_streams()
        await self._ticker.close()

    async def stream(self, listener: Listener, *, after: UUID | None, follow: bool) -> AsyncGenerator[bytes]:
        """Frames for a client: the events after the one with this id, and then, if it follows, those to come."""
        async with self._database.system() as connection:
            horizon = await outbox.horizon(connection)
        position = await self._find(listener, after)
        if position is not None:
            yield opening_frame(None)
            async for frames in self._backlog(listener, position, horizon):
                yield frames
        since = await self._join(listener) if follow else horizon
        if position is None:
            yield opening_frame(await self._newest_in_scope(listener, since))
            if after is not None:
                yield reset_frame()
        else:
            async for frames in self._backlog(listener, horizon, since):
                yield frames
        while follow and not listener.ended:
            yield await listener.next()

    async def _find(self, listener: Listener, after: UUID | None) -> Position | None:
        if after is None:
            return None
        if after == START:
            return BEGINNING
        async with self._database.tenant(listener.scope) as session:
            return await outbox.position_of(session, after)

    async def _newest_in_scope(self, listener: Listener, up_to: Position) -> UUID:
        """What the client repeats if it loses the connection before the first event."""
        async with self._database.tenant(listener.scope) as session:
            return await outbox.newest(session, up_to=up_to) or START

    async def _backlog(self, listener: Listener, after: Position, up_to: Position) -> AsyncIterator[bytes]:
        """No connection is held while the client takes a page."""
        full = True
        while full and not listener.ended:
            async with self._database.tenant(listener.scope) as session:
                page = await outbox.read_page(session, after=after, up_to=up_to, limit=_PAGE)
            if frames := b"".join(event_frame(each, self._settings.url) for _, each in page if listener.hears(each)):
                yield frames
            full = len(page) == _PAGE
            after = page[-1][0] if page else after

    async def _join(self, listener: Listener) -> Position:
        """From the position that is returned on, the listener gets all events."""
        async with self._turn:
            if self._ending:
                listener.end()
            tenant_id = listener.scope.tenant_id
            if not any(self._joined.values()):
                async with self._database.system() as connection:
                    self._position = await outbox.horizon(connection)
            if not self._joined.get(tenant_id):
                # its events were not read meanwhile, so there may be newer ones
                self._newest = {key: event_id for key, event_id in self._newest.items() if key[0] != tenant_id}
            self._joined.setdefault(tenant_id, set()).add(listener)
            self._ticker.start()
            return self._position

    async def _tick(self) -> bool:
        async with self._turn:
            self._joined = {tenant_id: those for tenant_id, those in self._joined.items() if those}
            if not self._joined:
                return False
            self._beat()
            await self._end_revoked()
            full = True
            while full:
                async with self._database.system() as connection:
                    events, self._position = await outbox.read_new(
                        connection, self._joined.keys(), after=self._position, limit=_PAGE
                    )
                for event in events:
                    self._hand_out(event)
                full = len(events) == _PAGE
            return True

    def _hand_out(self, event: Event) -> None:
        metrics.event_delay.observe(max(0.0, time() - event.created_at.timestamp()))
        self._newest[event.tenant_id, None] = event.id
        self._newest[event.tenant_id, event.project_id] = event.id
        frame = None
        for listener in self._joined[event.tenant_id]:
            if listener.hears(event):
                frame = frame or event_frame(event, self._settings.url)
                listener.put(frame)

    def _beat(self) -> None:
        """Let clients of silent streams, and proxies in between, know that they are still connected."""
        due = monotonic() - HEARTBEAT_SECONDS
        for listeners in self._joined.values():
            for each in listeners:
                if each.woken_at < due:
                    each.put(heartbeat_frame(self._newest.get((each.scope.tenant_id, each.scope.project_id))))

    async def _end_revoked(self) -> None:
        if monotonic() - self._checked < _CHECK_SECONDS:
            return
        listeners = [each for those in self._joined.values() for each in those]
        async with self._database.system() as connection:
            valid = await credentials.still_valid(connection, self._settings, {each.credential for each in listeners})
        for each in listeners:
            if each.credential not in valid:
                each.end()
        self._checked = monotonic()
