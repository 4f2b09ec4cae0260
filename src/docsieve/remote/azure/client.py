"""Azure Document Intelligence through the vendor's SDK: send the document, poll, and store the result."""

import asyncio
import importlib
import time
from collections.abc import Awaitable, Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.errors import EmptyDocument, PasswordRequired, TooLarge
from docsieve.errors.providers import ProviderError, ProviderRefused, ProviderTimeout
from docsieve.remote.azure.errors import BUSY, error_of_failure, error_of_refusal, seconds_to_wait
from docsieve.remote.azure.shapes import ANSWER_TYPE, parse_operation, parse_refusal

if TYPE_CHECKING:
    from azure.ai.documentintelligence.aio import DocumentIntelligenceClient
    from azure.core.rest import AsyncHttpResponse

PROVIDER = "azure-document-intelligence"
MODELS: Mapping[str, str] = {"azure-read": "prebuilt-read", "azure-layout": "prebuilt-layout"}
API_VERSION = "2024-11-30"
MEDIA_TYPES = frozenset(
    {"application/pdf", "image/bmp", "image/heic", "image/heif", "image/jpeg", "image/png", "image/tiff"}
)
MAX_DOCUMENT_BYTES = 500 * 1024**2
MAX_ANSWER_BYTES = 128 * 1024**2

_OUR_VERSION = "1"
_LONGEST_SECONDS = 1800.0
_USUAL_PAUSE = 2.0
_SHORT_ANSWER_BYTES = 64 * 1024
_MAX_FAILED_POLLS = 6
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})

Pause = Callable[[float], Awaitable[None]]


class AzureDocumentIntelligence:
    """`name` is one of MODELS, or any name together with `model`.

    The key goes to `endpoint` only, over TLS unless that is this machine.
    """

    media_types = MEDIA_TYPES
    answer_type = ANSWER_TYPE

    def __init__(
        self, name: str, endpoint: str, key: str, *, model: str | None = None, pause: Pause = asyncio.sleep
    ) -> None:
        parts = urlsplit(endpoint)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
            raise ProviderRefused("The endpoint of Azure Document Intelligence must begin with https://.")
        self.name = name
        self.version = f"{_OUR_VERSION}-{API_VERSION}"
        self._model = model or MODELS[name]
        self.provider = f"{PROVIDER}:{self._model}"
        self._endpoint = endpoint.rstrip("/")
        self._key = key
        self._pause = pause

    async def fetch(self, source: Path, answer: Path, *, password: str | None, on_progress: OnProgress) -> None:
        if password is not None:
            raise PasswordRequired("The provider does not support password-protected documents. Use the local parser.")
        _check_size(source)
        # The vendor's library takes seconds to load, and this process has leases to renew meanwhile.
        library = await asyncio.to_thread(_load)
        async with self._client(library) as client:
            conversation = _Conversation(client, library, self._model)
            on_progress(Progress("sending"))
            operation = await conversation.send(source)
            on_progress(Progress("reading"))
            await conversation.wait(operation, answer, self._pause)

    def _client(self, library: "_Library") -> "DocumentIntelligenceClient":
        client: DocumentIntelligenceClient = library.client(
            self._endpoint,
            library.credential(self._key),
            api_version=API_VERSION,
            retry_total=0,  # waiting is ours: the queue does it without holding a worker
            permit_redirects=False,
            logging_enable=False,
            user_agent="docsieve",
        )
        return client


def installed() -> bool:
    """Whether the vendor's library is there, without loading it."""
    try:
        return all(find_spec(name) for name in ("azure.ai.documentintelligence", "azure.core", "aiohttp"))
    except ModuleNotFoundError:
        return False


class _Library:
    """The parts of the vendor's library that we use, loaded."""

    def __init__(self) -> None:
        try:
            self.client: Any = importlib.import_module("azure.ai.documentintelligence.aio").DocumentIntelligenceClient
            self.credential: Any = importlib.import_module("azure.core.credentials").AzureKeyCredential
            self.request: Any = importlib.import_module("azure.core.rest").HttpRequest
            errors = importlib.import_module("azure.core.exceptions")
            importlib.import_module("aiohttp")
        except ModuleNotFoundError as error:
            raise ProviderRefused("Azure Document Intelligence needs docsieve[azure].") from error
        self.refusal: Any = (errors.HttpResponseError, ValueError)
        self.trouble: Any = errors.AzureError


