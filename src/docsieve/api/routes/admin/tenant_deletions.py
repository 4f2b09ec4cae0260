"""Deletions of tenants and their certificates, for the operator of the server."""

from uuid import UUID

from docsieve.api.access import Operator, Resources
from docsieve.api.cursors import Before, Limit, next_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.wire.tenants import TenantDeletionPage, TenantDeletionRead
from docsieve.db.retention import tenant_deletions
from docsieve.db.retention.tenant_deletions import TenantDeletion
from docsieve.errors import NotFound
from docsieve.errors.retention import LegalHold, OperatorTenant
from docsieve.services.retention import tenant_deletion

router = Router(tags=["admin"], responses=COMMON)


@router.delete(
    "/tenants/{name}",
    response_model=TenantDeletionRead,
    status_code=202,
    responses=problems(NotFound, LegalHold, OperatorTenant),
)
async def delete_tenant(name: Name, caller: Operator, resources: Resources) -> TenantDeletion:
    """Delete a tenant with everything it has. Its keys stop working at once; the rest is done in the background.

    Encrypted files cannot be decrypted from then on. The deletion ends with a certificate. Send the request again to
    continue a deletion whose job failed.
    """
    deletion = await tenant_deletion.request(resources.database, name, by=caller.scope)
    resources.keyring.forget(deletion.tenant_id)
    return deletion


@router.get("/tenant-deletions", response_model=TenantDeletionPage)
async def list_tenant_deletions(
    caller: Operator, resources: Resources, before: Before, limit: Limit = 50
) -> TenantDeletionPage:
    """List deletions of tenants, newest first."""
    async with resources.database.system() as connection:
        found = await tenant_deletions.list_page(connection, before=before, limit=limit)
    return TenantDeletionPage(
        deletions=[TenantDeletionRead.model_validate(each) for each in found], next_cursor=next_cursor(found, limit)
    )


@router.get("/tenant-deletions/{deletion_id}", response_model=TenantDeletionRead, responses=problems(NotFound))
async def get_tenant_deletion(deletion_id: UUID, caller: Operator, resources: Resources) -> TenantDeletion:
    """Get a deletion and, once everything is gone, its certificate."""
    async with resources.database.system() as connection:
        found = await tenant_deletions.find(connection, deletion_id)
    if found is None:
        raise NotFound("Deletion not found.")
    return found
