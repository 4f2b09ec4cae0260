"""The cookie that carries a session, and the proof that a request with it was made by our own page.

A browser sends a cookie along with whatever request any page makes it send. SameSite=Strict keeps other sites from
that, but a site is a host name with all its ports. So a request must come from the same origin by what the browser
itself says of it, and one that changes something must hold a token that only the same origin can read.
"""

import hmac
from urllib.parse import urlsplit

from fastapi import Request, Response

from docsieve.errors import CsrfFailed
from docsieve.services.access.sessions import csrf_token

PLAIN = "docsieve"
# A browser takes a cookie of this name only over TLS and from the host itself, not from a neighbour in its domain.
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
    """What a proxy in front of us or the browser says; who lies here weakens nobody's cookie but their own."""
    return (
        request.url.scheme == "https"
        or request.headers.get("x-forwarded-proto", "").split(",")[0].strip() == "https"
        or request.headers.get("origin", "").startswith("https://")
    )


def check_origin(request: Request, token: str) -> None:
    """Raises CsrfFailed for a request that another page made the browser send with this session's cookie."""
    check_site(request)
    if request.method in _SAFE_METHODS:
        return
    sent = request.headers.get(CSRF_HEADER, "")
    if not hmac.compare_digest(sent.encode(), csrf_token(token).encode()):
        raise CsrfFailed("The header X-CSRF-Token does not hold this session's token.")


def check_site(request: Request) -> None:
    """Raises CsrfFailed where the browser says that another site, or another port of this one, made the request."""
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        raise CsrfFailed
    # without TLS browsers leave the first out, but for this machine's own addresses
    if site is None and origin is not None and urlsplit(origin).netloc != request.headers.get("host"):
        raise CsrfFailed
