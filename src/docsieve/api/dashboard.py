"""Serves the built dashboard: its static files, and its HTML page at every path without another route.

All files are read into memory when the process starts, so request paths never reach the file system.
"""

import gzip
import hashlib
import mimetypes
import re
import secrets
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

_INDEX = "index.html"
_FOLDER_OF_HASHED_NAMES = "/assets/"
_OTHERS = re.compile(r"/(api|docs|metrics|livez|readyz|assets)(/|$)")
_PACKED = {".br": "br", ".gz": "gzip"}
_WORTH_PACKING = re.compile(r"text/|application/(javascript|json|manifest\+json)|image/svg\+xml")

_NONCE = "{nonce}"
_LOADS_SOMETHING = re.compile(r"<(script|style|link)\b(?![^>]*\snonce=)")
_ANY_NONCE = re.compile(r'\snonce="[^"]*"')

_POLICY = "; ".join(
    (
        "default-src 'none'",
        f"script-src 'nonce-{_NONCE}' 'strict-dynamic'",
        f"style-src 'self' 'nonce-{_NONCE}'",
        "img-src 'self' blob: data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
        "form-action 'self'",
        "require-trusted-types-for 'script'",
    )
)
_HEADERS = {
    "Cache-Control": "no-store",  # each response has its own nonce
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
_NOT_BUILT = """The dashboard is not built here.

`make up` builds it (Node 20 or newer is needed for that) and starts the service.
The API works without it; see /docs.
"""


@dataclass(frozen=True, slots=True)
class BuiltFile:
    media_type: str
    plain: bytes
    packed: dict[str, bytes]
    etag: str
    hashed_name: bool

    def answer(self, request: Headers) -> Response:
        encoding = next((each for each in self.packed if each in _accepted(request)), None)
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable" if self.hashed_name else "no-cache",
            "Cross-Origin-Resource-Policy": "same-origin",
            "ETag": self.etag,
            "Vary": "Accept-Encoding",
        }
        if request.get("if-none-match") == self.etag:
            return Response(status_code=304, headers=headers)
        if encoding is None:
            return Response(self.plain, headers=headers, media_type=self.media_type)
        headers["Content-Encoding"] = encoding
        return Response(self.packed[encoding], headers=headers, media_type=self.media_type)


def _accepted(request: Headers) -> set[str]:
    """The encodings that a client accepts. A weight of 0 means not accepted."""
    offers = (offer.replace(" ", "").partition(";q=") for offer in request.get("accept-encoding", "").split(","))
    return {name.lower() for name, _, weight in offers if weight.rstrip("0.") or not weight}


class Dashboard:
    """The application's default route. Paths that do not belong to the dashboard go to `otherwise`."""

    def __init__(self, folder: Traversable, otherwise: ASGIApp) -> None:
        contents = _read_all(folder) if folder.is_dir() else {}
        page = contents.pop(f"/{_INDEX}", None)
        self._page = _with_nonces(page.decode()) if page is not None else None
        self._files = _built(contents)
        self._otherwise = otherwise

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._answer(scope) if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        await (answer or self._otherwise)(scope, receive, send)

    def _answer(self, scope: Scope) -> Response | None:
        path = scope["path"]
        if (found := self._files.get(path)) is not None:
            return found.answer(Headers(scope=scope))
        if _OTHERS.match(path):
            return None
        if self._page is None:
            return PlainTextResponse(_NOT_BUILT, headers={"Cache-Control": "no-store"})
        nonce = secrets.token_urlsafe(16)
        policy = {"Content-Security-Policy": _POLICY.replace(_NONCE, nonce)}
        return HTMLResponse(self._page.replace(_NONCE, nonce), headers={**_HEADERS, **policy})


def installed_dashboard(otherwise: ASGIApp) -> Dashboard:
    return Dashboard(resources.files("docsieve") / "dashboard", otherwise)


def _read_all(folder: Traversable, at: str = "/") -> dict[str, bytes]:
    contents: dict[str, bytes] = {}
    for each in folder.iterdir():
        if each.is_dir():
            contents |= _read_all(each, f"{at}{each.name}/")
        else:
            contents[at + each.name] = each.read_bytes()
    return contents


def _built(contents: dict[str, bytes]) -> dict[str, BuiltFile]:
    files = {}
    for path, plain in contents.items():
        if any(path.endswith(suffix) and path.removesuffix(suffix) in contents for suffix in _PACKED):
            continue
        media_type = mimetypes.guess_type(path)[0] or "application/octet-stream"
        packed = {name: contents[path + end] for end, name in _PACKED.items() if path + end in contents}
        if "gzip" not in packed and _WORTH_PACKING.match(media_type):
            packed["gzip"] = gzip.compress(plain, mtime=0)
        etag = f'"{hashlib.sha256(plain).hexdigest()[:32]}"'
        files[path] = BuiltFile(media_type, plain, packed, etag, path.startswith(_FOLDER_OF_HASHED_NAMES))
    return files


def _with_nonces(page: str) -> str:
    """The page with a nonce placeholder in every element that loads or contains a script or style."""
    return _LOADS_SOMETHING.sub(rf'<\1 nonce="{_NONCE}"', _ANY_NONCE.sub(f' nonce="{_NONCE}"', page))
