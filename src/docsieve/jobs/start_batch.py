"""Starts a batch that had to wait for its time, for archives to be unpacked, or for documents to be classified."""

from uuid import UUID

from docsieve.queue.kinds import Attempt, Snooze
from docsieve.resources import Resources
from docsieve.services.batches import starting
from docsieve.services.batches.starting import StartBatch
from docsieve.services.extractions.requests import WAIT_SECONDS


class StartBatchHandler:
    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def __call__(self, args: StartBatch, attempt: Attempt) -> None:
        """In a transaction before the one that ends the job: a large start would hold up the worker's heartbeats.

        An attempt after a crash in between finds that the batch was started and does nothing.
        """

        async def resume() -> UUID | None:
            async with self._resources.database.tenant(attempt.scope) as session:
                return await starting.resume(session, self._resources, args.batch_id, job_id=attempt.job.id)

        waits_for = await self._resources.persist(resume)
        if waits_for is not None:
            raise Snooze(WAIT_SECONDS, waits_for=waits_for)
