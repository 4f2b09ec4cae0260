"""Deletes batches to which a rule applies, in slices: first their documents, then the batch with its results."""

from docsieve.db.batches import expiry
from docsieve.db.batches.expiry import ExpiredBatch, Rule
from docsieve.db.documents.deletion import DeletedDocument
from docsieve.jobs.maintenance.run import TaskRun
from docsieve.services import documents
from docsieve.services.batches import control

_BATCHES = 100
_DOCUMENTS = 500


async def delete_expired(run: TaskRun, rule: Rule, *, older_than_seconds: float) -> None:
    run.counts.update(batches=0, documents=0)
    last = None
    while (limit := run.left(_BATCHES)) > 0:
        async with run.resources.database.system() as connection:
            found = await expiry.expired(
                connection, rule, older_than_seconds=older_than_seconds, after=last, limit=limit
            )
        for each in found:
            if run.dry_run:
                run.count(towards_limit=1, batches=1, documents=each.documents)
                continue
            with run.keeping_what_must_be_kept():
                await _delete(run, each, rule, older_than_seconds)
        if not found:
            return
        last = found[-1].id


async def _delete(run: TaskRun, batch: ExpiredBatch, rule: Rule, older_than_seconds: float) -> None:
    """Each slice checks again, so that a batch that someone starts in between keeps the rest of its documents."""
    database = run.resources.database
    gone = False
    while not gone:
        deleted: list[DeletedDocument] = []
        async with database.tenant(run.scope(batch.tenant_id)) as session:
            if not await expiry.lock_expired(session, batch.id, rule, older_than_seconds=older_than_seconds):
                return
            ids = await expiry.documents_to_delete(session, batch.id, rule, limit=_DOCUMENTS)
            if ids:
                deleted = await documents.delete(session, ids)
            else:
                await control.delete(session, batch.id, with_documents=False)
                gone = True
        await documents.delete_blobs(run.resources, batch.tenant_id, deleted)
        run.count(towards_limit=int(gone), batches=int(gone), documents=len(deleted))
