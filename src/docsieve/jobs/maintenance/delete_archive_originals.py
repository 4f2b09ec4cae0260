"""Deletes the files of unpacked archives. What was in them has become documents with files of their own."""

from docsieve.db.documents import expiry
from docsieve.domain.documents import original_key
from docsieve.jobs.maintenance.run import TaskRun

COMPLETE_DAYS = 1.0
INCOMPLETE_DAYS = 30.0
"""With entries that could not be read, someone may want to try again, for example with a password."""

_SLICE = 100


async def delete(run: TaskRun) -> None:
    """The row is marked first, so that no one unpacks the archive again; the sweep deletes files of marked rows too."""
    database, blobs = run.resources.database, run.resources.blobs
    run.counts.update(archives=0, bytes=0)
    last = None
    while (limit := run.left(_SLICE)) > 0:
        async with database.system() as connection:
            found = await expiry.unpacked_archives(
                connection,
                complete_seconds=COMPLETE_DAYS * 86400,
                incomplete_seconds=INCOMPLETE_DAYS * 86400,
                after=last,
                limit=limit,
            )
            if not found:
                return
            last = found[-1].id
            if not run.dry_run:
                marked = await expiry.mark_originals_deleted(connection, [each.id for each in found])
                found = [each for each in found if each.id in marked]
        if not run.dry_run:
            for each in found:
                await blobs.delete(original_key(each.tenant_id, each.id))
        run.count(towards_limit=len(found), archives=len(found), bytes=sum(each.size for each in found))
