"""Every attempt at a document, running or ended. Ended ones are written by a trigger of the jobs' table."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple
from uuid import UUID

from docsieve.db.connection.session import Session

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class StageTime:
    stage: str
    duration_ms: int


class AttemptPlace(NamedTuple):
    """By which attempts are listed; the moment is in microseconds since 1970."""

    started_at: int
    job_id: UUID
    attempt: int


@dataclass(frozen=True, slots=True)
class AttemptRecord:
    """For a running attempt, or one whose worker was lost, `stages` are as last reported."""

    job_id: UUID
    job_type: str
    attempt: int
    worker_id: str | None
    outcome: str
    started_at: datetime
    ended_at: datetime | None
    duration_ms: int
    error_code: str | None
    error_message: str | None
    stages: list[StageTime]

    @property
    def place(self) -> AttemptPlace:
        return AttemptPlace((self.started_at - _EPOCH) // _MICROSECOND, self.job_id, self.attempt)


# Jobs of a document are its own readings, and the extractions that it is part of.
_OF_DOCUMENT = """
with its_jobs as materialized (
    select id from jobs where tenant_id = $1 and document_id = $2
    union
    select job_id from extractions join extraction_documents as its on its.extraction_id = extractions.id
    where its.tenant_id = $1 and extractions.tenant_id = $1 and its.document_id = $2),
every as (
    select job_id, job_type, attempt, attempts.worker_id, outcome, attempts.started_at, ended_at,
           attempts.error_code, attempts.error_message, attempts.stages
    from attempts join jobs on jobs.id = attempts.job_id
    where attempts.tenant_id = $1 and jobs.tenant_id = $1 and job_id in (select id from its_jobs)
    union all
    select id, job_type, attempts, worker_id, 'running', started_at, null, null, null, coalesce(stages, '[]')
    from jobs where tenant_id = $1 and status = 'processing' and id in (select id from its_jobs))
select job_id, job_type, attempt, worker_id, outcome, started_at, ended_at,
       (extract(epoch from coalesce(ended_at, clock_timestamp()) - started_at) * 1000)::bigint as duration_ms,
       error_code, error_message, stages
from every
where $3::bigint is null
   or ((extract(epoch from started_at) * 1000000)::bigint, job_id, attempt::bigint) < ($3, $4::uuid, $5::bigint)
order by started_at desc, job_id desc, attempt desc limit $6
"""


async def of_document(
    session: Session, document_id: UUID, *, after: AttemptPlace | None = None, limit: int
) -> list[AttemptRecord]:
    """Newest first."""
    place = after or (None, None, None)
    rows = await session.connection.fetch(_OF_DOCUMENT, session.scope.tenant_id, document_id, *place, limit)
    return [AttemptRecord(**{**row, "stages": _stages(json.loads(row["stages"]))}) for row in rows]


def _stages(stored: list[Any]) -> list[StageTime]:
    return [StageTime(stage, duration_ms) for stage, duration_ms in stored]
