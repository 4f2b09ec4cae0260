"""Deletes a tenant with everything it has."""

from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.services.retention import tenant_deletion
from docsieve.services.retention.tenant_deletion import DeleteTenant


class DeleteTenantHandler:
    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def __call__(self, args: DeleteTenant, attempt: Attempt) -> None:
        await tenant_deletion.run(self._resources, args.deletion_id)
