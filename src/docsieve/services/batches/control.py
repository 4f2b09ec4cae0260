"""What happens to a batch apart from its start: documents added and removed, cancel, retry, delete."""

from collections.abc import Sequence
from uuid import UUID

from docsieve.db.batches import members, rows, runs
from docsieve.db.batches.rows import Batch
from docsieve.db.connection.session import Session
from docsieve.db.definitions.versions import SCHEMAS
from docsieve.db.documents import rows as document_rows
from docsieve.db.documents.deletion import DeletedDocument
from docsieve.db.queue import job_records
from docsieve.db.queue.job_records import JobFilter
from docsieve.domain.audit import Action
from docsieve.errors import Invalid
from docsieve.errors.batches import BatchCancelled, BatchNotRunning, BatchStarted, NothingToRetry
from docsieve.resources import Resources
from docsieve.services import documents
from docsieve.services.batches.configuration import found, locked, schema_name
from docsieve.services.documents import Skipped


async def add_documents(session: Session, batch_id: UUID, ids: Sequence[UUID]) -> tuple[int, list[Skipped]]:
    """Add documents of the batch's project, and the entries of archives.

    Returns how many were not in it before, and the documents that were not added. Raises BatchCancelled.
    """
    batch = await found(session, batch_id)
    if batch.status == "cancelled":
        raise BatchCancelled
    owners = await document_rows.projects_of(session, ids)
    added = await members.add(
        session, batch_id, batch.project_id, [each for each, owner in owners.items() if owner == batch.project_id]
    )
    elsewhere = Invalid(f"The document is not in the batch's project, {batch.project}.")
    return added, [
        Skipped(each, elsewhere if each in owners else documents.not_found())
        for each in dict.fromkeys(ids)
        if owners.get(each) != batch.project_id
    ]


async def remove_document(session: Session, batch_id: UUID, document_id: UUID) -> None:
    """Raises BatchStarted for a document that is already part of an extraction of the batch.

    Does nothing if it is not in the batch.
    """
    await locked(session, batch_id)
    if document_id in await members.started(session, batch_id):
        raise BatchStarted("The document is already part of an extraction of this batch.")
    await members.remove(session, batch_id, document_id)


async def cancel(session: Session, batch_id: UUID) -> Batch:
    """Cancel everything that is not finished. Final at once: no result is written after this.

    Jobs are locked before the batch, as workers do.
    """
    _check_running(await found(session, batch_id))
    unfinished = await runs.unfinished_jobs(session, batch_id)
    _check_running(await found(session, batch_id))
    await job_records.cancel_these(session, list(unfinished))
    # only workers that run one of them need to know
    session.stopped -= {job for job, status in unfinished.items() if status != "processing"}
    await locked(session, batch_id)
    await runs.recount(session, batch_id)
    await runs.mark_cancelled(session, batch_id)
    return await found(session, batch_id)


def _check_running(batch: Batch) -> None:
    if batch.status != "running":
        raise BatchNotRunning(f"The batch is {batch.status}; only a running one can be cancelled.")


async def retry(session: Session, resources: Resources, batch_id: UUID) -> int:
    """Queue the failed extractions again. Returns how many. Raises NothingToRetry and BatchCancelled."""
    batch = await found(session, batch_id)
    if batch.status == "cancelled":
        raise BatchCancelled
    failed = await runs.failed_jobs(session, batch_id)
    retried = 0
    if failed:
        allowance = resources.settings.max_attempts
        retried = await job_records.retry_matching(session, JobFilter(ids=failed), allowance=allowance)
    if not retried:
        raise NothingToRetry
    await locked(session, batch_id)
    await runs.recount(session, batch_id)
    batch = await found(session, batch_id)
    await runs.mark_running(session, batch_id, finished=batch.counts.finished, starting_job=batch.starting_job)
    return retried


async def delete(session: Session, batch_id: UUID, *, with_documents: bool) -> list[DeletedDocument]:
    """Delete a batch with its extractions, and its documents on request.

    Returns the deleted documents; their blobs are deleted after the commit.
    """
    batch = await found(session, batch_id)
    deleted: list[DeletedDocument] = []
    if with_documents:
        ids = [each.id for each in await members.all_of(session, batch_id)]
        deleted = await documents.delete(session, ids)
    await rows.delete(session, batch_id)
    await SCHEMAS.delete(session, schema_name(batch_id))
    details = {"documents": len(deleted)}
    session.audit(Action.batch_deleted, "batch", batch_id, details, project_id=batch.project_id)
    return deleted
