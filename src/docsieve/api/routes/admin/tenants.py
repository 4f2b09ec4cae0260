"""Tenants, managed by the operator of the server."""

from docsieve.api.access import Operator, Resources
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON, problems
from docsieve.api.routes.admin.keys import issue
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.wire.keys import KeyCreate, KeyCreated
from docsieve.api.wire.tenants import TenantCreate, TenantPage, TenantRead, TenantUpdate
from docsieve.db.access import tenants
from docsieve.db.access.tenants import Tenant
from docsieve.domain.scope import Scope
from docsieve.errors import NameTaken, NotFound
from docsieve.errors.retention import TenantDeleted
from docsieve.services.access import tenants as service

router = Router(prefix="/tenants", tags=["admin"], responses=COMMON)


def _known(tenant: Tenant | None, name: str) -> Tenant:
    if tenant is None:
        raise NotFound(f"Tenant {name} not found.")
    return tenant


@router.get("", response_model=TenantPage)
async def list_tenants(
    caller: Operator, resources: Resources, cursor: SortedCursor = None, limit: Limit = 50
) -> TenantPage:
    """List tenants, sorted by name."""
    async with resources.database.system() as connection:
        page, following = cut(await tenants.list_all(connection), lambda each: (each.name,), cursor, limit)
    return TenantPage(tenants=[TenantRead.model_validate(each) for each in page], next_cursor=following)


@router.post("", response_model=TenantRead, status_code=201, responses=problems(NameTaken))
async def create_tenant(body: TenantCreate, caller: Operator, resources: Resources) -> Tenant:
    """Create a tenant with a project named `default`."""
    async with resources.database.system() as connection, connection.transaction():
        return await service.create(connection, body.name, weight=body.weight, by=caller.scope)


@router.get("/{name}", response_model=TenantRead, responses=problems(NotFound))
async def get_tenant(name: Name, caller: Operator, resources: Resources) -> Tenant:
    """Get one tenant."""
    async with resources.database.system() as connection:
        return _known(await tenants.find(connection, name), name)


@router.patch("/{name}", response_model=TenantRead, responses=problems(NotFound))
async def update_tenant(name: Name, body: TenantUpdate, caller: Operator, resources: Resources) -> Tenant:
    """Change the tenant's share of the worker capacity, its monthly provider budget, its limits or its quotas."""
    async with resources.database.system() as connection, connection.transaction():
        return await service.update(connection, name, body.changes(), by=caller.scope)


@router.post("/{name}/keys", response_model=KeyCreated, status_code=201, responses=problems(NotFound, TenantDeleted))
async def create_tenant_key(name: Name, body: KeyCreate, caller: Operator, resources: Resources) -> KeyCreated:
    """Create a key for a tenant, which can then manage its own keys."""
    async with resources.database.system() as connection:
        tenant = _known(await tenants.find(connection, name), name)
    async with resources.database.tenant(Scope(tenant.id, actor=caller.actor)) as session:
        return await issue(session, body)
