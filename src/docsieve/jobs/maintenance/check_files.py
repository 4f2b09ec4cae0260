"""Verifies the digests of stored files for a minute, starting with the least recently checked."""

import time

from docsieve.db.documents import stored_files as files_sql
from docsieve.jobs.maintenance.run import TaskRun
from docsieve.services.maintenance.tasks import CheckFiles
from docsieve.services.stored_files import FileCheck

_SLICE = 20


async def check(run: TaskRun) -> None:
    """A dry run counts the documents whose files are due."""
    args, resources = run.args, run.resources
    assert isinstance(args, CheckFiles)
    if run.dry_run:
        async with resources.database.system() as connection:
            due = await files_sql.count_due(connection, older_than_days=args.older_than_days, limit=run.left())
        return run.count(towards_limit=due, documents=due)
    until = time.monotonic() + args.seconds
    check = FileCheck(resources.database, resources.blobs, max_attempts=resources.settings.max_attempts)
    while time.monotonic() < until and (limit := run.left(_SLICE)) > 0:
        async with resources.database.system() as connection:
            batch = await files_sql.due(connection, older_than_days=args.older_than_days, limit=limit)
        if not batch:
            break
        await check.run(batch)
        run.count(towards_limit=len(batch), documents=len(batch))
    found = check.damage
    run.count(damaged_pages=len(found.pages), damaged_originals=len(found.originals), unreadable=len(found.unreadable))
    return None
