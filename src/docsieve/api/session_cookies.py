"""The session cookie and CSRF protection.

Browsers attach cookies to requests made by any page. SameSite=Strict excludes other sites, but a site includes all
ports of a host. So the browser's own headers must show that a request comes from the same origin, and a request that
changes something must contain a token that only the same origin can read.
"""

import hmac
from urllib.parse import urlsplit

from fastapi import Request, Response

from docsieve.errors.access import CsrfFailed
from docsieve.services.access.sessions import csrf_token

PLAIN = "docsieve"
# Browsers accept a cookie with this name only over TLS and from the host itself, not from other hosts of its domain.
OVER_TLS = "__Host-docsieve"
CSRF_HEADER = "x-csrf-token"

_SAFE_METHODS = ("GET", "HEAD")


def read(request: Request) -> str | None:
    return request.cookies.get(OVER_TLS) or (None if _by_tls(request) else request.cookies.get(PLAIN))


def write(request: Request, response: Response, token: str, *, seconds: int) -> None:
    secure = _by_tls(request)
    response.set_cookie(
        OVER_TLS if secure else PLAIN, token, max_age=seconds, path="/", secure=secure, httponly=True, samesite="strict"
    )


def clear(response: Response) -> None:
    for name in (OVER_TLS, PLAIN):
        response.delete_cookie(name, path="/", secure=name == OVER_TLS, httponly=True, samesite="strict")


def _by_tls(request: Request) -> bool:
    """As reported by the proxy or the browser. A client that lies about it weakens only its own cookie."""
    return (
        request.url.scheme == "https"
        or request.headers.get("x-forwarded-proto", "").split(",")[0].strip() == "https"
        or request.headers.get("origin", "").startswith("https://")
    )


def check_origin(request: Request, token: str) -> None:
    """Raises CsrfFailed if another page made the browser send this request with the session's cookie."""
    check_site(request)
    if request.method in _SAFE_METHODS:
        return
    sent = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(sent.encode(), csrf_token(token).encode()):
        raise CsrfFailed("The X-CSRF-Token header does not match this session.")


def check_site(request: Request) -> None:
    """Raises CsrfFailed if the browser reports that another site, or another port of this host, made the request."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        raise CsrfFailed
    # Without TLS, browsers send Sec-Fetch-Site only to loopback addresses.
    if site is None and origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise CsrfFailed
