"""Documents after intake: the job that reads one, and reprocessing, canceling and deleting one or many."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from docsieve.db.access import projects
from docsieve.db.connection.session import Session
from docsieve.db.documents import archives, deletion, packets
from docsieve.db.documents import rows as documents
from docsieve.db.documents.deletion import DeletedDocument
from docsieve.db.extractions import lessons
from docsieve.db.index import chunks
from docsieve.db.queue import job_records
from docsieve.db.queue.new_jobs import enqueue
from docsieve.db.retention import holds
from docsieve.domain.audit import Action
from docsieve.domain.documents import ARCHIVE_TYPES
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.packets import Split
from docsieve.domain.scope import Scope
from docsieve.errors import DocsieveError, DocumentBusy, NotFound
from docsieve.errors.jobs import JobNotCancellable
from docsieve.errors.retention import LegalHold, OriginalDeleted
from docsieve.pipelines.engines.registry import engine_named
from docsieve.resources import Resources
from docsieve.services import engines
from docsieve.services.deferral import Deferral, deferral
from docsieve.services.definitions import schemas
from docsieve.services.retention import redaction
from docsieve.services.retention.files import delete_files
from docsieve.services.review import examples

REPROCESS_PRIORITY = 10
_PARALLEL_DELETIONS = 8


class ProcessDocument(JobArgs):
    """Reads a document and extracts from it.

    `force` reads the file again even if its pages are cached. `repair` only restores lost pages: no extraction, and no
    documents of attachments.
    """

    job_type = "process_document"

    document_id: UUID
    force: bool = False
    repair: bool = False


class DownloadDocument(JobArgs):
    """Downloads the file of a document from its source."""

    job_type = "download_document"
    queue = "download"

    document_id: UUID


class UnpackArchive(JobArgs):
    """Makes a document of each entry of an archive.

    With `again`, documents that were made of its entries before are read again too.
    """

    job_type = "unpack_archive"
    queue = "archive"

    document_id: UUID
    again: bool = False


def first_job(
    document_id: UUID,
    media_type: str | None,
    *,
    max_attempts: int,
    job_id: UUID | None = None,
    project_id: UUID | None = None,
    priority: int = 0,
    again: bool = False,
    force: bool = False,
) -> NewJob:
    """The job that reads a document, unpacks an archive, or downloads a file, whose type is not known until then."""
    if media_type is not None and media_type not in ARCHIVE_TYPES:
        return processing_job(
            document_id,
            max_attempts=max_attempts,
            job_id=job_id,
            project_id=project_id,
            priority=priority,
            force=force,
        )
    args: JobArgs = UnpackArchive(document_id=document_id, again=again)
    if media_type is None:
        args = DownloadDocument(document_id=document_id)
    return NewJob(
        args,
        id=job_id or new_id(),
        project_id=project_id,
        document_id=document_id,
        priority=priority,
        max_attempts=max_attempts,
    )


def processing_job(
    document_id: UUID,
    *,
    max_attempts: int,
    job_id: UUID | None = None,
    project_id: UUID | None = None,
    priority: int = 0,
    force: bool = False,
    repair: bool = False,
) -> NewJob:
    return NewJob(
        ProcessDocument(document_id=document_id, force=force, repair=repair),
        id=job_id or new_id(),
        project_id=project_id,
        document_id=document_id,
        priority=priority,
        max_attempts=max_attempts,
    )


@dataclass(frozen=True, slots=True)
class ReprocessOptions:
    """What to change when a document is read again; None leaves it as it was."""

    schema_ref: str | None = None
    engine: str | None = None
    password: str | None = field(default=None, repr=False)
    split: Split | None = None


@dataclass(frozen=True, slots=True)
class Skipped:
    """A document that was not changed, and why."""

    id: UUID
    reason: DocsieveError


async def reprocess(
    session: Session, resources: Resources, ids: Sequence[UUID], options: ReprocessOptions
) -> tuple[dict[UUID, UUID], list[Skipped]]:
    """Queue documents again, ahead of new ones. Returns the job per document, and the documents that were skipped.

    A document with an unfinished job, or whose file was deleted, is skipped. With a schema, its own, that of its
    project or that of its class, the job makes a new extraction; earlier extractions stay. A new password replaces the
    old one, and cached pages are then not used.
    """
    await _check_options(session, resources, ids, options)
    visible = await documents.media_types(session, ids)
    password = options.password
    started = await read_again(
        session,
        visible,
        schema_ref=options.schema_ref,
        engine=options.engine,
        sealed_password=resources.sealer.seal(password) if password is not None else None,
        split=options.split,
        max_attempts=resources.settings.max_attempts,
    )
    gone = await documents.without_original(session, ids)

    def reason(each: UUID) -> DocsieveError:
        if each not in visible:
            return not_found()
        return OriginalDeleted() if each in gone else _busy(each)

    return started, [Skipped(each, reason(each)) for each in dict.fromkeys(ids) if each not in started]


async def read_again(
    session: Session,
    media_types: Mapping[UUID, str | None],
    *,
    schema_ref: str | None,
    engine: str | None,
    sealed_password: bytes | None,
    max_attempts: int,
    split: Split | None = None,
    priority: int = REPROCESS_PRIORITY,
) -> dict[UUID, UUID]:
    """Queue documents again; None leaves an option as it was. Returns the job of each that has no unfinished one.

    An archive is unpacked from the start, and the documents that were made of its entries are read again with it.
    """
    force = sealed_password is not None
    jobs = {
        each: first_job(each, media_type, max_attempts=max_attempts, priority=priority, again=True, force=force)
        for each, media_type in media_types.items()
    }
    started = await documents.begin_reprocessing(
        session, jobs, schema_ref=schema_ref, engine=engine, sealed_password=sealed_password, split=split
    )
    if split == "none":
        await _undo_splits(session, list(started))
    await archives.forget(session, [each for each in started if media_types[each] in ARCHIVE_TYPES])
    waits = {each: await _deferral(session, each, priority) for each in set(started.values())}
    await enqueue(
        session,
        [
            replace(jobs[each], project_id=project_id, run_at=when.run_at, deferred_by=when.deferred_by)
            for each, project_id in started.items()
            if (when := waits[project_id])
        ],
    )
    return {each: job_id for each in started if (job_id := jobs[each].id) is not None}


async def _deferral(session: Session, project_id: UUID, priority: int) -> Deferral:
    project = await projects.find_by_id(session, project_id)
    assert project is not None
    return await deferral(session, project, run_at=None, priority=priority)


async def _undo_splits(session: Session, ids: Sequence[UUID]) -> None:
    """Delete the parts of packets; the sweep removes their files."""
    parts = await packets.parts(session, ids)
    await delete(session, [part.document_id for part in parts])
    await packets.forget(session, ids)


async def _check_options(
    session: Session, resources: Resources, ids: Sequence[UUID], options: ReprocessOptions
) -> None:
    if options.engine is not None:
        engine_named(options.engine)
        for project_id in set((await documents.projects_of(session, ids)).values()):
            project = await projects.find_by_id(session, project_id)
            assert project is not None
            engines.check_configured(resources.settings, options.engine, model=project.model)
    if options.schema_ref is not None:
        await schemas.check_choice(session, options.schema_ref)


def not_found() -> NotFound:
    return NotFound("Document not found.")


def _busy(document_id: UUID) -> DocumentBusy:
    return DocumentBusy(f"Document {document_id} already has an unfinished job; cancel it first.")


async def cancel(session: Session, ids: Sequence[UUID]) -> tuple[int, list[Skipped]]:
    """Cancel the current jobs of documents, effective at once. Returns how many, and the documents without one.

    With an archive, the documents that were made of its entries and are not read yet are cancelled too.
    """
    jobs = await documents.current_jobs(session, ids)
    cancelled = await job_records.cancel_these(session, [job for job in jobs.values() if job is not None])
    types = await documents.media_types(session, ids)
    stopped = await job_records.cancel_entries(session, [each for each in types if types[each] in ARCHIVE_TYPES])
    done = [each for each in dict.fromkeys(ids) if jobs.get(each) in cancelled or each in stopped]
    skipped = [
        Skipped(each, JobNotCancellable("The document has no unfinished job.") if each in jobs else not_found())
        for each in dict.fromkeys(ids)
        if each not in done
    ]
    return len(done), skipped


async def delete(session: Session, ids: Sequence[UUID]) -> list[DeletedDocument]:
    """Delete documents with their children and all that came from them. Returns everything that was deleted.

    Their blobs are deleted by `delete_blobs` after the commit. A worker that is reading one loses its lease and stops.
    Lessons that were learned from them are forgotten at once, and learned again without them. Each document leaves an
    entry in the audit log. Raises LegalHold.
    """
    families = await documents.families(session, ids)
    if held := await holds.held_documents(session, families):
        raise LegalHold(f"Document {min(held)} is under legal hold.")
    taught = await lessons.taught_by(session, families)
    await deletion.stop_jobs(session, families)
    await redaction.redact(session, families)
    deleted = await deletion.delete(session, families)
    for schema_name in taught:
        await lessons.retire(session, schema_name)
        await examples.learn_soon(session, schema_name)
    for each in deleted:
        details = {"rule": each.by.id if each.by.kind == "rule" else None, "rows": each.rows}
        session.audit(Action.document_deleted, "document", each.id, details, project_id=each.project_id)
    return deleted


async def deletable(session: Session, ids: Sequence[UUID]) -> tuple[list[UUID], list[Skipped]]:
    """Those of the documents that can be deleted, and the others. Raises nothing."""
    families = await documents.family_members(session, ids)
    held = await holds.held_documents(session, [member for _, member in families])
    kept = {root for root, member in families if member in held}
    known = {root for root, _ in families}
    skipped = [
        Skipped(each, LegalHold(f"Document {each} is under legal hold.") if each in kept else not_found())
        for each in dict.fromkeys(ids)
        if each in kept or each not in known
    ]
    return sorted(known - kept), skipped


async def delete_blobs(resources: Resources, tenant_id: UUID, deleted: Sequence[DeletedDocument]) -> None:
    """Delete what deleted documents left behind outside of their rows, and record how much that was.

    These are their files, except pages and images that another document with the same content needs, and words that no
    other document contains. That document may be in a project that the caller cannot see, so the whole tenant is
    searched. After a crash, the sweeps of orphan blobs and of unused words do the rest.
    """
    if not deleted:
        return
    async with resources.database.system() as connection:
        contents = [(tenant_id, each.sha256) for each in deleted if each.sha256 is not None]
        shared = await deletion.known_contents(connection, contents)
    slots = asyncio.Semaphore(_PARALLEL_DELETIONS)

    async def delete_one(each: DeletedDocument) -> int:
        async with slots:
            return await delete_files(
                resources.blobs, tenant_id, each, content_shared=(tenant_id, each.sha256) in shared
            )

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(delete_one(each)) for each in deleted]
    async with resources.database.tenant(Scope(tenant_id, actor=deleted[0].by)) as session:
        await chunks.forget_terms(session, list({term for each in deleted for term in each.terms}))
        for each, task in zip(deleted, tasks, strict=True):
            details = {"objects": task.result()}
            session.audit(Action.files_deleted, "document", each.id, details, project_id=each.project_id)
