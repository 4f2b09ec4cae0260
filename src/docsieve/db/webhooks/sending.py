"""The workers' side of deliveries: what to send, and what became of it.

Many are looked up and recorded at once, for all tenants: a statement per message would cost more than sending it. Each
row names its tenant, and the fence of its job: a worker that lost its lease finds nothing to send and records nothing.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session
from docsieve.db.queue.jobs import ENDED
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.events import Event
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import ClaimedJob, JobArgs, NewJob
from docsieve.domain.webhooks import Payload


class DeliverWebhook(JobArgs):
    job_type = "deliver_webhook"
    queue = "webhook"

    delivery_id: UUID


@dataclass(frozen=True, slots=True)
class DueDelivery:
    """A message to send now. `secrets` are sealed, by kind, newest first.

    `pause_seconds` is how long the breaker of the endpoint stays open, `failing` whether the last few attempts failed.
    """

    id: UUID
    event: Event
    endpoint_id: UUID | None
    url: str
    payload: Payload
    enabled: bool
    failing: bool
    pause_seconds: float
    expired: bool
    tries: int
    secrets: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class Sent:
    """One attempt: `status` is null if there was no answer, `error_code` if the message was delivered."""

    started_at: datetime
    seconds: float
    status: int | None
    error_code: str | None
    response: str


_LOAD = """
select wanted.job_id, delivery.id, delivery.tenant_id, delivery.project_id, delivery.event_id, delivery.event_type,
       delivery.event_created_at, delivery.subject_id, delivery.document_id, delivery.data, delivery.endpoint_id,
       tenants.name as tenant, projects.name as project, coalesce(delivery.url, endpoint.url) as url,
       coalesce(endpoint.payload, 'thin') as payload, coalesce(endpoint.enabled, true) as enabled,
       coalesce(endpoint.failures >= 3, false) as failing,
       greatest(coalesce(extract(epoch from endpoint.open_until - clock_timestamp()), 0), 0)::float8 as pause_seconds,
       delivery.expires_at < clock_timestamp() as expired, delivery.tries, secret.kinds, secret.sealed
from unnest($1::uuid[], $2::uuid[], $3::int[], $4::uuid[]) as wanted (tenant_id, job_id, attempt, delivery_id)
join jobs on jobs.id = wanted.job_id and jobs.attempts = wanted.attempt and jobs.worker_id = $5
join webhook_deliveries as delivery on delivery.id = wanted.delivery_id and delivery.tenant_id = wanted.tenant_id
    and delivery.job_id = jobs.id and delivery.status = 'pending'
join tenants on tenants.id = wanted.tenant_id
left join projects on projects.id = delivery.project_id and projects.tenant_id = wanted.tenant_id
left join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
    and endpoint.tenant_id = wanted.tenant_id
left join lateral (
    select array_agg(kind order by id desc) as kinds, array_agg(sealed order by id desc) as sealed
    from webhook_secrets
    where coalesce(endpoint_id, tenant_id) = coalesce(delivery.endpoint_id, delivery.tenant_id)
      and tenant_id = wanted.tenant_id and (expires_at is null or expires_at > clock_timestamp())) as secret on true
"""

# A delivered message, the end of its job, and the end of its endpoint's failures: one commit, where the job's own would
# be a second. Endpoints are locked in the order of their ids, so that two workers that record several at once do not
# deadlock.
_DELIVERED = f"""
with {ENDED},
sent as (
    select * from unnest($1::uuid[], $6::uuid[], $7::uuid[], $8::timestamptz[], $9::int[], $10::int[], $11::text[])
        as sent (job_id, tenant_id, delivery_id, started_at, duration_ms, status, response)),
delivered as (
    update webhook_deliveries as delivery set status = 'delivered', attempts = delivery.attempts + 1,
        last_attempt_at = sent.started_at, last_status = sent.status, last_error = null, next_attempt_at = null,
        completed_at = clock_timestamp()
    from sent join ended on ended.id = sent.job_id
    where delivery.id = sent.delivery_id and delivery.tenant_id = sent.tenant_id and delivery.job_id = sent.job_id
      and delivery.status = 'pending'
    returning delivery.id, delivery.tenant_id, delivery.project_id, delivery.endpoint_id, delivery.attempts,
        sent.started_at, sent.duration_ms, sent.status, sent.response),
logged as (
    insert into webhook_attempts (delivery_id, number, tenant_id, project_id, started_at, duration_ms, status, response)
    select id, attempts, tenant_id, project_id, started_at, duration_ms, status, response from delivered),
recovered as materialized (
    select endpoint.id from webhook_endpoints as endpoint
    where endpoint.id in (select endpoint_id from delivered) and endpoint.failures > 0
    order by endpoint.id for no key update),
