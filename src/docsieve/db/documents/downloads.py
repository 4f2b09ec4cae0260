"""Documents whose file is downloaded from their source."""

import json
from dataclasses import asdict, dataclass, field
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.jobs import ClaimedJob, NewJob


@dataclass(frozen=True, slots=True)
class StagedFile:
    """A file that was downloaded completely, under a key that nothing else is written to."""

    key: str
    media_type: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class PendingDownload:
    """`staged` is what an earlier attempt has downloaded."""

    project_id: UUID
    sealed_source: bytes = field(repr=False)
    staged: StagedFile | None


async def find(session: Session, document_id: UUID) -> PendingDownload | None:
    """None if there is no such document, or nothing to download any more."""
    row = await session.connection.fetchrow(
        "select project_id, sealed_source, staged from documents "
        "where tenant_id = $1 and id = $2 and sealed_source is not null",
        session.scope.tenant_id,
        document_id,
    )
    if row is None:
        return None
    staged = StagedFile(**json.loads(row["staged"])) if row["staged"] is not None else None
    return PendingDownload(row["project_id"], row["sealed_source"], staged)


async def record(session: Session, document_id: UUID, staged: StagedFile | None, *, job: ClaimedJob) -> bool:
    """Record which file was downloaded, or forget it. False if the job is not ours any more."""
    if not await queue_sql.hold(session.connection, job):
        return False
    await session.connection.execute(
        "update documents set staged = $3::jsonb where tenant_id = $1 and id = $2",
        session.scope.tenant_id,
        document_id,
        json.dumps(asdict(staged)) if staged is not None else None,
    )
    return True


async def finish(session: Session, document_id: UUID, staged: StagedFile, job: NewJob) -> None:
    """Make the staged file that of the document, which follows its next job from now on. Raises QuotaExceeded."""
    await session.connection.execute(
        """
        update documents set media_type = $3, size = $4, sha256 = $5, staged = null, sealed_source = null,
            duplicate_of = (select older.id from documents as older
                            where older.tenant_id = $1 and older.sha256 = $5 and older.id <> $2
                            order by older.id limit 1),
            job_id = $6, status = document_status($7, 'pending'), updated_at = clock_timestamp()
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        document_id,
        staged.media_type,
        staged.size,
        staged.sha256,
        job.id,
        job.args.job_type,
    )
