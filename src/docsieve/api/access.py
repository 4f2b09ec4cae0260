"""Authentication and authorization of requests."""

import hashlib
import hmac
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from fastapi.dependencies.models import Dependant

from docsieve.api import session_cookies
from docsieve.api.http import body_limit
from docsieve.api.limits.limiter import Limiter
from docsieve.db.access.keys import Holder
from docsieve.db.connection.session import Session as TenantSession
from docsieve.domain.audit import Actor, ActorKind, Source
from docsieve.domain.scope import Scope
from docsieve.errors import Forbidden, Unauthorized
from docsieve.resources import Resources as AppResources
from docsieve.services.access import keys, sessions
from docsieve.services.access.credentials import Credential
from docsieve.services.access.oidc import OidcVerifier
from docsieve.services.access.tenants import DEFAULT


@dataclass(frozen=True, slots=True)
class Caller:
    """`session` is the hash of the session's token, if there is no key in a header.

    `key_to_check` is the id of a key that was verified some seconds ago: the request's transaction must check it.
    """

    holder: Holder
    actor: Actor
    session: bytes | None = None
    key_to_check: str | None = None

    @property
    def scope(self) -> Scope:
        return Scope(self.holder.tenant_id, self.holder.project_id, self.actor)

    @property
    def is_operator(self) -> bool:
        """Whether the key is an admin key of the default tenant that is not restricted to a project."""
        holder = self.holder
        return keys.allows(holder, "admin") and holder.tenant == DEFAULT and holder.project_id is None

    @property
    def credential(self) -> Credential:
        return Credential(self.holder.key_id, self.session)


class RecentHolders:
    """Cache of recently verified keys, by hash. It is limited in size and local to the process."""

    TTL_SECONDS = 10.0
    MAX_ENTRIES = 10_000

    def __init__(self) -> None:
        self._cached: dict[bytes, tuple[float, Holder]] = {}

    def find(self, presented: str) -> Holder | None:
        since, holder = self._cached.get(_digest(presented), (0.0, None))
        return holder if time.monotonic() - since < self.TTL_SECONDS else None

    def remember(self, presented: str, holder: Holder) -> None:
        if len(self._cached) >= self.MAX_ENTRIES:
            self._cached.clear()
        self._cached[_digest(presented)] = (time.monotonic(), holder)


def _digest(presented: str) -> bytes:
    return hashlib.sha256(presented.encode()).digest()


# Dependencies are coroutines that take only the request, because FastAPI runs plain functions in a thread and resolves
# every parameter for each request. `OPENAPI_SECURITY` documents the accepted credentials.
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
        "description": "A dashboard session. Requests that change something also need its X-CSRF-Token header.",
    },
}
_LONGEST_FORWARDED = 200
_OWN_TENANT = ("tenant-id", "x-organization-id")


async def identify(request: Request) -> Caller:
    """Identify the caller by API key or, without one, by session cookie. The result is cached on the request.

    A tenant named in a header must be the key's tenant.
    """
    known: Caller | None = getattr(request.state, "caller", None)
    if known is not None:
        return known
    presented = _presented_key(request)
    if presented:
        holder = await _verify(request, presented)
        return _admit(request, Caller(holder, _actor(request, "key", holder)))
    return _admit(request, await _of_session(request))


async def identify_for_now(request: Request) -> Caller:
    """Like `identify`, but trusts a recently verified key. The request's transaction must check `key_to_check`."""
    presented = _presented_key(request)
    recent: RecentHolders = request.app.state.recent_holders
    holder = recent.find(presented) if presented else None
    if holder is None:
        return await identify(request)
    return _admit(request, Caller(holder, _actor(request, "key", holder), key_to_check=holder.key_id))


async def _of_session(request: Request) -> Caller:
    token = session_cookies.read(request)
    if token is None:
        raise Unauthorized("Send an API key as 'Authorization: Bearer …' or 'X-API-Key'.")
    session_cookies.check_origin(request, token)
    resources: AppResources = request.app.state.resources
    async with resources.database.system() as connection:
        signed_in = await sessions.find(connection, resources.settings, token)
    return Caller(signed_in.holder, _actor(request, "session", signed_in.holder), sessions.hash_of(token))


async def _verify(request: Request, presented: str) -> Holder:
    resources: AppResources = request.app.state.resources
    async with resources.database.system() as connection:
        holder = await keys.verify(connection, presented)
    if holder is None:
        raise Unauthorized("The API key is invalid, expired or revoked.")
    recent: RecentHolders = request.app.state.recent_holders
    recent.remember(presented, holder)
    return holder


