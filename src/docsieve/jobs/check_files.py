"""Verifies the digests of stored files for one minute per hour, starting with the least recently checked."""

import time

from docsieve.db.documents import stored_files as files_sql
from docsieve.domain.jobs import JobArgs
from docsieve.domain.pages import Progress
from docsieve.logs import get_logger
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.services.stored_files import FileCheck

log = get_logger()

_BATCH = 20


class CheckFiles(JobArgs):
    job_type = "check_files"
    queue = "maintenance"

    seconds: float = 60.0
    older_than_days: float = 7.0


class CheckFilesHandler:
    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def __call__(self, args: CheckFiles, attempt: Attempt) -> None:
        resources, until = self._resources, time.monotonic() + args.seconds
        check = FileCheck(resources.database, resources.blobs, max_attempts=resources.settings.max_attempts)
        while time.monotonic() < until:
            async with resources.database.system() as connection:
                batch = await files_sql.due(connection, older_than_days=args.older_than_days, limit=_BATCH)
            if not batch:
                break
            await check.run(batch)
            attempt.report(Progress(f"checked {check.damage.checked}"))
        found = check.damage
        if found.checked:
            log.info(
                "files_checked",
                documents=found.checked,
                damaged_pages=len(found.pages),
                damaged_originals=len(found.originals),
                unreadable=len(found.unreadable),
            )
