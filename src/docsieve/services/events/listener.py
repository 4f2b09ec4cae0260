"""One open stream: what it wants to hear, and what it has not sent yet."""

import asyncio
from collections import deque
from dataclasses import dataclass
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
    """Frames wait here until the client takes them. One that lags too far behind is ended, and may resume."""

    __slots__ = ("_pending", "_wake", "credential", "ended", "scope", "wanted")

    def __init__(self, scope: Scope, wanted: Wanted, credential: Credential) -> None:
        self.scope = scope
        self.wanted = wanted
        self.credential = credential
        self.ended = False
        self._pending: deque[bytes] = deque()
        self._wake = asyncio.Event()

    def hears(self, event: Event) -> bool:
        return self.scope.project_id in (None, event.project_id) and self.wanted.includes(event)

    def put(self, frame: bytes) -> None:
        if len(self._pending) >= MAX_PENDING:
            self.end()
        else:
            self._pending.append(frame)
            self._wake.set()

    def end(self) -> None:
        """Nothing more is sent: frames that still wait are read again when the client resumes."""
        self.ended = True
        self._pending.clear()
        self._wake.set()

    async def next(self, *, seconds: float) -> bytes | None:
        """All frames that wait, joined; None if there are none for so long. Empty once it has ended."""
        if not self._pending and not self.ended:
            try:
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
            except TimeoutError:
                return None
        self._wake.clear()
        frames = b"".join(self._pending)
        self._pending.clear()
        return frames
