"""Providers outside: how their failures become ours, and calls to those that speak HTTP and JSON, bounded.

    ProviderError(AttemptError) 503   provider_error    the way there failed, or the answer makes no sense
    ├── ProviderBusy                  provider_busy     asks us to wait `seconds`; worth a snooze, not an attempt
    └── ProviderRefused               provider_refused  asking again would not help: key, model, quota, request

A provider's own words may quote what it was sent, so only its status and short error code go on from here.
"""

import asyncio
import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
from pydantic import SecretStr

from docsieve.errors import AttemptError, Invalid

ATTEMPTS = 3
LONGEST_WAIT_SECONDS = 5.0
WAIT_UNLESS_TOLD_SECONDS = 15.0
TIMEOUT = httpx.Timeout(120.0, connect=10.0)

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_WAIT_FOR = frozenset({429, 503, 529})
_PERMANENT_CODES = frozenset({"insufficient_quota", "billing_not_active"})
_CODE = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_FIRST_BACKOFF_SECONDS = 0.25


class ProviderError(AttemptError):
    """The provider could not be reached or did not answer as agreed."""

    status = 503
    code = "provider_error"


class ProviderBusy(ProviderError):
    """The provider asks us to wait."""

    code = "provider_busy"

    def __init__(self, detail: str | None = None, seconds: float = WAIT_UNLESS_TOLD_SECONDS) -> None:
        super().__init__(detail)
        self.seconds = seconds


class ProviderRefused(ProviderError):
    """The provider refuses this request for good."""

    code = "provider_refused"
    permanent = True


class Provider:
    """One server at a base URL such as `https://api.openai.com/v1`; no redirect is followed, so the key stays there."""

    def __init__(self, name: str, base_url: str, key: SecretStr | None) -> None:
        self._name = name
        self._base_url = base_url.rstrip("/")
        self._headers = {} if key is None else {"Authorization": f"Bearer {_sendable(name, key)}"}
        self._client: httpx.AsyncClient | None = None

    async def post(self, path: str, body: Mapping[str, Any], *, most_bytes: int) -> dict[str, Any]:
        """Send a JSON object and return the one that is answered; short waits and passing failures are retried here."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._post_once(path, body, most_bytes)
            except ProviderRefused:
                raise
            except ProviderBusy as busy:
                wait = busy.seconds
                if attempt == ATTEMPTS or wait > LONGEST_WAIT_SECONDS:
                    raise
            except ProviderError:
                wait = _FIRST_BACKOFF_SECONDS * 2 ** (attempt - 1)
                if attempt == ATTEMPTS:
                    raise
            await asyncio.sleep(wait)
        raise AssertionError("the last attempt returns or raises")

    async def _post_once(self, path: str, body: Mapping[str, Any], most_bytes: int) -> dict[str, Any]:
        try:
            async with self._opened().stream("POST", self._base_url + path, json=body) as response:
                content = bytearray()
                async for piece in response.aiter_bytes():
                    content += piece
                    if len(content) > most_bytes:
                        raise ProviderError(f"{self._name} answered more than {most_bytes} bytes.")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # No cause is kept: it holds the request, and with it the key.
            raise ProviderError(f"{self._name} could not be reached: {type(error).__name__}.") from None
        answer = _object(content)
        if response.is_success and answer is not None:
            return answer
        raise self._failure(response, answer or {})

    def _opened(self) -> httpx.AsyncClient:
        if self._client is None:
            self._client = httpx.AsyncClient(headers=self._headers, timeout=TIMEOUT, follow_redirects=False)
        return self._client

    def _failure(self, response: httpx.Response, answer: Mapping[str, Any]) -> ProviderError:
        code = _code(answer)
        said = f"{self._name} answered {response.status_code}" + (f" ({code})." if code else ".")
        if code in _PERMANENT_CODES:
            return ProviderRefused(said)
        wait = _retry_after(response.headers)
        if response.status_code == 429 or (response.status_code in _WAIT_FOR and wait is not None):
            return ProviderBusy(said, WAIT_UNLESS_TOLD_SECONDS if wait is None else wait)
        if response.status_code in _PASSING or response.is_success:
            return ProviderError(said if not response.is_success else f"{self._name} did not answer with JSON.")
        return ProviderRefused(said)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None


def _sendable(name: str, key: SecretStr) -> str:
    """The key without the line end it has from a file. The HTTP library logs headers that it cannot send."""
    value = key.get_secret_value().strip()
    if not value.isascii() or not value.isprintable():
        raise Invalid(f"{name}'s key holds characters that no key has.")
    return value


def _object(content: bytearray) -> dict[str, Any] | None:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _code(answer: Mapping[str, Any]) -> str | None:
    error = answer.get("error")
    named = (error.get("code") or error.get("type")) if isinstance(error, dict) else None
    return named if isinstance(named, str) and _CODE.fullmatch(named) else None


def _retry_after(headers: httpx.Headers) -> float | None:
    """Seconds, from milliseconds, seconds or a date; what cannot be read counts as not said."""
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
    return min(max(wait, 0.0), 86_400.0)
