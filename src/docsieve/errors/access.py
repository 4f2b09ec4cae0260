"""Errors of sign-in and tokens."""

from docsieve.errors import Forbidden, Unauthorized


class SessionExpired(Unauthorized):
    """The session has expired. Sign in again."""

    code = "session_expired"


class LinkExpired(Unauthorized):
    """The sign-in link has expired or was already used. Create a new one with `docsieve link`."""

    code = "link_expired"


class TokenInvalid(Unauthorized):
    """The OpenID Connect token is not valid."""

    code = "token_invalid"


class CsrfFailed(Forbidden):
    """The request did not come from the dashboard."""

    code = "csrf_failed"
