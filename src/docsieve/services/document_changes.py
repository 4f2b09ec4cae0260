"""Reprocessing, cancelling and deleting documents, one or many."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from docsieve.db import documents, lessons
from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.db.documents import Removed
from docsieve.db.queue import job_records
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.documents import are_only_for, images_folder, original_key
from docsieve.domain.ids import new_id
from docsieve.errors import DocsieveError, DocumentBusy, JobNotCancellable, NotFound
from docsieve.pipelines.engines.registry import engine_named
from docsieve.resources import Resources
from docsieve.services import engines
from docsieve.services.definitions import schemas
from docsieve.services.documents import reading_of
from docsieve.services.review import learning

REPROCESS_PRIORITY = 10
_BLOBS_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class NewWishes:
    """What is done differently when a document is read again; what is not said stays as it was."""

    schema_ref: str | None = None
    engine: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A document that was left as it was, and why."""

    id: UUID
    reason: DocsieveError


async def reprocess(
    session: Session, resources: Resources, ids: Sequence[UUID], wishes: NewWishes
) -> tuple[dict[UUID, UUID], list[Skipped]]:
    """Queue documents again, ahead of new ones; tells each one's job. Those that have a job under way are skipped.

    With a schema, its own or the project's, the job makes a new extraction; what was extracted before stays.
    A password takes the place of the one before, and pages that were read already do not stand in for trying it.
    """
    if wishes.engine is not None:
        engine_named(wishes.engine)
        for project_id in set((await documents.projects_of(session, ids)).values()):
            project = await projects.find_by_id(session, project_id)
            assert project is not None
            engines.check_configured(resources.settings, wishes.engine, model=project.model)
    if wishes.schema_ref is not None:
        await schemas.resolve(session, wishes.schema_ref)
    in_sight = await documents.current_jobs(session, ids)
    jobs = {each: new_id() for each in in_sight}
    password = wishes.password
    begun = await documents.begin_reprocessing(
        session,
        jobs,
        schema_ref=wishes.schema_ref,
        engine=wishes.engine,
        sealed_password=resources.sealer.seal(password) if password is not None else None,
    )
    await queue_sql.enqueue(
        session,
        [
            reading_of(
                resources,
                each,
                jobs[each],
                priority=REPROCESS_PRIORITY,
                project_id=begun[each],
                anew=password is not None,
            )
            for each in dict.fromkeys(ids)
            if each in begun
        ],
    )
    skipped = [
        Skipped(each, _busy(each) if each in in_sight else missing())
        for each in dict.fromkeys(ids)
        if each not in begun
    ]
    return {each: jobs[each] for each in begun}, skipped


def missing() -> NotFound:
    return NotFound("There is no such document.")


def _busy(document_id: UUID) -> DocumentBusy:
    return DocumentBusy(f"Document {document_id} already has a job under way; cancel it first.")


async def cancel(session: Session, ids: Sequence[UUID]) -> tuple[int, list[Skipped]]:
    """Cancel the jobs that these documents follow, final at once; tells how many were and which had none to cancel."""
    jobs = await documents.current_jobs(session, ids)
    cancelled = await job_records.cancel_these(session, [job for job in jobs.values() if job is not None])
    skipped = [
        Skipped(each, JobNotCancellable("The document has no job under way.") if each in jobs else missing())
        for each in dict.fromkeys(ids)
        if jobs.get(each) not in cancelled
    ]
    return len(cancelled), skipped


async def delete(session: Session, ids: Sequence[UUID]) -> list[Removed]:
    """Remove documents, those that came inside them, and all that hangs on them; tells all that are gone.

    Their blobs go once this is committed, by `delete_blobs`.

    A worker that is reading one finds its fence broken and stops. What they have taught is unlearned.
    """
    families = await documents.families(session, ids)
    taught = await lessons.taught_by(session, families)
    removed = await documents.delete(session, families)
    for schema_name in taught:
        await learning.enqueue(session, schema_name)
    return removed


async def delete_blobs(resources: Resources, tenant_id: UUID, removed: Sequence[Removed]) -> None:
    """Delete the bytes of removed documents, and their pages with images unless another has the same content.

    That other document may be in a project which the caller cannot see, so all of the tenant is asked.
    """
    async with resources.database.system() as connection:
        shared = await documents.known_contents(connection, [(tenant_id, each.sha256) for each in removed])
    a_few = asyncio.Semaphore(_BLOBS_AT_ONCE)

    async def delete(each: Removed) -> None:
        async with a_few:
            await _delete_blobs_of(resources, tenant_id, each, content_shared=(tenant_id, each.sha256) in shared)

    async with asyncio.TaskGroup() as group:
        for each in removed:
            group.create_task(delete(each))


async def _delete_blobs_of(resources: Resources, tenant_id: UUID, removed: Removed, *, content_shared: bool) -> None:
    await resources.blobs.delete(original_key(tenant_id, removed.id))
    if removed.pages_key is None:
        return
    if are_only_for(removed.pages_key, removed.id) or not content_shared:
        await resources.blobs.delete(removed.pages_key)
        for key in [image.key async for image in resources.blobs.list(images_folder(removed.pages_key))]:
            await resources.blobs.delete(key)
