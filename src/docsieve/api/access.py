"""Who is asking, and what they may do."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Header, Request, Security
from fastapi.security import APIKeyHeader, HTTPBearer
from fastapi.security.http import HTTPAuthorizationCredentials

from docsieve.db.keys import Holder
from docsieve.db.session import Session as TenantSession
from docsieve.domain.scope import Scope
from docsieve.errors import Forbidden, Unauthorized
from docsieve.resources import Resources as AppResources
from docsieve.services import keys
from docsieve.services.tenants import DEFAULT

_bearer = HTTPBearer(auto_error=False, description="An API key")
_header = APIKeyHeader(name="X-API-Key", auto_error=False, description="An API key")


@dataclass(frozen=True, slots=True)
class Caller:
    holder: Holder

    @property
    def scope(self) -> Scope:
        return Scope(self.holder.tenant_id, self.holder.project_id)


def _resources(request: Request) -> AppResources:
    resources: AppResources = request.app.state.resources
    return resources


Resources = Annotated[AppResources, Depends(_resources)]


async def identify(
    resources: Resources,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
    header: Annotated[str | None, Security(_header)],
    tenant_id: Annotated[str | None, Header(description="must name the key's own tenant")] = None,
    x_organization_id: Annotated[str | None, Header(description="the same as Tenant-ID")] = None,
) -> Caller:
    presented = bearer.credentials if bearer is not None else header
    if not presented:
        raise Unauthorized("Send an API key as 'Authorization: Bearer …' or 'X-API-Key'.")
    async with resources.database.system() as connection:
        holder = await keys.verify(connection, presented)
    if holder is None:
        raise Unauthorized("The API key is wrong, expired or revoked.")
    for named in (tenant_id, x_organization_id):
        if named is not None and named not in (holder.tenant, str(holder.tenant_id)):
            raise Forbidden("The tenant named in the header is not the key's own.")
    return Caller(holder)


def needs(scope: str) -> Callable[[Caller], Awaitable[Caller]]:
    async def check(caller: Annotated[Caller, Depends(identify)]) -> Caller:
        if not keys.allows(caller.holder, scope):
            raise Forbidden(f"This needs a key with the scope '{scope}'.")
        return caller

    return check


Reader = Annotated[Caller, Depends(needs("read"))]
Writer = Annotated[Caller, Depends(needs("write"))]
Admin = Annotated[Caller, Depends(needs("admin"))]


async def _operator(caller: Admin) -> Caller:
    if caller.holder.tenant != DEFAULT or caller.holder.project_id is not None:
        raise Forbidden(f"Tenants are managed with an admin key of tenant '{DEFAULT}'.")
    return caller


Operator = Annotated[Caller, Depends(_operator)]


async def _open_session(
    resources: Resources, caller: Annotated[Caller, Depends(identify)]
) -> AsyncIterator[TenantSession]:
    async with resources.database.tenant(caller.scope) as session:
        yield session


# scope="function" ends the transaction before the response is sent; the default ends it after, and a client could then
# be told that a row exists which failed to commit.
Session = Annotated[TenantSession, Depends(_open_session, scope="function")]
