"""Files that are downloaded for a client, from object stores and web servers that the operator has listed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from uuid import UUID

from docsieve.blobs.keys import check_key
from docsieve.blobs.object_store import ObjectBlobStore
from docsieve.errors import BlobMissing, BlobStoreError, Invalid, TooLarge
from docsieve.errors.blobs import BlobStoreDenied
from docsieve.errors.outbound import ReceiverTimeout, ReceiverUnreachable
from docsieve.errors.setup import InvalidBlobKey
from docsieve.errors.uploads import SourceNotAllowed, SourceNotFound, SourceRefused, SourceUnavailable
from docsieve.outbound import check_url
from docsieve.outbound.http import OutboundClient, OutboundDownload
from docsieve.settings import Settings
from docsieve.sources import SourceUrl, is_allowed, parse_source

_TIMEOUT = 60.0
"""Seconds within which a web server has to respond, and to send more."""

_MAX_RESUMES = 20
"""A server that breaks off after every few bytes would be asked for ever."""

_GONE = (404, 410)
_RETRIED = (408, 425, 429)


def check_source(text: str, settings: Settings, tenant_id: UUID) -> SourceUrl:
    """Raises Invalid, SourceNotAllowed, and for a web server UrlInvalid and AddressNotAllowed."""
    try:
        source = parse_source(text)
        if source.in_store:
            check_key(source.path)
    except ValueError as error:
        raise Invalid(f"source: {error}.") from error
    except InvalidBlobKey as error:
        raise Invalid("source: the key of the object is not valid.") from error
    if not is_allowed(source, settings.sources_allow, tenant_id):
        raise SourceNotAllowed
    if not source.in_store:
        check_url(source.whole, settings)
    return source


async def read_source(source: SourceUrl, outbound: OutboundClient, *, max_bytes: int) -> AsyncGenerator[bytes, None]:
    """The bytes of the file. Nothing is missing if this ends without an error.

    Raises SourceNotFound, SourceRefused, SourceUnavailable, AddressNotAllowed, and TooLarge if the announced size is;
    the caller counts the bytes.
    """
    chunks = _from_store(source, max_bytes) if source.in_store else _from_web(source, outbound, max_bytes)
    async with aclosing(chunks):
        async for chunk in chunks:
            yield chunk


async def _from_store(source: SourceUrl, max_bytes: int) -> AsyncGenerator[bytes, None]:
    """With the credentials that the server has for its own blob store of this kind."""
    try:
        store = ObjectBlobStore(f"{source.scheme}://{source.place}")
        _check_announced(await store.size(source.path), max_bytes)
        async with aclosing(store.stream(source.path)) as chunks:
            async for chunk in chunks:
                yield chunk
    except BlobMissing as error:
        raise SourceNotFound from error
    except BlobStoreDenied as error:
        raise SourceRefused("The source refused the credentials of this server.") from error
    except BlobStoreError as error:
        raise SourceUnavailable from error


async def _from_web(source: SourceUrl, outbound: OutboundClient, max_bytes: int) -> AsyncGenerator[bytes, None]:
    """A download that breaks off goes on from there, if the server can tell that the file is still the same."""
    position, etag, resumes = 0, "", 0
    while True:
        begun, headers = position, {"Range": f"bytes={position}-", "If-Match": etag} if position else {}
        try:
            async with outbound.get(source.whole, timeout=_TIMEOUT, headers=headers) as response:
                if position:
                    _check_rest(response, position, etag)
                else:
                    _check_response(response, max_bytes)
                    etag = response.headers.get("etag", "")
                async for chunk in response.chunks:
                    position += len(chunk)
                    yield chunk
            return
        except (ReceiverUnreachable, ReceiverTimeout) as error:
            resumes += 1
            if position == begun or not etag.startswith('"') or resumes > _MAX_RESUMES:  # W/"…" is not for bytes
                raise SourceUnavailable(error.detail) from error


def _check_rest(response: OutboundDownload, position: int, etag: str) -> None:
    """Raises SourceUnavailable; the next attempt of the job starts at the first byte."""
    status, headers = response.status, response.headers
    if (
        status != 206
        or not headers.get("content-range", "").startswith(f"bytes {position}-")
        or headers.get("etag", etag) != etag
    ):
        raise SourceUnavailable(f"The download broke off, and the source did not continue it (status {status}).")


def _check_response(response: OutboundDownload, max_bytes: int) -> None:
    status, headers = response.status, response.headers
    if status in _GONE:
        raise SourceNotFound
    if status >= 500 or status in _RETRIED:
        raise SourceUnavailable(f"The source responded with status {status}.")
    if status != 200:
        hint = " Redirects are not followed." if 300 <= status < 400 else ""
        raise SourceRefused(f"The source responded with status {status}.{hint}")
    if headers.get("content-encoding", "identity") != "identity":
        raise SourceRefused("The source sends the file compressed, although that was not asked for.")
    if "content-length" not in headers and "transfer-encoding" not in headers:
        raise SourceRefused(
            "The source does not send the length of the file, so a truncated download could not be detected."
        )
    _check_announced(int(headers.get("content-length", 0)), max_bytes)


def _check_announced(size: int, max_bytes: int) -> None:
    if size > max_bytes:
        raise TooLarge(f"The document is larger than {max_bytes} bytes.")
