"""List and get jobs; cancel or retry one or many."""

from collections.abc import AsyncIterator
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Request

from docsieve.api.access import Reader, Resources, Session, Writer, identify
from docsieve.api.cursors import Before, Limit, next_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name, Text
from docsieve.api.wire.jobs import Changed, JobPage, JobRead, JobSelection
from docsieve.db.connection.session import Session as TenantSession
from docsieve.db.queue import job_records
from docsieve.db.queue.job_records import JobFilter, JobRecord
from docsieve.domain.jobs import JobStatus
from docsieve.errors import Invalid, NotFound
from docsieve.errors.jobs import JobNotCancellable, JobNotRetryable
from docsieve.resources import Resources as AppResources

router = Router(prefix="/jobs", tags=["jobs"], responses=COMMON)


async def _filter(
    status: JobStatus | None = None,
    job_type: Text | None = None,
    queue: Text | None = None,
    document_id: UUID | None = None,
    project: Name | None = None,
) -> JobFilter:
    return JobFilter(status, job_type, queue, document_id, project=project)


@router.get("", response_model=JobPage)
async def list_jobs(
    caller: Reader,
    session: Session,
    wanted: Annotated[JobFilter, Depends(_filter)],
    before: Before,
    limit: Limit = 50,
) -> JobPage:
    """List jobs, newest first. The counts ignore the status filter."""
    jobs = await job_records.list_page(session, wanted, before=before, limit=limit)
    counts = await job_records.count_by_status(session, wanted)
    return JobPage(
        jobs=[JobRead.of(job) for job in jobs],
        total=counts[wanted.status] if wanted.status else sum(counts.values()),
        next_cursor=next_cursor(jobs, limit),
        **{f"{status}_count": count for status, count in counts.items()},
    )


async def _open_session_of_job(job_id: UUID, request: Request) -> AsyncIterator[TenantSession]:
    """The caller's, or for an operator who names a job of the server itself, the server's."""
    caller = await identify(request)
    resources: AppResources = request.app.state.resources
    scope = caller.scope
    if caller.is_operator:
        async with resources.database.system() as connection:
            scope = await job_records.scope_for_operator(connection, job_id, scope)
    async with resources.database.tenant(scope) as session:
        yield session


SessionOfJob = Annotated[TenantSession, Depends(_open_session_of_job, scope="function")]


async def _job(session: TenantSession, job_id: UUID) -> JobRecord:
    job = await job_records.find(session, job_id)
    if job is None:
        raise NotFound("Job not found.")
    return job


@router.get("/{job_id}", response_model=JobRead, responses=problems(NotFound))
async def get_job(job_id: UUID, caller: Reader, session: SessionOfJob) -> JobRead:
    """Get one job. The operator of the server also sees maintenance jobs, which belong to no tenant."""
    return JobRead.of(await _job(session, job_id))


@router.post("/{job_id}/cancel", response_model=JobRead, responses=problems(NotFound, JobNotCancellable))
async def cancel_job(job_id: UUID, caller: Writer, session: SessionOfJob) -> JobRead:
    """Cancel the job. Takes effect immediately: the worker is told to stop, and its later results are discarded."""
    if not await job_records.cancel(session, job_id):
        job = await _job(session, job_id)
        raise JobNotCancellable(f"The job is {job.status}; only a pending or processing job can be cancelled.")
    return JobRead.of(await _job(session, job_id))


@router.post("/{job_id}/retry", response_model=JobRead, responses=problems(NotFound, JobNotRetryable))
async def retry_job(job_id: UUID, caller: Writer, session: SessionOfJob, resources: Resources) -> JobRead:
    """Retry a failed job with a new set of attempts."""
    if not await job_records.retry(session, job_id, allowance=resources.settings.max_attempts):
        job = await _job(session, job_id)
        reason = f"The job is {job.status}; only a failed job can be retried."
        if job.status == JobStatus.failed:
            reason = "A newer job has replaced this one."
        raise JobNotRetryable(reason)
    return JobRead.of(await _job(session, job_id))


def _selected(selection: JobSelection) -> JobFilter:
    if all(value is None for _, value in selection):
        raise Invalid("At least one of status, job_type, queue, document_id, ids and project is required.")
    return JobFilter(**dict(selection))


@router.post("/cancel", response_model=Changed)
async def cancel_jobs(selection: JobSelection, caller: Writer, session: Session) -> Changed:
    """Cancel all pending and processing jobs that match."""
    return Changed(count=await job_records.cancel_matching(session, _selected(selection)))


@router.post("/retry", response_model=Changed)
async def retry_jobs(selection: JobSelection, caller: Writer, session: Session, resources: Resources) -> Changed:
    """Retry all failed jobs that match."""
    allowance = resources.settings.max_attempts
    return Changed(count=await job_records.retry_matching(session, _selected(selection), allowance=allowance))
