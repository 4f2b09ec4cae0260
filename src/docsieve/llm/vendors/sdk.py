"""Adapts a vendor's SDK: connects on first use, never retries, and limits time and size."""

import asyncio
import logging
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import SecretStr

from docsieve.errors.providers import ProviderError
from docsieve.llm.modes import Mode, Modes
from docsieve.llm.port import Answer, ChatModel, Question, check_takes
from docsieve.llm.vendors.http_client import bounded_client
from docsieve.providers.http import TOTAL_SECONDS, failure, sendable

if TYPE_CHECKING:
    from httpx2 import AsyncClient

# SDKs trust their server. These errors mean that a response had an unexpected shape.
_STUMBLES = (ValueError, TypeError, AttributeError, LookupError, RecursionError)


class SdkModel(ChatModel):
    """`loggers` are limited to warnings, because an environment variable can make SDKs log whole requests."""

    loggers: ClassVar[tuple[str, ...]]
    modes: ClassVar[tuple[Mode, ...]] = ("schema", "json")
    takes_images = True
    file_types = frozenset[str]()

    def __init__(self, model: str, key: SecretStr, url: str, *, seconds: float = TOTAL_SECONDS) -> None:
        self.model = model
        self.name = f"{self.provider}:{model}"
        self._label = f"The language model {self.name}"
        self._key = SecretStr(sendable(self._label, key))
        self._url = url.rstrip("/")
        self._seconds = seconds
        self._modes = Modes(self.modes)
        self._connecting = asyncio.Lock()
        self._http: AsyncClient | None = None
        self._client: Any = None

    async def ask(self, question: Question) -> Answer:
        check_takes(self, question)
        client = await self._connected()
        answered = await self._modes.asked(question, lambda mode: self._sent(client, self._request(question, mode)))
        return self._read(answered, question)

    async def close(self) -> None:
        http, self._http, self._client = self._http, None, None
        if http is not None:
            await http.aclose()

    @abstractmethod
    def _connect(self, http: "AsyncClient") -> Any:
        """Create the SDK's client on top of ours. Runs in a thread, because importing an SDK takes seconds."""

    @abstractmethod
    def _request(self, question: Question, mode: Mode) -> dict[str, Any]:
        """The arguments of the SDK's call."""

    @abstractmethod
    async def _send(self, client: Any, request: dict[str, Any]) -> Any:
        """Call the SDK and translate its errors."""

    @abstractmethod
    def _read(self, answered: Any, question: Question) -> Answer:
        """Read the answer from the SDK's response, any part of which may be missing or malformed."""

    async def _connected(self) -> Any:
        async with self._connecting:
            if self._client is None:
                self._http, self._client = await asyncio.to_thread(self._opened)
        return self._client

    def _opened(self) -> tuple["AsyncClient", Any]:
        http = bounded_client(self._seconds)
        client = self._connect(http)
        for name in self.loggers:
            logging.getLogger(name).setLevel(logging.WARNING)
        return http, client

    async def _sent(self, client: Any, request: dict[str, Any]) -> Any:
        try:
            async with asyncio.timeout(self._seconds):
                return await self._send(client, request)
        except TimeoutError:
            raise ProviderError(f"{self._label} did not respond within {self._seconds:g} seconds.") from None
        except _STUMBLES as error:
            raise self._unreached(error) from None

    def _failure(self, response: Any) -> ProviderError:
        """The error for a failed response. It has no cause, because the request contains the key."""
        return failure(self._label, response.status_code, response.headers, response.content)

    def _unreached(self, error: Exception) -> ProviderError:
        return ProviderError(
            f"{self._label} could not be reached or returned an invalid response: {type(error).__name__}."
        )
