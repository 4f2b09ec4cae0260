"""Runs maintenance tasks in this process, as a worker does."""

from typing import Any
from uuid import UUID

from docsieve.domain.jobs import ClaimedJob
from docsieve.jobs.maintenance import registry
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.services.maintenance.tasks import MaintenanceArgs


async def run_task(resources: Resources, args: MaintenanceArgs) -> dict[str, Any]:
    """The result that the job would report."""
    attempt = Attempt(ClaimedJob(UUID(int=1), 1, "", UUID(int=0), None, None, args.job_type, "", "", 1, 0))
    workdirs = WorkDirs(resources.settings.data_dir)
    try:
        await registry.kinds(resources, workdirs)[args.job_type].run(args, attempt)
    finally:
        workdirs.close()
    assert attempt.result is not None
    return attempt.result
