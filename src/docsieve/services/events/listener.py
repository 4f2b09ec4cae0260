"""One open stream: what it wants to hear, and what it has not sent yet."""

import asyncio
from dataclasses import dataclass
from time import monotonic
from uuid import UUID

from docsieve.domain.events import Event
from docsieve.domain.scope import Scope
from docsieve.services.access.credentials import Credential

MAX_PENDING = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events of its scope a client wants; None wants all."""

    project_id: UUID | None = None
    document_id: UUID | None = None
    batch_id: UUID | None = None
    types: frozenset[str] | None = None

    def includes(self, event: Event) -> bool:
        return (
            (self.project_id is None or event.project_id == self.project_id)
            and (self.document_id is None or event.document_id == self.document_id or self.document_id in event.related)
            and (self.batch_id is None or event.batch_id == self.batch_id or self.batch_id in event.related)
            and (self.types is None or event.type in self.types)
        )


class Listener:
    """Frames wait here until the client takes them. One that lags too far behind is ended, and may resume.

    There are thousands, nearly all of them silent, so each holds as little as possible: no timer, event or queue.
    """

    __slots__ = ("_pending", "_waiter", "credential", "ended", "scope", "wanted", "woken_at")

    def __init__(self, scope: Scope, wanted: Wanted, credential: Credential) -> None:
        self.scope = scope
        self.wanted = wanted
        self.credential = credential
        self.ended = False
        self.woken_at = monotonic()
        self._pending: list[bytes] = []
        self._waiter: asyncio.Future[None] | None = None

    def hears(self, event: Event) -> bool:
        return self.scope.project_id in (None, event.project_id) and self.wanted.includes(event)

    def put(self, frame: bytes) -> None:
        if len(self._pending) >= MAX_PENDING:
            self.end()
        else:
            self._pending.append(frame)
            self._wake()

    def end(self) -> None:
        """Nothing more is sent: frames that still wait are read again when the client resumes."""
        self.ended = True
        self._pending.clear()
        self._wake()

    def _wake(self) -> None:
        self.woken_at = monotonic()
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self) -> bytes:
        """All frames that wait, joined, as soon as there are any. Empty once it has ended."""
        if not self._pending and not self.ended:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
            self._waiter = None
        frames = b"".join(self._pending)
        self._pending.clear()
        return frames
