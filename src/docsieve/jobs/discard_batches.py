"""Deletes ended batches that were created with `persist_data` set to false, with their documents."""

from docsieve.db.batches import rows
from docsieve.domain.jobs import JobArgs
from docsieve.domain.scope import Scope
from docsieve.errors import NotFound
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.services import documents
from docsieve.services.batches import control

KEEP_DAYS = 1.0
_AT_ONCE = 100


class DiscardBatches(JobArgs):
    job_type = "discard_batches"
    queue = "maintenance"


class DiscardBatchesHandler:
    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def __call__(self, args: DiscardBatches, attempt: Attempt) -> None:
        """One transaction per batch, so that none is held for long."""
        database = self._resources.database
        async with database.system() as connection:
            ended = await rows.to_discard(connection, older_than_days=KEEP_DAYS, limit=_AT_ONCE)
        for tenant_id, batch_id in ended:
            try:
                async with database.tenant(Scope(tenant_id)) as session:
                    deleted = await control.delete(session, batch_id, with_documents=True)
            except NotFound:
                continue  # deleted meanwhile
            await documents.delete_blobs(self._resources, tenant_id, deleted)
