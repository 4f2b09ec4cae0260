"""A worker process: lanes that claim, an executor, a completer, leases, a listener and maintenance."""

import asyncio
import os
import secrets
import socket
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from typing import Any
from uuid import UUID

from docsieve import faults, metrics
from docsieve.db.connection.session import Database
from docsieve.logs import get_logger
from docsieve.queue.completer import Completer
from docsieve.queue.executor import Executor
from docsieve.queue.heads import Heads
from docsieve.queue.kinds import Kinds
from docsieve.queue.lane import Lane, cancel
from docsieve.queue.leases import Leases, Stop
from docsieve.queue.listener import Listener
from docsieve.queue.maintenance import Maintenance
from docsieve.queue.scheduler import Scheduled
from docsieve.settings import Settings

log = get_logger()

FLUSH_SECONDS = 5.0


def new_worker_id() -> str:
    """Never used twice, so that no fence of an earlier process fits a later one."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


class Worker:
    def __init__(
        self,
        database: Database,
        kinds: Kinds,
        lanes: Mapping[str, int],
        settings: Settings,
        *,
        scheduled: Sequence[Scheduled] = (),
        lane: Callable[..., Lane] = Lane,
    ) -> None:
        """`lane` makes a lane: of this class, or of one that gets its jobs in another way."""
        self.id = new_worker_id()
        self._database = database
        self._shutdown_seconds = settings.shutdown_seconds
        self.leases = Leases(database.url, self.id, lease_seconds=settings.lease_seconds)
        self._completer = Completer(database, self.leases)
        executor = Executor(
            database, self.leases, self._completer, kinds, retry_base_seconds=settings.retry_base_seconds
        )
        self.heads = Heads(database, lanes)
        self.lanes = {
            queue: lane(queue, slots, database, self.leases, self._completer, executor, self.heads)
            for queue, slots in lanes.items()
        }
        self._maintenance = Maintenance(
            database, lease_seconds=settings.lease_seconds, scheduled=scheduled, wake=self._wake_all
        )
        for kind in kinds:
            metrics.leases_lost.labels(kind)  # shown as zero from the start, so that an alarm can see it rise
        self._listener = (
            Listener(database.listen_url, on_wake=self._wake, on_cancel=lambda job: self.leases.cancel(UUID(job)))
            if database.listen_url is not None
            else None
        )

    def _wake(self, queue: str) -> None:
        if (lane := self.lanes.get(queue)) is not None:
            lane.wake()

    def _wake_all(self, queues: Collection[str]) -> None:
        """Our own lanes at once, those of other workers by notification."""
        for queue in queues:
            self._wake(queue)
        self._database.waker.wake(queues)

    async def run(self, stopping: asyncio.Event) -> None:
        """Work until `stopping` is set, then finish or hand back the running jobs."""
        log.info("worker_started", worker_id=self.id, lanes={lane.queue: lane.slots for lane in self.lanes.values()})
        faults.signal("worker.started", self.id)
        claiming = [_spawn(lane.run()) for lane in self.lanes.values()]
        duties = (self._completer.run(), self.leases.run(), self.heads.run(), self._maintenance.run())
        helping = [_spawn(duty) for duty in duties]
        if self._listener is not None:
            helping.append(_spawn(self._listener.run()))
        stop = _spawn(stopping.wait())
        await asyncio.wait([stop, *claiming, *helping], return_when=asyncio.FIRST_COMPLETED)
        crashed = [task for task in (*claiming, *helping) if task.done()]
        await cancel(claiming)
        faults.signal("worker.draining", self.id)
        await self._finish()
        await cancel([*helping, stop])
        log.info("worker_stopped", worker_id=self.id)
        for task in crashed:
            task.result()

    async def _finish(self) -> None:
        running = {task for lane in self.lanes.values() for task in lane.running}
        if running:
            log.info("worker_draining", jobs=len(running), seconds=self._shutdown_seconds)
            _, left = await asyncio.wait(running, timeout=self._shutdown_seconds)
            for held in list(self.leases.held.values()):
                held.interrupt(Stop.shutdown)
            if left:
                await asyncio.wait(left, timeout=5)
        try:
            async with asyncio.timeout(FLUSH_SECONDS):
                await self._completer.flush()
        except TimeoutError:
            # their leases run out, and another worker does these jobs again
            log.error("completions_not_written", jobs=self._completer.backlog)


def _spawn(work: Coroutine[Any, Any, Any]) -> "asyncio.Task[Any]":
    return asyncio.create_task(work)
