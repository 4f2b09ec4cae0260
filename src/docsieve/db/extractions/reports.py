"""The jobs of reports, for their status."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class ReportJob:
    """`started_at` is when its first attempt began. A job that was pruned is all zeros."""

    attempts: int = 0
    max_attempts: int = 0
    error_code: str | None = None
    started_at: datetime | None = None


async def find_job(session: Session, job_id: UUID) -> ReportJob:
    row = await session.connection.fetchrow(
        """
        select attempts, max_attempts, error_code,
            least(started_at, (select min(attempts.started_at) from attempts
                               where attempts.tenant_id = $1 and attempts.job_id = jobs.id))
        from jobs where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        job_id,
    )
    return ReportJob(*row) if row else ReportJob()
