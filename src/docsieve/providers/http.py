"""Bounded HTTP calls to providers that speak JSON, and the meaning of their failures.

A provider's error message may quote what it was sent, so only its status and short error code are passed on. URL and
key come from the settings alone: proxies and keys in the environment are ignored.
"""

import asyncio
import json
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
from pydantic import SecretStr

from docsieve.errors import Invalid
from docsieve.errors.providers import DEFAULT_WAIT_SECONDS, ProviderBusy, ProviderError, ProviderRefused

ATTEMPTS = 3
MAX_WAIT_SECONDS = 5.0
TIMEOUT = httpx.Timeout(120.0, connect=10.0)
TOTAL_SECONDS = 600.0

_TEMPORARY = frozenset({408, 409, 425})
_WAIT_FOR = frozenset({429, 503, 529})
_PERMANENT_CODES = frozenset({"insufficient_quota", "billing_not_active"})
_CODE = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,9})?s")
_FIRST_BACKOFF_SECONDS = 0.25
_MAX_RETRY_AFTER_SECONDS = 86_400.0


class Provider:
    """One server at a base URL such as `https://api.openai.com/v1`. Follows no redirects, so the key stays there."""

    def __init__(self, name: str, base_url: str, key: SecretStr | None, *, seconds: float = TOTAL_SECONDS) -> None:
        self._name = name
        self._base_url = base_url.rstrip("/")
        self._headers = {} if key is None else {"Authorization": f"Bearer {sendable(name, key)}"}
        self._seconds = seconds
        self._client: httpx.AsyncClient | None = None

    async def post(
        self, path: str, body: Mapping[str, Any], *, max_bytes: int, attempts: int = ATTEMPTS
    ) -> dict[str, Any]:
        """Send a JSON object and return the one in the response; retries temporary failures and short waits."""
        for attempt in range(1, attempts + 1):
            try:
                return await self._post_once(path, body, max_bytes)
            except ProviderRefused:
                raise
            except ProviderBusy as busy:
                wait = busy.seconds
                if attempt == attempts or wait > MAX_WAIT_SECONDS:
                    raise
            except ProviderError:
                wait = _FIRST_BACKOFF_SECONDS * 2 ** (attempt - 1)
                if attempt == attempts:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _post_once(self, path: str, body: Mapping[str, Any], max_bytes: int) -> dict[str, Any]:
        content = bytearray()
        try:
            async with (
                asyncio.timeout(self._seconds),
                self._opened().stream("POST", self._base_url + path, json=body) as response,
            ):
                async for piece in response.aiter_bytes():
                    content += piece
                    if len(content) > max_bytes:
                        raise ProviderError(f"{self._name} returned more than {max_bytes} bytes.")
        except TimeoutError:
            raise ProviderError(f"{self._name} did not respond within {self._seconds:g} seconds.") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # Without a cause: that would hold the request, and with it the key.
            raise ProviderError(f"{self._name} could not be reached: {type(error).__name__}.") from None
        answer = _object(content)
        if response.is_success and answer is not None:
            return answer
        raise failure(self._name, response.status_code, response.headers, content)

    def _opened(self) -> httpx.AsyncClient:
        if self._client is None:
            self._client = httpx.AsyncClient(
                headers=self._headers,
                timeout=TIMEOUT,
                follow_redirects=False,
                trust_env=False,
                verify=httpx.create_ssl_context(),  # honors SSL_CERT_FILE, for self-hosted servers with their own CA
            )
        return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def failure(name: str, status: int, headers: Mapping[str, str], content: bytes | bytearray) -> ProviderError:
    """Translate a failed response into an error."""
    answer = _object(content) or {}
    wait = _retry_after(headers)
    found = _failure(name, status, _code(answer), _retry_delay(answer) if wait is None else wait)
    found.answered = status
    return found


def _failure(name: str, status: int, code: str | None, wait: float | None) -> ProviderError:
    said = f"{name} answered {status}" + (f" ({code})." if code else ".")
    if code in _PERMANENT_CODES:
        return ProviderRefused(said)
    if status == 429 or (status in _WAIT_FOR and wait is not None):
        return ProviderBusy(said, DEFAULT_WAIT_SECONDS if wait is None else wait)
    if status < 300:
        return ProviderError(f"{name} returned an unexpected response.")
    temporary = status in _TEMPORARY or (status >= 500 and status != 501)
    return ProviderError(said) if temporary else ProviderRefused(said)


def sendable(name: str, key: SecretStr) -> str:
    """The key without a trailing newline. Checked here, because the HTTP library logs headers that it cannot send."""
    value = key.get_secret_value().strip()
    if not value.isascii() or not value.isprintable():
        raise Invalid(f"The API key of {name} contains invalid characters.")
    return value


def _object(content: bytes | bytearray) -> dict[str, Any] | None:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _code(answer: Mapping[str, Any]) -> str | None:
    error = answer.get("error", answer)
    said = [error.get(name) for name in ("code", "status", "type")] if isinstance(error, dict) else []
    return next((each for each in said if isinstance(each, str) and _CODE.fullmatch(each)), None)


def _retry_delay(answer: Mapping[str, Any]) -> float | None:
    """Google's wait, which is in the details of its error, as `"34.5s"`."""
    error = answer.get("error")
    details = error.get("details") if isinstance(error, dict) else None
    for each in details if isinstance(details, list) else ():
        delay = each.get("retryDelay") if isinstance(each, dict) else None
        if isinstance(delay, str) and _SECONDS.fullmatch(delay):
            return min(float(delay[:-1]), _MAX_RETRY_AFTER_SECONDS)
    return None


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds, from milliseconds, seconds or a date; None if it cannot be parsed."""
    try:
        if "retry-after-ms" in headers:
            wait = float(headers["retry-after-ms"]) / 1000
        elif (said := headers.get("retry-after", "")).replace(".", "", 1).isdecimal():
            wait = float(said)
        else:
            date = parsedate_to_datetime(said)
            wait = (date.replace(tzinfo=date.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
    except (ValueError, OverflowError):
        return None
    return min(max(wait, 0.0), _MAX_RETRY_AFTER_SECONDS) if math.isfinite(wait) else None