closed as (
    update webhook_endpoints set failures = 0, failing_since = null, opens = 0, open_until = null
    where id in (select id from recovered))
select id from ended
"""


async def load(connection: Connection, jobs: Sequence[ClaimedJob]) -> dict[UUID, DueDelivery]:
    """What these jobs of one worker have to send, by job. One that has nothing to send is not in the result."""
    if not jobs:
        return {}
    rows = await connection.fetch(
        _LOAD,
        [job.tenant_id for job in jobs],
        [job.id for job in jobs],
        [job.attempt for job in jobs],
        [_delivery_of(job) for job in jobs],
        jobs[0].worker_id,
    )
    return {row["job_id"]: _due(row) for row in rows}


def _delivery_of(job: ClaimedJob) -> UUID:
    return DeliverWebhook.model_validate_json(job.args).delivery_id


def _due(row: Any) -> DueDelivery:
    event = Event(
        id=row["event_id"],
        type=row["event_type"],
        created_at=row["event_created_at"],
        tenant_id=row["tenant_id"],
        tenant=row["tenant"],
        project_id=row["project_id"],
        project=row["project"],
        subject_id=row["subject_id"],
        document_id=row["document_id"],
        batch_id=None,
        related=(),
        data=json.loads(row["data"]),
    )
    same = ("id", "endpoint_id", "url", "payload", "enabled", "failing", "pause_seconds", "expired", "tries")
    secrets = tuple(zip(row["kinds"] or (), row["sealed"] or (), strict=True))
    return DueDelivery(event=event, secrets=secrets, **{name: row[name] for name in same})


async def record_delivered(connection: Connection, sent: Sequence[tuple[ClaimedJob, Sent]]) -> set[UUID]:
    """Record that these messages were delivered by jobs of one worker, and complete the jobs. Returns their ids.

    A job that is missing lost its lease, and nothing was recorded for it. One statement per attempt number, as for all
    that ends jobs.
    """
    ended: set[UUID] = set()
    for attempt in {job.attempt for job, _ in sent}:
        ours = [(job, each) for job, each in sent if job.attempt == attempt]
        rows = await connection.fetch(
            _DELIVERED,
            [job.id for job, _ in ours],
            attempt,
            ours[0][0].worker_id,
            None,
            None,
            [job.tenant_id for job, _ in ours],
            [_delivery_of(job) for job, _ in ours],
            [each.started_at for _, each in ours],
            [round(each.seconds * 1000) for _, each in ours],
            [each.status for _, each in ours],
            [each.response for _, each in ours],
        )
        ended.update(row["id"] for row in rows)
    return ended


async def record_failed(session: Session, delivery: DueDelivery, job_id: UUID, sent: Sent) -> bool:
    """Log an attempt that failed. False if another job took the delivery over or it was deleted."""
    logged = await session.connection.fetchval(
        """
        with failed as (
            update webhook_deliveries set attempts = attempts + 1, tries = tries + 1, last_attempt_at = $4,
                last_status = $6, last_error = $7
            where tenant_id = $1 and id = $2 and job_id = $3 and status = 'pending'
            returning id, tenant_id, project_id, attempts)
        insert into webhook_attempts (delivery_id, number, tenant_id, project_id, started_at, duration_ms, status,
            error_code, response)
        select id, attempts, tenant_id, project_id, $4, $5, $6, $7, $8 from failed returning delivery_id
        """,
        session.scope.tenant_id,
        delivery.id,
        job_id,
        sent.started_at,
        round(sent.seconds * 1000),
        sent.status,
        sent.error_code,
        sent.response,
    )
    return logged is not None


async def give_up(session: Session, delivery: DueDelivery, error_code: str) -> None:
    """End a delivery without another attempt."""
    await session.connection.execute(
        """
        update webhook_deliveries set status = 'failed', last_error = $3, next_attempt_at = null,
            completed_at = clock_timestamp()
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        delivery.id,
        error_code,
    )


async def try_again(session: Session, delivery: DueDelivery, *, seconds: float) -> None:
    """Schedule the next attempt, which is another job: each attempt is recorded by the one job that made it."""
    job_id = new_id()
    await session.connection.execute(
        """
        update webhook_deliveries set job_id = $3, next_attempt_at = clock_timestamp() + make_interval(secs => $4)
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        delivery.id,
        job_id,
        seconds,
    )
    job = NewJob(
        DeliverWebhook(delivery_id=delivery.id), id=job_id, project_id=delivery.event.project_id, delay_seconds=seconds
    )
    await enqueue(session, [job])
