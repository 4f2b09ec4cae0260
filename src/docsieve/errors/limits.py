"""Errors of limits on how much a tenant or key may use."""

from docsieve.errors import DocsieveError


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
