"""Requests that stay open: event streams, and long polls of a document's status."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from docsieve.resources import Resources
from docsieve.services.events.live import LiveEvents
from docsieve.services.events.status_watch import StatusWatch


@dataclass(frozen=True, slots=True)
class WaitingRequests:
    events: LiveEvents
    statuses: StatusWatch

    def end(self) -> None:
        """Let all of them end now, because the process is about to stop."""
        self.events.end_streams()
        self.statuses.end_waits()


@asynccontextmanager
async def waiting_requests(resources: Resources) -> AsyncIterator[WaitingRequests]:
    waiting = WaitingRequests(LiveEvents(resources.database, resources.settings), StatusWatch(resources.database))
    try:
        yield waiting
    finally:
        await waiting.events.close()
        await waiting.statuses.close()


async def _waiting(request: Request) -> WaitingRequests:
    waiting: WaitingRequests = request.app.state.waiting
    return waiting


Waiting = Annotated[WaitingRequests, Depends(_waiting)]
