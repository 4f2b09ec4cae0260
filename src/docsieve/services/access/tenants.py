"""Creates tenants with their first project and key."""

from docsieve.db.access import keys as key_rows
from docsieve.db.access import projects, tenants
from docsieve.db.access.tenants import Tenant
from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Database
from docsieve.services.access import keys

DEFAULT = "default"  # the operator's tenant, and every tenant's first project


async def create(connection: Connection, name: str, *, weight: float = 1.0) -> Tenant:
    """Create a tenant with its project `default` in the caller's transaction."""
    tenant = await tenants.create(connection, name, weight=weight)
    await projects.create(connection, tenant.id, DEFAULT)
    return tenant


async def bootstrap(database: Database, api_key: str | None) -> str | None:
    """Create the tenant and project `default` and their admin key. Returns the key if it was created and must be shown.

    An operator's own key replaces the bootstrap key of an earlier start. A regular key that happens to be in the
    environment, where clients keep theirs too, is left unchanged. Safe to run in several processes at once.
    """
    async with database.system() as connection, connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(hashtext('docsieve bootstrap'))")
        tenant = await tenants.find(connection, DEFAULT) or await create(connection, DEFAULT)
        if api_key is None and await key_rows.any_for(connection, tenant.id, excluding=keys.DASHBOARD):
            return None
        if api_key is not None and not await keys.may_bootstrap(connection, tenant.id, api_key):
            return None
        key, presented = await keys.create(
            connection, tenant.id, name=keys.BOOTSTRAP, scopes=["admin"], presented=api_key
        )
        if api_key is not None:
            await key_rows.revoke_others_named(connection, tenant.id, keys.BOOTSTRAP, keep=key.id)
            return None
        return presented
