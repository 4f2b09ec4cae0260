"""Deletes batches and documents that were sent with `persist_data: false`, after a grace period."""

from docsieve.db.documents import expiry, rows
from docsieve.db.documents.expiry import StoredDocument
from docsieve.jobs.maintenance.batches import delete_expired
from docsieve.jobs.maintenance.run import TaskRun
from docsieve.services import documents

_UPLOADS = 100
_SLICE = 500


async def delete(run: TaskRun) -> None:
    seconds = run.resources.settings.opt_out_hours * 3600
    await delete_expired(run, "opt_out", older_than_seconds=seconds)
    last = None
    while (limit := run.left(_UPLOADS)) > 0:
        async with run.resources.database.system() as connection:
            found = await expiry.opted_out(connection, older_than_seconds=seconds, after=last, limit=limit)
        for each in found:
            with run.keeping_what_must_be_kept():
                await _delete(run, each, seconds)
        if not found:
            return
        last = found[-1].id


async def _delete(run: TaskRun, upload: StoredDocument, seconds: float) -> None:
    """Its extractions are deleted first, in slices. It comes last, so that a crash leaves nothing behind."""
    async with run.resources.database.tenant(run.scope(upload.tenant_id)) as session:
        family = await rows.families(session, [upload.id])
    if run.dry_run:
        return run.count(towards_limit=1, documents=len(family))
    inside = sorted((each for each in family if each != upload.id), reverse=True)
    slices = [inside[start : start + _SLICE] for start in range(0, len(inside), _SLICE)]
    for ids in [*slices, [upload.id]]:
        async with run.resources.database.tenant(run.scope(upload.tenant_id)) as session:
            if not await expiry.is_opted_out(session, upload.id, older_than_seconds=seconds):
                return None
            deleted = await documents.delete(session, ids)
        await documents.delete_blobs(run.resources, upload.tenant_id, deleted)
        run.count(towards_limit=int(ids == [upload.id]), documents=len(deleted))
    return None
