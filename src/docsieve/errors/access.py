"""Errors of callers: sign-in, tokens, and limits on how much a tenant or key may use."""

from docsieve.errors import DocsieveError, Forbidden, Unauthorized


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


class QuotaExceeded(DocsieveError):
    """The tenant's monthly quota is used up."""

    status = 402
    code = "quota_exceeded"


class RateLimited(DocsieveError):
    """Too many requests. Try again after the time in `Retry-After`.

    `quantity` is allowed per window of so many seconds, or at once if that is 0.
    """

    status = 429
    code = "rate_limited"
    permanent = False

    def __init__(self, name: str, quantity: float, window: float, *, retry_after: int) -> None:
        per = f" per {window:g} s" if window else " at once"
        super().__init__(f"The limit {name} of {quantity:,.0f}{per} is reached. Try again in {retry_after} s.")
        self.name, self.quantity, self.window, self.retry_after = name, quantity, window, retry_after


class TooManyStreams(DocsieveError):
    """The tenant has too many open event streams."""

    status = 429
    code = "too_many_streams"
    permanent = False
    retry_after = 10
