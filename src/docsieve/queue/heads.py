"""Where this worker's claims start to read, and the moves of that place as jobs are claimed."""

import asyncio
from collections.abc import Collection, Sequence

from docsieve import faults
from docsieve.db.connection.session import Database
from docsieve.db.queue import heads
from docsieve.domain.jobs import ClaimedJob
from docsieve.errors import DatabaseUnavailable
from docsieve.logs import get_logger

log = get_logger()

_MOVE_AFTER = 2000  # claimed jobs that later claims have to read over
_RELOAD_SECONDS = 1.0  # other workers move heads too


class Heads:
    def __init__(self, database: Database, queues: Collection[str]) -> None:
        self._database = database
        self.ranges = dict.fromkeys(queues, heads.EVERYTHING)
        self._claimed = 0
        self._reached: dict[tuple[str, int], float] = {}
        self._due = asyncio.Event()

    def count(self, queue: str, jobs: Sequence[ClaimedJob]) -> None:
        for job in jobs:
            place = (queue, job.priority)
            if job.turn > self._reached.get(place, float("-inf")):
                self._reached[place] = job.turn
        self._claimed += len(jobs)
        if self._claimed >= _MOVE_AFTER:
            self._due.set()

    async def run(self) -> None:
        """Move heads and follow those that others move, until cancelled."""
        while True:
            try:
                if self._due.is_set():
                    await self._move()
                await self.reload()
            except DatabaseUnavailable as error:
                log.warning("heads_not_moved", error=error.reason)
            await asyncio.sleep(heads.MOVE_SECONDS)
            try:
                async with asyncio.timeout(_RELOAD_SECONDS):
                    await self._due.wait()
            except TimeoutError:
                pass

    async def _move(self) -> None:
        reached, self._reached, self._claimed = self._reached, {}, 0
        self._due.clear()
        async with self._database.system() as connection:
            for (queue, priority), turn in reached.items():
                await heads.move(connection, queue, priority, turn)
        for queue in {queue for queue, _ in reached}:
            faults.signal("queue.head_moved", queue)

    async def reload(self) -> None:
        async with self._database.system() as connection:
            found = await heads.find(connection, list(self.ranges))
        self.ranges = {queue: heads.ranges(its) for queue, its in found.items()}
