"""OpenID Connect tokens of programs that call the API on a schedule, such as Google Cloud Scheduler."""

import asyncio
import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import httpx
import structlog
from joserfc import jws, jwt
from joserfc.errors import ExpiredTokenError, InvalidClaimError, JoseError, MissingClaimError
from joserfc.jwk import ECKey, RSAKey

from docsieve.errors import Unavailable
from docsieve.errors.access import TokenInvalid
from docsieve.settings import OidcCaller

ALGORITHMS = ("RS256", "ES256")
KEEP_SECONDS = 3600.0
STALE_SECONDS = 86_400.0
"""Keys are used for so long if newer ones cannot be loaded."""

MIN_PAUSE_SECONDS = 30.0
"""Between two attempts to load the keys, however many tokens name unknown ones."""

_LEEWAY_SECONDS = 60
_MAX_JWKS_BYTES = 256 * 1024
_MIN_RSA_BITS = 2048
_LOAD_SECONDS = 10.0

_log = structlog.get_logger()

Key = RSAKey | ECKey


class OidcVerifier:
    """Verifies tokens of one caller; keeps the issuer's keys."""

    def __init__(self, caller: OidcCaller) -> None:
        self._caller = caller
        self._keys = _IssuerKeys(caller.jwks)
        self._claims = jwt.JWTClaimsRegistry(
            leeway=_LEEWAY_SECONDS,
            iss={"essential": True, "value": caller.issuer},
            aud={"essential": True, "value": caller.audience},
            exp={"essential": True},
        )

    async def verify(self, token: str) -> str:
        """The subject of the token. Raises TokenInvalid, or Unavailable while the issuer's keys cannot be loaded."""
        try:
            key = await self._keys.find(jws.extract_compact(token.encode()).headers().get("kid"))
            claims = jwt.decode(token, key, algorithms=ALGORITHMS).claims
            self._claims.validate(claims)
        except ExpiredTokenError:
            raise TokenInvalid("The token has expired.") from None
        except (InvalidClaimError, MissingClaimError) as error:
            raise TokenInvalid(f"The token has a wrong or missing {error.claim}.") from None
        except (JoseError, ValueError, TypeError, RecursionError):
            raise TokenInvalid from None
        self._check_caller(claims)
        return str(claims.get("sub"))

    def _check_caller(self, claims: Mapping[str, Any]) -> None:
        caller = self._caller
        if caller.subject is not None and claims.get("sub") != caller.subject:
            raise TokenInvalid("The token has a wrong or missing sub.")
        if caller.email is not None and (
            claims.get("email") != caller.email or claims.get("email_verified") is not True
        ):
            raise TokenInvalid("The token has a wrong, missing or unverified email.")


class _IssuerKeys:
    """Public keys by their id. They are loaded when first needed, every hour, and for a token with an unknown key."""

    def __init__(self, location: str) -> None:
        self._location = location
        self._keys: dict[object, Key] = {}
        self._loaded_at = self._tried_at = -math.inf
        self._loading = asyncio.Lock()

    async def find(self, key_id: object) -> Key:
        """Raises TokenInvalid for a key that the issuer does not have."""
        async with self._loading:
            now = time.monotonic()
            is_needed = key_id not in self._keys or now - self._loaded_at > KEEP_SECONDS
            if is_needed and now - self._tried_at >= MIN_PAUSE_SECONDS:
                self._tried_at = now
                await self._load()
        if time.monotonic() - self._loaded_at > STALE_SECONDS:
            raise Unavailable("The keys of the token's issuer could not be loaded.")
        if key_id not in self._keys:
            raise TokenInvalid("The token is signed with an unknown key.")
        return self._keys[key_id]

    async def _load(self) -> None:
        try:
            self._keys = _usable(json.loads(await _content(self._location)))
        except (OSError, ValueError, RecursionError, httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            _log.warning("oidc_keys_not_loaded", reason=type(error).__name__)
        else:
            self._loaded_at = time.monotonic()


async def _content(location: str) -> bytes:
    if location.startswith("file:"):
        return await asyncio.to_thread(Path(unquote(urlsplit(location).path)).read_bytes)
    content = bytearray()
    async with (
        asyncio.timeout(_LOAD_SECONDS),
        httpx.AsyncClient(trust_env=False, verify=httpx.create_ssl_context()) as client,
        client.stream("GET", location) as response,
    ):
        response.raise_for_status()
        async for piece in response.aiter_bytes():
            content += piece
            if len(content) > _MAX_JWKS_BYTES:
                raise ValueError("too many keys")
    return bytes(content)


def _usable(document: Any) -> dict[object, Key]:
    """The public keys of a set. A shared secret among them would let its readers sign, so those are left out."""
    listed = document["keys"] if isinstance(document, dict) and isinstance(document.get("keys"), list) else None
    if listed is None:
        raise ValueError("not a set of keys")
    return {each.get("kid"): key for each in listed if isinstance(each, dict) and (key := _public(each)) is not None}


def _public(jwk: dict[str, Any]) -> Key | None:
    try:
        if jwk.get("kty") == "RSA":
            key = RSAKey.import_key(jwk)
            return key if key.raw_value.key_size >= _MIN_RSA_BITS else None
        return ECKey.import_key(jwk) if jwk.get("kty") == "EC" else None
    except (JoseError, ValueError, TypeError):
        return None
