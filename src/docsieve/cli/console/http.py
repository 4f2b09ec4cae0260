"""HTTP client for the API at DOCSIEVE_URL, authenticated with DOCSIEVE_API_KEY."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, BinaryIO

import httpx

from docsieve.cli.console.configuration import server_url
from docsieve.errors.setup import MissingKey, NotSetUp, ServerProblem, Unreachable, UnusableKey
from docsieve.settings import Settings

_TIMEOUT = httpx.Timeout(60.0, connect=5.0)
_PASSING = frozenset({502, 503, 504})
_FIRST_PAUSE = 0.25
_EXAMPLE = "http://127.0.0.1:8400"

PATIENT_TRIES = 6  # about eight seconds, longer than an API process needs to restart
_QUICK_TRIES = 3


def _raise_problem(response: httpx.Response) -> None:
    if response.is_success or response.status_code == httpx.codes.NOT_MODIFIED:
        return
    if response.headers.get("content-type", "").startswith("application/problem+json"):
        problem = read_object(response)
        if "code" in problem and "detail" in problem:
            raise ServerProblem(str(problem["code"]), str(problem["detail"]))
    answered = f"{response.request.url} responded with {response.status_code} {response.reason_phrase}"
    raise ServerProblem(f"http_{response.status_code}", f"{answered}. Is DOCSIEVE_URL a Docsieve server?")


def read_object(response: httpx.Response) -> dict[str, Any]:
    try:
        content = response.json()
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise ServerProblem("not_docsieve", f"{response.request.url} is not a Docsieve server. Check DOCSIEVE_URL.")
    return content


class Server:
    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self._client = client
        self._url = url

    async def ask(self, build: Callable[[httpx.AsyncClient], httpx.Request], *, tries: int) -> httpx.Response:
        """Send an idempotent request, with retries during outages of a few seconds. `build` is called for each try.

        Raises ServerProblem, or Unreachable if the last try also gets no response.
        """
        pause = _FIRST_PAUSE
        for remaining in reversed(range(tries)):
            try:
                response = await self._client.send(build(self._client))
                if response.status_code not in _PASSING or not remaining:
                    _raise_problem(response)
                    return response
            except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.LocalProtocolError):
                raise
            except httpx.RequestError as error:
                if not remaining:
                    raise self._unreachable(error) from error
            await asyncio.sleep(pause * random.uniform(0.75, 1.25))
            pause *= 2
        raise AssertionError("unreachable: the last try returns or raises")

    def _unreachable(self, error: httpx.RequestError) -> Unreachable:
        why = " ".join(str(error).split()) or type(error).__name__
        return Unreachable(f"No response from {self._url} ({why}). Start `docsieve up`, or set DOCSIEVE_URL.")

    async def get(self, path: str, **parameters: Any) -> dict[str, Any]:
        given = {name: value for name, value in parameters.items() if value is not None}
        return read_object(
            await self.ask(lambda client: client.build_request("GET", path, params=given), tries=_QUICK_TRIES)
        )

    async def post(self, path: str, body: dict[str, Any] | None = None, *, key: str | None = None) -> dict[str, Any]:
        """For idempotent requests only. One that creates something is idempotent with a key."""
        headers = {"Idempotency-Key": key} if key is not None else None
        return read_object(
            await self.ask(
                lambda client: client.build_request("POST", path, json=body, headers=headers), tries=_QUICK_TRIES
            )
        )

    async def post_once(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """For requests that must not be repeated, because each creates something."""
        return read_object(await self.ask(lambda client: client.build_request("POST", path, json=body), tries=1))

    async def delete(self, path: str) -> None:
        await self.ask(lambda client: client.build_request("DELETE", path), tries=_QUICK_TRIES)

    async def patch(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return read_object(
            await self.ask(lambda client: client.build_request("PATCH", path, json=body), tries=_QUICK_TRIES)
        )

    async def download(self, path: str, target: BinaryIO, **parameters: Any) -> int:
        """Write the response's bytes as they arrive, and return their number."""
        size = 0
        try:
            async with self._client.stream("GET", path, params=parameters) as response:
                if not response.is_success:
                    await response.aread()
                    _raise_problem(response)
                async for piece in response.aiter_bytes():
                    target.write(piece)
                    size += len(piece)
        except httpx.RequestError as error:
            raise self._unreachable(error) from error
        return size


@asynccontextmanager
async def open_server(settings: Settings) -> AsyncIterator[Server]:
    """Raises MissingKey or UnusableKey. Does not connect until the first request."""
    if settings.api_key is None:
        raise MissingKey
    key = settings.api_key.get_secret_value()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UnusableKey
    url = server_url(settings)
    try:
        client = httpx.AsyncClient(
            base_url=f"{url}/api/v1",
            headers={"Authorization": f"Bearer {key}"},
            timeout=_TIMEOUT,
        )
        async with client:
            yield Server(client, url)
    except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
        raise NotSetUp(f"DOCSIEVE_URL must be an http or https URL such as {_EXAMPLE}.") from error
