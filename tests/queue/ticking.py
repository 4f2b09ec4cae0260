"""A worker process with one schedule that is due every second and a job that does nothing, for the clock test."""

import asyncio
import signal
import sys

from docsieve.db.connection.session import Database
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobArgs
from docsieve.domain.schedules.schedule import Every
from docsieve.queue.kinds import Attempt, Kind
from docsieve.queue.scheduler import Scheduled
from docsieve.queue.worker import Worker
from docsieve.settings import Settings


class Tick(JobArgs):
    """Each tick is a job, also while that of the tick before is unfinished, so that jobs can be compared with ticks."""

    job_type = "tick"

    def unique_key(self) -> str:
        return str(new_id())


async def _do_nothing(args: Tick, attempt: Attempt) -> None:
    return None


async def work(database_url: str) -> None:
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    database = await Database.open(database_url, connections=3)
    try:
        kinds = {Tick.job_type: Kind(Tick, _do_nothing)}
        await Worker(
            database, kinds, {"default": 2}, Settings.from_environment(), scheduled=[Scheduled(Tick(), Every(1))]
        ).run(stopping)
    finally:
        await database.close()


if __name__ == "__main__":
    asyncio.run(work(sys.argv[1]))
