"""Removes the work directories of processes that were killed on this machine, and uploads they left incomplete."""

import asyncio

from docsieve.jobs.maintenance.run import TaskFunction, TaskRun
from docsieve.pipelines.workdir import WorkDirs


def remover(workdirs: WorkDirs) -> TaskFunction:
    async def remove(run: TaskRun) -> None:
        folders = await asyncio.to_thread(workdirs.remove_leftovers, limit=run.left(), dry_run=run.dry_run)
        run.count(towards_limit=folders, folders=folders)
        files = await run.resources.blobs.remove_incomplete(limit=run.left(), dry_run=run.dry_run)
        run.count(towards_limit=files, incomplete_uploads=files)

    return remove
