"""Creates tenants with their first project and key, and changes them."""

from collections.abc import Mapping
from typing import Any

from docsieve.db.access import keys as key_rows
from docsieve.db.access import projects, tenants
from docsieve.db.access.tenants import Tenant
from docsieve.db.audit.append import append
from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Database
from docsieve.domain.audit import SYSTEM, Action, NewEntry
from docsieve.domain.scope import Scope
from docsieve.errors import NotFound
from docsieve.services.access import keys

DEFAULT = "default"  # the operator's tenant, and every tenant's first project


async def create(connection: Connection, name: str, *, weight: float = 1.0, by: Scope | None = None) -> Tenant:
    """Create a tenant with its project `default` in the caller's transaction.

    Recorded in the audit log of the operator's tenant, which is that of `by`.
    """
    tenant = await tenants.create(connection, name, weight=weight)
    await projects.create(connection, tenant.id, DEFAULT)
    if by is not None:
        await _record(connection, by, Action.tenant_created, tenant, {"name": name, "weight": weight})
    return tenant


async def update(connection: Connection, name: str, changes: Mapping[str, Any], *, by: Scope) -> Tenant:
    """Change weight, budget, limits or quotas in the caller's transaction. Raises NotFound."""
    tenant = await tenants.update(connection, name, changes)
    if tenant is None:
        raise NotFound(f"Tenant {name} not found.")
    await _record(connection, by, Action.tenant_changed, tenant, {"name": name, **changes})
    return tenant


async def _record(
    connection: Connection, by: Scope, action: Action, tenant: Tenant, details: Mapping[str, object]
) -> None:
    entry = NewEntry(action, "tenant", str(tenant.id), None, details)
    await append(connection, by.tenant_id, by.actor, [entry])


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
        known = api_key is not None and await keys.is_known(connection, api_key)
        key, presented = await keys.create(
            connection, tenant.id, name=keys.BOOTSTRAP, scopes=["admin"], presented=api_key
        )
        if api_key is not None:
            await key_rows.revoke_others_named(connection, tenant.id, keys.BOOTSTRAP, keep=key.id)
        if not known:
            entry = NewEntry(Action.key_created, "key", key.id, None, keys.described(key))
            await append(connection, tenant.id, SYSTEM, [entry])
        return presented if api_key is None else None
