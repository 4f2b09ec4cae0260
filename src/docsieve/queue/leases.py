"""The jobs this worker holds: heartbeats renew them, and a job that is no longer ours is stopped at once."""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from docsieve import faults, metrics
from docsieve.db.connection.driver import Connection
from docsieve.db.connection.outage import connect, translate_outages
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.pages.page import Progress
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger
from docsieve.queue.kinds import Attempt

log = get_logger()

_PROGRESS_SECONDS = 1.0


class Stop(StrEnum):
    """Why a running attempt is interrupted."""

    lease_lost = "lease_lost"
    cancelled = "cancelled"
    shutdown = "shutdown"


@dataclass(slots=True, eq=False)
class Held:
    """A job under our lease; `task` is None once the handler returned and only the commit is outstanding."""

    job: ClaimedJob
    attempt: Attempt
    task: asyncio.Task[None] | None = None
    stop: Stop | None = None
    shown: Progress | None = None

    def interrupt(self, reason: Stop) -> None:
        if self.task is not None and self.stop is None:
            self.stop = reason
            self.task.cancel()


class Leases:
    """Sends heartbeats on a separate connection, so that a busy pool never costs a lease."""

    def __init__(self, database_url: str, worker_id: str, *, lease_seconds: float) -> None:
        self._url = database_url
        self.worker_id = worker_id
        self.lease_seconds = lease_seconds
        self.held: dict[UUID, Held] = {}
        self._connection: Connection | None = None

    def hold(self, jobs: Iterable[ClaimedJob]) -> list[Held]:
        taken = [Held(job, Attempt(job)) for job in jobs]
        for held in taken:
            self.held[held.job.id] = held
        return taken

    def release(self, held: Held) -> None:
        if self.held.get(held.job.id) is held:
            del self.held[held.job.id]

    def cancel(self, job_id: UUID) -> None:
        if (held := self.held.get(job_id)) is not None:
            held.interrupt(Stop.cancelled)

    async def run(self) -> None:
        """Beat at a third of the lease and show progress in between, until cancelled."""
        every = min(_PROGRESS_SECONDS, self.lease_seconds / 3)
        next_beat = time.monotonic() + self.lease_seconds / 3
        try:
            while True:
                await asyncio.sleep(every)
                try:
                    due = time.monotonic() >= next_beat
                    await self._show_progress(silent_too=due)
                    if due:
                        await self.beat()
                        next_beat = time.monotonic() + self.lease_seconds / 3
                except DatabaseUnavailable as error:
                    log.warning("heartbeat_failed", error=error.reason, jobs=len(self.held))
                    await self._disconnect()
        finally:
            await self._disconnect()

    async def beat(self) -> None:
        held = list(self.held.values())
        if not held:
            return
        connection = await self._connect()
        with translate_outages(connection):
            ours = await queue_sql.beat(
                connection, [h.job for h in held], worker_id=self.worker_id, lease_seconds=self.lease_seconds
            )
            # a job that ended while the statement ran is no longer in `held` and was not lost
            faults.signal("leases.renewed")
            lost = [h for h in held if h.job.id not in ours and self.held.get(h.job.id) is h and h.task is not None]
            if not lost:
                return
            cancelled = await queue_sql.lost_to_cancel(connection, [h.job.id for h in lost])
        for h in lost:
            h.interrupt(Stop.cancelled if h.job.id in cancelled else Stop.lease_lost)

    async def _show_progress(self, *, silent_too: bool) -> None:
        """A stage that is silent for long is shown again at each beat, with the time that it has taken so far."""
        reported = [h for h in self.held.values() if h.attempt.progress is not None]
        news = [h for h in reported if silent_too or h.attempt.progress != h.shown]
        if not news:
            return
        for h in news:
            h.shown = h.attempt.progress
        texts = [(h.job, text, h.attempt.stages()) for h in news if (text := h.attempt.shown()) is not None]
        connection = await self._connect()
        with translate_outages(connection):
            await queue_sql.record_progress(connection, texts, worker_id=self.worker_id)
        faults.signal("progress.written")

    def count_lost(self, held: Held) -> None:
        metrics.leases_lost.labels(held.job.job_type).inc()
        log.warning("lease_lost", job_id=str(held.job.id), job_type=held.job.job_type, attempt=held.job.attempt)
        faults.signal("lease.lost", held.job.id)

    async def _connect(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            patience = self.lease_seconds / 3
            self._connection = await connect(self._url, seconds=patience, command_seconds=patience)
        return self._connection

    async def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None
