"""The worker processes of the fairness benchmark: our own queue with a handler that takes a while."""

import asyncio
from dataclasses import dataclass
from typing import ClassVar

from benchmarks.queues.docsieve_queue import Docsieve
from benchmarks.queues.port import Gate, Job
from docsieve.db.connection.session import Database
from docsieve.domain.jobs import JobArgs
from docsieve.logs import configure
from docsieve.queue.kinds import Attempt, Kind
from docsieve.queue.worker import Worker
from docsieve.settings import Settings

SLOTS = 64
HANDLER_SECONDS = 0.02


class Work(JobArgs):
    job_type: ClassVar[str] = "work"

    watched: bool = False


@dataclass(frozen=True)
class UnhurriedDocsieve(Docsieve):
    """Notes the start of watched jobs only."""

    async def work(self, dsn: str, gate: Gate, job: Job) -> None:
        settings = Settings(log_level="warning")
        configure(settings)

        async def work(args: Work, _: Attempt) -> None:
            if args.watched:
                job()
            await asyncio.sleep(HANDLER_SECONDS)

        database = await Database.open(dsn)
        await gate()
        await Worker(database, {Work.job_type: Kind(Work, work)}, {Work.queue: SLOTS}, settings).run(asyncio.Event())


contender = UnhurriedDocsieve()