def _admit(request: Request, caller: Caller) -> Caller:
    holder = caller.holder
    for header in _OWN_TENANT:
        if request.headers.get(header, holder.tenant) not in (holder.tenant, str(holder.tenant_id)):
            raise Forbidden("The API key belongs to a different tenant than the one named in the header.")
    limiter: Limiter = request.app.state.limiter
    limiter.charge_request(holder)
    body_limit.allow_known_sender(request)
    request.state.caller = caller
    return caller


def _actor(request: Request, kind: ActorKind, holder: Holder) -> Actor:
    return source_of(request).actor(kind, holder.key_id, holder.name)


def source_of(request: Request) -> Source:
    """For the audit log. Behind a proxy, the address is the proxy's."""
    address = request.client.host if request.client is not None else None
    forwarded = "".join(filter(str.isprintable, request.headers.get("x-forwarded-for", "")))[:_LONGEST_FORWARDED]
    return Source(address, forwarded or None)


def _presented_key(request: Request) -> str | None:
    scheme, _, credentials = request.headers.get("authorization", "").partition(" ")
    return credentials.strip() if scheme.lower() == "bearer" else request.headers.get("x-api-key")


class Check:
    """A dependency that `Route` also calls before the body is read."""

    async def __call__(self, request: Request) -> Caller | Actor:
        raise NotImplementedError


@dataclass(frozen=True)
class KeyCheck(Check):
    """Requires a key with the scope."""

    scope: str

    async def __call__(self, request: Request) -> Caller:
        return _allowed(await identify(request), self.scope)

    async def for_now(self, request: Request) -> Caller:
        """For a request without a body whose transaction checks the key."""
        return _allowed(await identify_for_now(request), self.scope)


def _allowed(caller: Caller, scope: str) -> Caller:
    if not keys.allows(caller.holder, scope):
        raise Forbidden(f"This requires an API key with the scope '{scope}'.")
    return caller


needs_read = KeyCheck("read")
needs_write = KeyCheck("write")


class _OperatorCheck(KeyCheck):
    """Requires an operator."""

    async def for_now(self, request: Request) -> Caller:
        return await self(request)

    async def __call__(self, request: Request) -> Caller:
        caller = _allowed(await identify(request), self.scope)
        if not caller.is_operator:
            raise Forbidden(f"This requires an admin key of tenant '{DEFAULT}' that is not restricted to a project.")
        return caller


class _SchedulerCheck(Check):
    """Requires an operator, or a scheduler: the shared token or an OpenID Connect token in place of an API key."""

    async def __call__(self, request: Request) -> Actor:
        presented = _presented_key(request)
        scheduler = await _scheduler(request, presented) if presented else None
        if scheduler is None:
            return (await needs_operator(request)).actor
        body_limit.allow_known_sender(request)
        return scheduler


async def _scheduler(request: Request, presented: str) -> Actor | None:
    """Raises TokenInvalid, or Unavailable while the keys of the token's issuer cannot be loaded."""
    resources: AppResources = request.app.state.resources
    expected = resources.settings.maintenance_token
    if expected is not None and hmac.compare_digest(_digest(presented), _digest(expected.get_secret_value())):
        return source_of(request).actor("scheduler", None, "shared token")
    verifier: OidcVerifier | None = request.app.state.oidc_verifier
    if verifier is None or presented.count(".") != 2:  # API keys have no dots
        return None
    return source_of(request).actor("scheduler", await verifier.verify(presented), "OpenID Connect token")


needs_operator = _OperatorCheck("admin")


Reader = Annotated[Caller, Depends(needs_read)]
Writer = Annotated[Caller, Depends(needs_write)]
Admin = Annotated[Caller, Depends(KeyCheck("admin"))]
Operator = Annotated[Caller, Depends(needs_operator)]
OperatorOrScheduler = Annotated[Actor, Depends(_SchedulerCheck())]


async def _open_session(request: Request) -> AsyncIterator[TenantSession]:
    caller = await identify(request)
    resources: AppResources = request.app.state.resources
    async with resources.database.tenant(caller.scope, api_key=caller.key_to_check) as session:
        yield session


def opens_session(dependant: Dependant) -> bool:
    """Whether a route has a session, whose transaction checks the key if it was only checked some seconds ago."""
    return any(each.call is _open_session for each in dependant.dependencies)


# scope="function" ends the transaction before the response is sent. The default ends it afterwards, so a client could
# get a success response for a row that then fails to commit.
Session = Annotated[TenantSession, Depends(_open_session, scope="function")]
