"""Deletes the files of unpacked archives. Their entries have become documents with separate files."""

from docsieve.db.documents import expiry
from docsieve.db.documents.expiry import StoredDocument
from docsieve.domain.audit import Action
from docsieve.domain.documents import original_key
from docsieve.jobs.maintenance.run import TaskRun

COMPLETE_DAYS = 1.0
INCOMPLETE_DAYS = 30.0
"""With entries that could not be read, someone may want to try again, for example with a password."""

_SLICE = 100


async def delete(run: TaskRun) -> None:
    run.counts.update(archives=0, bytes=0)
    last = None
    while (limit := run.left(_SLICE)) > 0:
        async with run.resources.database.system() as connection:
            found = await expiry.unpacked_archives(
                connection,
                complete_seconds=COMPLETE_DAYS * 86400,
                incomplete_seconds=INCOMPLETE_DAYS * 86400,
                after=last,
                limit=limit,
            )
        for each in found:
            with run.keeping_what_must_be_kept():
                if run.dry_run or await _delete(run, each):
                    run.count(towards_limit=1, archives=1, bytes=each.size)
        if not found:
            return
        last = found[-1].id


async def _delete(run: TaskRun, archive: StoredDocument) -> bool:
    """The row is marked first, so that no one unpacks the archive again; the sweep deletes files of marked rows too."""
    async with run.resources.database.tenant(run.scope(archive.tenant_id)) as session:
        if not await expiry.mark_original_deleted(session, archive.id):
            return False
        details = {"rule": run.args.job_type, "objects": 1, "bytes": archive.size}
        session.audit(Action.original_deleted, "document", archive.id, details)
    await run.resources.blobs.delete(original_key(archive.tenant_id, archive.id))
    return True
