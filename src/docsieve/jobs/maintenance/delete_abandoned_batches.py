"""Deletes batches that were created and never started, with the documents that were uploaded into them."""

from docsieve.jobs.maintenance.batches import delete_expired
from docsieve.jobs.maintenance.run import TaskRun

ABANDONED_DAYS = 7.0


async def delete(run: TaskRun) -> None:
    await delete_expired(run, "abandoned", older_than_seconds=ABANDONED_DAYS * 86400)