def _load() -> _Library:
    return _Library()


class _Conversation:
    """With one model about one document."""

    def __init__(self, client: "DocumentIntelligenceClient", library: _Library, model: str) -> None:
        self._client = client
        self._library = library
        self._model = model

    async def send(self, source: Path) -> str:
        """Hand the document over; returns the id to ask by."""
        answers: list[Any] = []

        def keep(answer: Any) -> None:
            answers.append(answer.http_response)

        try:
            with source.open("rb") as file:
                poller = await self._client.begin_analyze_document(
                    self._model, file, polling=False, raw_response_hook=keep
                )
            operation: str = poller.details["operation_id"]
        except self._library.refusal as error:
            # The vendor's client stumbles over a refusal that is not JSON, such as one by a gateway on the way.
            if not answers:
                raise ProviderError(f"The provider did not respond ({type(error).__name__}).") from None
            answer = answers[-1]
            refusal = parse_refusal(answer.content)
            raise error_of_refusal(answer.status_code, answer.headers.get("Retry-After"), refusal) from None
        except self._library.trouble as error:
            raise ProviderError(f"The provider did not respond ({type(error).__name__}).") from None
        except (KeyError, AttributeError) as error:
            raise ProviderError(
                "The provider accepted the document but did not return the URL of its result."
            ) from error
        return operation

    async def wait(self, operation: str, answer: Path, pause: Pause) -> None:
        """Ask as often as the provider wants to be asked, until its answer to the document is written."""
        failed = 0
        end = time.monotonic() + _LONGEST_SECONDS
        while time.monotonic() < end:
            status, retry_after = await self._ask(operation, answer)
            if status == 200:
                failed = 0
                if _is_final(answer):
                    return
            elif status == 404:
                raise ProviderError("The provider no longer has the document.")
            else:
                # The provider continues reading. Giving up now would mean paying twice.
                failed += 1
                lasting = status not in BUSY and 400 <= status < 500
                if lasting or failed == _MAX_FAILED_POLLS:
                    refusal = parse_refusal(_beginning(answer) if status else b"")
                    raise error_of_refusal(status or 502, retry_after, refusal)
            await pause(seconds_to_wait(retry_after, _USUAL_PAUSE * 2**failed))
        raise ProviderTimeout(f"The provider took longer than {_LONGEST_SECONDS:g} s.")

    async def _ask(self, operation: str, answer: Path) -> tuple[int, str | None]:
        """Write the body of one response; return its status, 0 if there was none, and Retry-After."""
        path = f"/documentModels/{self._model}/analyzeResults/{quote(operation, safe='')}"
        request = self._library.request("GET", path, params={"api-version": API_VERSION})
        try:
            response = await self._client.send_request(request, stream=True)
            try:
                await _write(response, answer)
                return response.status_code, response.headers.get("Retry-After")
            finally:
                await response.close()
        except self._library.trouble:
            return 0, None


async def _write(response: "AsyncHttpResponse", answer: Path) -> None:
    written = 0
    with answer.open("wb") as file:
        async for chunk in response.iter_bytes():
            written += len(chunk)
            if written > MAX_ANSWER_BYTES:
                raise TooLarge(f"The provider's response is larger than {MAX_ANSWER_BYTES} bytes.")
            file.write(chunk)


def _is_final(answer: Path) -> bool:
    """Whether the provider is done. Raises why it could not read the document.

    Only short responses are parsed here: progress is short, and a long result is left to the sandbox.
    """
    if answer.stat().st_size > _SHORT_ANSWER_BYTES:
        return True
    found = parse_operation(_beginning(answer))
    if found.status in ("notStarted", "running"):
        return False
    if found.status != "succeeded":
        raise error_of_failure(found.error)
    return True


def _beginning(answer: Path) -> bytes:
    with answer.open("rb") as file:
        return file.read(_SHORT_ANSWER_BYTES)


def _check_size(source: Path) -> None:
    size = source.stat().st_size
    if size == 0:
        raise EmptyDocument
    if size > MAX_DOCUMENT_BYTES:
        raise TooLarge(f"The document has {size} bytes; the provider accepts at most {MAX_DOCUMENT_BYTES}.")
