"""Prunes rows that nothing needs any more: jobs, idempotency keys, sessions, records of providers, deliveries."""

from typing import Protocol

from docsieve.db.access import sessions as session_rows
from docsieve.db.batches import rows as batches
from docsieve.db.connection.driver import Connection
from docsieve.db.documents import intake
from docsieve.db.events import outbox
from docsieve.db.extractions import rows as extractions
from docsieve.db.providers import response_cache, spending
from docsieve.db.queue import jobs as queue_sql
from docsieve.db.webhooks import deliveries as delivery_rows
from docsieve.db.webhooks import secrets
from docsieve.jobs.maintenance.run import Slice, TaskRun

KEEP_KEYS_DAYS = 7.0
KEEP_RESPONSES_DAYS = 30.0
KEEP_LEDGER_DAYS = 400.0
KEEP_EVENTS_DAYS = 7.0
KEEP_DELIVERIES_DAYS = 30.0
MAX_CACHED_BYTES = 2 * 1024**3
"""Per tenant."""


class _PruneByAge(Protocol):
    async def __call__(
        self, connection: Connection, /, *, older_than_days: float, limit: int, dry_run: bool
    ) -> int: ...


def _older_than(days: float, prune: _PruneByAge, run: TaskRun) -> Slice:
    async def handle(connection: Connection, limit: int) -> int:
        return await prune(connection, older_than_days=days, limit=limit, dry_run=run.dry_run)

    return handle


async def finished_jobs(run: TaskRun) -> None:
    await run.prune("jobs", _older_than(run.resources.settings.keep_jobs_days, queue_sql.prune, run))


async def idempotency_keys(run: TaskRun) -> None:
    for prune in (intake.prune_keys, extractions.forget_keys, batches.forget_keys):
        await run.prune("keys", _older_than(KEEP_KEYS_DAYS, prune, run))


async def sessions(run: TaskRun) -> None:
    idle_seconds = run.resources.settings.session_idle_hours * 3600
    await run.prune(
        "sessions",
        lambda connection, limit: session_rows.prune(
            connection, idle_seconds=idle_seconds, limit=limit, dry_run=run.dry_run
        ),
    )
    await run.prune(
        "links", lambda connection, limit: session_rows.prune_links(connection, limit=limit, dry_run=run.dry_run)
    )


async def provider_records(run: TaskRun) -> None:
    await run.prune(
        "cached_responses",
        lambda connection, limit: response_cache.prune(
            connection,
            older_than_days=KEEP_RESPONSES_DAYS,
            max_bytes=MAX_CACHED_BYTES,
            limit=limit,
            dry_run=run.dry_run,
        ),
    )
    await run.prune("spending", _older_than(KEEP_LEDGER_DAYS, spending.prune, run))
    await run.prune(
        "reservations",
        lambda connection, limit: spending.prune_reservations(connection, limit=limit, dry_run=run.dry_run),
    )


async def deliveries(run: TaskRun) -> None:
    await run.prune("events", _older_than(KEEP_EVENTS_DAYS, outbox.prune, run))
    await run.prune("deliveries", _older_than(KEEP_DELIVERIES_DAYS, delivery_rows.prune, run))
    await run.prune("secrets", lambda connection, limit: secrets.prune(connection, limit=limit, dry_run=run.dry_run))
