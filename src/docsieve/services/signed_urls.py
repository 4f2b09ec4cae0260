"""Signed URLs of the API itself, for a blob store that clients cannot reach."""

import hmac
import time
from urllib.parse import urlencode
from uuid import UUID

from docsieve.errors.uploads import SignatureInvalid
from docsieve.sealer import Sealer


def signed_path(
    sealer: Sealer, method: str, path: str, *, tenant_id: UUID, seconds: int, size: int | None = None
) -> str:
    """The path with what the request is allowed to do, and until when."""
    claims = {"tenant": str(tenant_id), "expires": str(int(time.time()) + seconds)}
    if size is not None:
        claims["size"] = str(size)
    return f"{path}?{urlencode({**claims, 'signature': sealer.sign(_message(method, path, claims))})}"


def check_signature(
    sealer: Sealer, method: str, path: str, *, tenant: UUID, expires: int, signature: str, size: int | None = None
) -> None:
    """Raises SignatureInvalid."""
    claims = {"tenant": str(tenant), "expires": str(expires)}
    if size is not None:
        claims["size"] = str(size)
    expected = sealer.sign(_message(method, path, claims))
    if not hmac.compare_digest(expected.encode(), signature.encode()) or expires < time.time():
        raise SignatureInvalid


def _message(method: str, path: str, claims: dict[str, str]) -> str:
    return "\n".join([method, path, *(f"{name}={claims[name]}" for name in sorted(claims))])
