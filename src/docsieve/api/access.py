"""Who is asking, and what they may do."""

import hashlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from docsieve.api import body_limit, session_cookies
from docsieve.db.access.keys import Holder
from docsieve.db.connection.session import Session as TenantSession
from docsieve.domain.scope import Scope
from docsieve.errors import Forbidden, Unauthorized
from docsieve.resources import Resources as AppResources
from docsieve.services.access import keys, sessions
from docsieve.services.access.tenants import DEFAULT


@dataclass(frozen=True, slots=True)
class Caller:
    holder: Holder

    @property
    def scope(self) -> Scope:
        return Scope(self.holder.tenant_id, self.holder.project_id)


class RecentHolders:
    """Keys that were verified within the last seconds, by their hash. One process's memory, bounded."""

    KEPT_SECONDS = 10.0
    MOST = 10_000

    def __init__(self) -> None:
        self._held: dict[bytes, tuple[float, Holder]] = {}

    def find(self, presented: str) -> Holder | None:
        since, holder = self._held.get(_digest(presented), (0.0, None))
        return holder if time.monotonic() - since < self.KEPT_SECONDS else None

    def remember(self, presented: str, holder: Holder) -> None:
        if len(self._held) >= self.MOST:
            self._held.clear()
        self._held[_digest(presented)] = (time.monotonic(), holder)


def _digest(presented: str) -> bytes:
    return hashlib.sha256(presented.encode()).digest()


# Dependencies are coroutines that take the request and little else: FastAPI sends a plain function to a thread, and
# every parameter of a dependency costs each request again. What they accept stands in `OPENAPI_SECURITY`.
async def _resources(request: Request) -> AppResources:
    resources: AppResources = request.app.state.resources
    return resources


Resources = Annotated[AppResources, Depends(_resources)]

OPENAPI_SECURITY = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "An API key"},
    "key": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "An API key"},
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": session_cookies.PLAIN,
        "description": "The dashboard's session; what changes something also needs its token as X-CSRF-Token",
    },
}
_OWN_TENANT = ("tenant-id", "x-organization-id")


async def identify(request: Request) -> Caller:
    """Who holds the key in this request, asked once; a tenant named in a header must be the key's own.

    Without a key, its cookie tells whose session it belongs to.
    """
    known: Caller | None = getattr(request.state, "caller", None)
    if known is not None:
        return known
    presented = _presented_key(request)
    holder = await (_verify(request, presented) if presented else _of_session(request))
    return _admit(request, holder)


async def _of_session(request: Request) -> Holder:
    token = session_cookies.read(request)
    if token is None:
        raise Unauthorized("Send an API key as 'Authorization: Bearer …' or 'X-API-Key'.")
    session_cookies.check_origin(request, token)
    resources: AppResources = request.app.state.resources
    async with resources.database.system() as connection:
        return (await sessions.find(connection, resources.settings, token)).holder


async def _verify(request: Request, presented: str) -> Holder:
    resources: AppResources = request.app.state.resources
    async with resources.database.system() as connection:
        holder = await keys.verify(connection, presented)
    if holder is None:
        raise Unauthorized("The API key is wrong, expired or revoked.")
    return holder


def _admit(request: Request, holder: Holder) -> Caller:
    for header in _OWN_TENANT:
        if request.headers.get(header, holder.tenant) not in (holder.tenant, str(holder.tenant_id)):
            raise Forbidden("The tenant named in the header is not the key's own.")
    body_limit.allow_known_sender(request)
    request.state.caller = caller = Caller(holder)
    return caller


def _presented_key(request: Request) -> str | None:
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else request.headers.get("x-api-key")


@dataclass(frozen=True, slots=True)
class KeyCheck:
    """A dependency that lets a request pass whose key has the scope; `Route` calls it before the body is read."""

    scope: str

    async def __call__(self, request: Request) -> Caller:
        return _allowed(await identify(request), self.scope)


def _allowed(caller: Caller, scope: str) -> Caller:
    if not keys.allows(caller.holder, scope):
        raise Forbidden(f"This needs a key with the scope '{scope}'.")
    return caller


async def writer_for_now(request: Request) -> Caller:
    """Who may write by a key verified within the last seconds: for a request whose transaction checks it again.

    It checks the key and not a session, which is therefore asked for here.
    """
    presented = _presented_key(request)
    if not presented:
        return await needs_write(request)
    lately: RecentHolders = request.app.state.recent_holders
    holder = lately.find(presented)
    if holder is None:
        holder = await _verify(request, presented)
        lately.remember(presented, holder)
    return _allowed(_admit(request, holder), "write")


needs_write = KeyCheck("write")


class _OperatorCheck(KeyCheck):
    """An admin of the server: tenants are managed with a key of the whole default tenant."""

    async def __call__(self, request: Request) -> Caller:
        caller = _allowed(await identify(request), self.scope)
        if caller.holder.tenant != DEFAULT or caller.holder.project_id is not None:
            raise Forbidden(f"Tenants are managed with an admin key of tenant '{DEFAULT}'.")
        return caller


Reader = Annotated[Caller, Depends(KeyCheck("read"))]
Writer = Annotated[Caller, Depends(needs_write)]
Admin = Annotated[Caller, Depends(KeyCheck("admin"))]
Operator = Annotated[Caller, Depends(_OperatorCheck("admin"))]


async def _open_session(request: Request) -> AsyncIterator[TenantSession]:
    caller = await identify(request)
    resources: AppResources = request.app.state.resources
    async with resources.database.tenant(caller.scope) as session:
        yield session


# scope="function" ends the transaction before the response is sent; the default ends it after, and a client could then
# be told that a row exists which failed to commit.
Session = Annotated[TenantSession, Depends(_open_session, scope="function")]
