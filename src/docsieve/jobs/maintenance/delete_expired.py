"""Deletes expired data by the rules of projects and uploads: documents, uploaded files and results."""

from docsieve.jobs.maintenance.run import TaskRun
from docsieve.services.retention.expiry import Expiry


async def delete(run: TaskRun) -> None:
    counts = await Expiry(run.resources, dry_run=run.dry_run, limit=run.args.limit).run()
    run.count(towards_limit=counts.total() - counts["held"], **counts)
