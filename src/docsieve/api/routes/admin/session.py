"""Sign in to the dashboard and out of it. A session cookie replaces the API key."""

import asyncio
import time
from typing import Any, Self

from fastapi import Request, Response
from pydantic import AwareDatetime

from docsieve.api import session_cookies
from docsieve.api.access import Resources, source_of
from docsieve.api.limits.limiter import Limiter
from docsieve.api.problems import problems
from docsieve.api.routing import Router
from docsieve.api.text import Text
from docsieve.api.wire.base import Body, Wire
from docsieve.api.wire.keys import ScopeName
from docsieve.db.access.sessions import SignedIn
from docsieve.errors import Invalid, Unauthorized, Unavailable
from docsieve.errors.access import CsrfFailed, LinkExpired, RateLimited, SessionExpired
from docsieve.services.access import keys, sessions
from docsieve.services.audit.refused_sign_ins import RefusedSignIns

router = Router(prefix="/session", tags=["session"], responses=problems(Invalid, Unavailable, CsrfFailed))

# Every failure takes as long, whether or not there is such a key, so that the time says nothing.
_FAILURE_SECONDS = 0.2
_NO_KEY_NEEDED: dict[str, Any] = {"security": []}
_BY_COOKIE: dict[str, Any] = {"security": [{"session": []}]}


class SignInByKey(Body):
    key: Text


class SignInByLink(Body):
    link: Text


class SessionRead(Wire):
    """The signed-in user. `project` is null unless the key is restricted to one."""

    tenant: str
    project: str | None
    scopes: list[ScopeName]
    key_id: str
    key_name: str
    csrf_token: str
    expires_at: AwareDatetime

    @classmethod
    def of(cls, signed_in: SignedIn, token: str) -> Self:
        holder = signed_in.holder
        return cls.model_validate(
            {
                "tenant": holder.tenant,
                "project": holder.project,
                "scopes": holder.scopes,
                "key_id": holder.key_id,
                "key_name": holder.name,
                "csrf_token": sessions.csrf_token(token),
                "expires_at": signed_in.expires_at,
            }
        )


@router.post(
    "",
    response_model=SessionRead,
    responses=problems(Unauthorized, LinkExpired, RateLimited),
    openapi_extra=_NO_KEY_NEEDED,
)
async def sign_in(
    body: SignInByKey | SignInByLink, request: Request, response: Response, resources: Resources
) -> SessionRead:
    """Start a session with an API key or a one-time link, and set its cookie."""
    session_cookies.check_site(request)
    source = source_of(request)
    limiter: Limiter = request.app.state.limiter
    key_id = keys.id_of(body.key) if isinstance(body, SignInByKey) else None
    limiter.check_sign_in(source.remote_address, key_id)
    answered_at = time.monotonic() + _FAILURE_SECONDS
    try:
        async with resources.database.system() as connection, connection.transaction():
            if isinstance(body, SignInByKey):
                token = await sessions.sign_in_by_key(connection, body.key, source)
            else:
                token = await sessions.sign_in_by_link(connection, body.link, source)
    except (Unauthorized, LinkExpired) as error:
        refused: RefusedSignIns = request.app.state.refused_sign_ins
        presented = body.key if isinstance(body, SignInByKey) else None
        limiter.charge_failed_sign_in(source.remote_address, key_id)
        await refused.record(resources.database, error, source, presented=presented)
        await asyncio.sleep(answered_at - time.monotonic())
        raise
    async with resources.database.system() as connection:
        signed_in = await sessions.find(connection, resources.settings, token)
        if (former := session_cookies.read(request)) is not None:
            async with connection.transaction():
                await sessions.sign_out(connection, former, source)
    session_cookies.write(request, response, token, seconds=sessions.SESSION_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return SessionRead.of(signed_in, token)


@router.get("", response_model=SessionRead, responses=problems(Unauthorized, SessionExpired), openapi_extra=_BY_COOKIE)
async def get_session(request: Request, response: Response, resources: Resources) -> SessionRead:
    """Get the current session, with the token to send as `X-CSRF-Token` with requests that change something."""
    token = session_cookies.read(request)
    if token is None:
        raise Unauthorized("Not signed in.")
    session_cookies.check_origin(request, token)
    async with resources.database.system() as connection:
        signed_in = await sessions.find(connection, resources.settings, token)
    response.headers["Cache-Control"] = "no-store"
    return SessionRead.of(signed_in, token)


@router.delete("", status_code=204, openapi_extra=_NO_KEY_NEEDED)
async def sign_out(request: Request, resources: Resources) -> Response:
    """End the session, if there is one, and clear its cookie."""
    token = session_cookies.read(request)
    if token is not None:
        session_cookies.check_origin(request, token)
        async with resources.database.system() as connection, connection.transaction():
            await sessions.sign_out(connection, token, source_of(request))
    answer = Response(status_code=204)
    session_cookies.clear(answer)
    return answer
