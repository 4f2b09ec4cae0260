"""One queue's pool of slots in this worker: claims as many jobs as it has free slots, and sleeps until woken."""

import asyncio
import random
from collections.abc import Collection, Coroutine, Iterable
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from docsieve import faults
from docsieve.db.connection.session import Database
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.jobs import ClaimedJob
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger
from docsieve.queue.completer import Completer
from docsieve.queue.executor import Executor
from docsieve.queue.heads import Heads
from docsieve.queue.leases import Held, Leases

log = get_logger()

T = TypeVar("T")

POLL_SECONDS = 1.0
LARGEST_CLAIM = 500  # larger batches are slower per job
_CANCEL_AGAIN_SECONDS = 0.5
_LARGEST_BACKLOG = 4000  # completions waiting for a commit before claiming pauses


class Lane:
    def __init__(
        self,
        queue: str,
        slots: int,
        database: Database,
        leases: Leases,
        completer: Completer,
        executor: Executor,
        heads: Heads,
    ) -> None:
        self.queue = queue
        self.slots = slots
        self._database = database
        self._leases = leases
        self._completer = completer
        self._executor = executor
        self._heads = heads
        self.running: set[asyncio.Task[None]] = set()
        self._woken = asyncio.Event()
        self._freed = asyncio.Event()

    def wake(self) -> None:
        self._woken.set()

    async def run(self) -> None:
        """Claim until cancelled; jobs under way go on."""
        while True:
            free = min(await self._wait_for_slots(), LARGEST_CLAIM)
            self._woken.clear()
            try:
                claimed = await uninterrupted(self._claim_and_start(free))
            except DatabaseUnavailable as error:
                log.warning("claim_failed", queue=self.queue, error=error.reason)
                claimed = 0
            if claimed < free:
                await self._nap()

    async def _wait_for_slots(self) -> int:
        """How many jobs may be claimed, once it is any."""
        while (free := self.slots - len(self.running)) <= 0:
            self._freed.clear()
            faults.signal("lane.full", self.queue)
            await self._freed.wait()
        if self._completer.backlog > _LARGEST_BACKLOG:
            await self._completer.flush()
        return free

    async def _claim_and_start(self, limit: int) -> int:
        async with self._database.system() as connection:
            jobs = await queue_sql.claim(
                connection,
                self.queue,
                limit=limit,
                worker_id=self._leases.worker_id,
                lease_seconds=self._leases.lease_seconds,
                ranges=self._heads.ranges[self.queue],
            )
        self._heads.count(self.queue, jobs)
        self._start(jobs)
        return len(jobs)

    def _start(self, jobs: Iterable[ClaimedJob]) -> dict[UUID, "asyncio.Task[None]"]:
        """Run claimed jobs. Returns the task of each."""
        started = {}
        for held in self._leases.hold(jobs):
            held.task = started[held.job.id] = asyncio.create_task(self._executor.run(held))
            self.running.add(held.task)
            held.task.add_done_callback(partial(self._free, held))
        return started

    def _free(self, held: Held, task: asyncio.Task[None]) -> None:
        self.running.discard(task)
        if task.cancelled():
            # cancelled before its first step, the executor never ran and let nothing go
            self._leases.release(held)
        self._freed.set()

    async def _nap(self) -> None:
        """Until a wake-up, or about a second: the net under a lost notification. Jitter spreads the workers.

        Not `wait_for`: until Python 3.12 it swallows a cancel that arrives together with the wake-up, and a worker
        told to stop at that moment would claim for ever.
        """
        faults.signal("lane.idle", self.queue)
        try:
            async with asyncio.timeout(POLL_SECONDS * random.uniform(0.75, 1.25)):
                await self._woken.wait()
        except TimeoutError:
            pass


async def cancel(tasks: "Collection[asyncio.Task[Any]]") -> None:
    """Cancel tasks until they have ended: redis-py at times takes a cancellation for a timeout of its own."""
    left = set(tasks)
    while left:
        for task in left:
            task.cancel()
        _, left = await asyncio.wait(left, timeout=_CANCEL_AGAIN_SECONDS)
    await asyncio.gather(*tasks, return_exceptions=True)


async def uninterrupted(work: Coroutine[Any, Any, T]) -> T:
    """Await a claim to its end also if the worker stops meanwhile, so that its jobs are not left leased."""
    doing = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait([doing])
        raise
