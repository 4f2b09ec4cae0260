"""Deletes expired jobs, events, deliveries, idempotency keys, sessions, cached answers and old rows of the ledger."""

from docsieve.db.batches import rows as batches
from docsieve.db.documents import intake
from docsieve.db.events import outbox
from docsieve.db.extractions import rows as extractions
from docsieve.db.queue import jobs as queue_sql
from docsieve.db.webhooks import deliveries, secrets
from docsieve.domain.jobs import JobArgs
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.services.access import sessions
from docsieve.services.providers import spending

KEEP_IDEMPOTENCY_DAYS = 7.0
KEEP_EVENTS_DAYS = 7.0
KEEP_DELIVERIES_DAYS = 30.0


class Prune(JobArgs):
    job_type = "prune"
    queue = "maintenance"


class PruneHandler:
    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def __call__(self, args: Prune, attempt: Attempt) -> None:
        """In small statements, so that none holds its snapshot for long."""
        days = self._resources.settings.keep_jobs_days
        async with self._resources.database.system() as connection:
            while await queue_sql.prune(connection, older_than_days=days):
                pass
            while await outbox.prune(connection, older_than_days=KEEP_EVENTS_DAYS):
                pass
            while await deliveries.prune(connection, older_than_days=KEEP_DELIVERIES_DAYS):
                pass
            await secrets.prune(connection)
            await intake.expire_idempotency(connection, older_than_days=KEEP_IDEMPOTENCY_DAYS)
            await extractions.forget_keys(connection, older_than_days=KEEP_IDEMPOTENCY_DAYS)
            await batches.forget_keys(connection, older_than_days=KEEP_IDEMPOTENCY_DAYS)
            await sessions.forget_ended(connection, self._resources.settings)
        await spending.prune(self._resources.database)
