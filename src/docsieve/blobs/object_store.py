"""Blobs in an object store: S3 and compatible stores, Azure Blob Storage, Google Cloud Storage."""

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import AzureStore, GCSStore, S3Store, from_url

from docsieve.blobs.files import read_file, write_file
from docsieve.blobs.keys import check_key, check_prefix
from docsieve.blobs.port import CHUNK_BYTES, BlobInfo, BlobStore, SignedRequest, StoredBlob
from docsieve.errors import BlobMissing, BlobStoreError
from docsieve.errors.blobs import BlobDamaged, BlobExists, BlobStoreDenied

if TYPE_CHECKING:
    from obstore import AsyncWritableFile, Attributes, GetOptions

PART_BYTES = 8 * 1024 * 1024
PARTS_IN_FLIGHT = 2
ENVIRONMENT_PREFIXES = {"s3": "AWS", "az": "AZURE", "gs": "GOOGLE"}

# So that a browser saves what it gets through a signed URL, instead of running it on the domain of the store.
_TYPE, _DISPOSITION = "application/octet-stream", "attachment"
_ATTRIBUTES: "Attributes" = {"Content-Type": _TYPE, "Content-Disposition": _DISPOSITION}
_HARMLESS_TYPES = (None, _TYPE, "binary/octet-stream")
_DENIED = re.compile(r"status code: 40[13]\b")
_ERROR_CODE = re.compile(r"<Code>(\w{1,64})</Code>")


class ObjectBlobStore(BlobStore):
    """The URL gives bucket and folder, the environment everything else (AWS_*, AZURE_*, GOOGLE_*)."""

    def __init__(self, url: str) -> None:
        retries: Any = {"max_retries": 5, "retry_timeout": timedelta(seconds=60)}
        try:
            self._store = from_url(url, client_options=_client_options(url), retry_config=retries)
        except (BaseError, ValueError) as error:
            raise BlobStoreError(f"The blob store cannot be opened: {type(error).__name__}.") from error

    async def put(self, key: str, chunks: AsyncIterable[bytes]) -> StoredBlob:
        check_key(key)
        source = aiter(chunks)
        part = await _next_part(source)
        digest, size = hashlib.sha256(), len(part)
        # in a thread, because hashing a full part would block other requests
        await asyncio.to_thread(digest.update, part)
        if size < PART_BYTES:
            with _as_ours(key, missing=False):
                await obstore.put_async(self._store, key, part, use_multipart=False, attributes=_ATTRIBUTES)
            return StoredBlob(size, digest.hexdigest())
        async with self._writer(key) as writer:
            while part:
                with _as_ours(key, missing=False):
                    await writer.write(part)
                part = await _next_part(source)
                await asyncio.to_thread(digest.update, part)
                size += len(part)
        return StoredBlob(size, digest.hexdigest())

    async def create(self, key: str, content: bytes) -> None:
        check_key(key)
        with _as_ours(key, missing=False):
            await obstore.put_async(
                self._store, key, content, use_multipart=False, mode="create", attributes=_ATTRIBUTES
            )

    async def copy(self, source: str, target: str) -> None:
        check_key(target)
        with _as_ours(check_key(source)):
            given = (await obstore.get_async(self._store, source, options={"head": True})).attributes
            disposition = given.get("Content-Disposition")
            if given.get("Content-Type") in _HARMLESS_TYPES and disposition == _DISPOSITION:
                await obstore.copy_async(self._store, source, target)
                return
        await super().copy(source, target)

    async def sign_put(self, key: str, *, seconds: int) -> SignedRequest:
        url = await self._sign("PUT", key, seconds)
        headers = {"Content-Type": _TYPE, "Content-Disposition": _DISPOSITION}
        if isinstance(self._store, AzureStore):
            headers = {
                "Content-Type": _TYPE,
                "x-ms-blob-type": "BlockBlob",
                "x-ms-blob-content-disposition": _DISPOSITION,
            }
        return SignedRequest(url, headers)

    async def sign_get(self, key: str, *, seconds: int) -> SignedRequest:
        return SignedRequest(await self._sign("GET", key, seconds), {})

    async def _sign(self, method: Literal["GET", "PUT"], key: str, seconds: int) -> str:
        check_key(key)
        assert isinstance(self._store, AzureStore | GCSStore | S3Store)
        with _as_ours(key, missing=False):
            return await obstore.sign_async(self._store, method, key, timedelta(seconds=seconds))

    async def put_file(self, key: str, path: Path) -> StoredBlob:
        async with aclosing(read_file(path)) as chunks:
            return await self.put(key, chunks)

    async def get(self, key: str, *, start: int = 0, length: int | None = None) -> bytes:
        check_key(key)
        if length == 0:
            await self.size(key)
            return b""
        if start < 0 and isinstance(self._store, AzureStore):
            start = max(0, start + await self.size(key))  # Azure has no ranges that count from the end
        options = _range(start, length)
        try:
            with _as_ours(key):
                result = await obstore.get_async(self._store, key, options=options)
                first, end = result.range
                content = bytes(await result.bytes_async())
            if len(content) != end - first:
                raise BlobDamaged
            return content[:length]
        except BlobDamaged:
            raise
        except BlobStoreError:
            # There is no specific error type for a range outside the blob.
            if options is None or await self.size(key) > max(start, 0):
                raise
            return b""

    async def stream(self, key: str) -> AsyncGenerator[bytes, None]:
        check_key(key)
        with _as_ours(key):
            result = await obstore.get_async(self._store, key)
            missing = result.meta["size"]
            chunks = aiter(result.stream(min_chunk_size=CHUNK_BYTES))
        while True:
            with _as_ours(key):
                chunk = await anext(chunks, None)
            if chunk is None:
                break
            missing -= len(chunk)
            yield bytes(chunk)
        if missing:
            raise BlobDamaged

    async def download(self, key: str, path: Path) -> int:
        async with aclosing(self.stream(key)) as chunks:
            return await write_file(path, chunks)

    async def size(self, key: str) -> int:
        check_key(key)
        with _as_ours(key):
            return (await obstore.head_async(self._store, key))["size"]

    async def delete(self, key: str) -> None:
        check_key(key)
        with suppress(BlobMissing), _as_ours(key):
            await obstore.delete_async(self._store, key)

    def list(self, prefix: str = "") -> AsyncGenerator[BlobInfo, None]:
        return self._list(check_prefix(prefix))

    async def list_named(self, folder: str, start: str) -> AsyncGenerator[BlobInfo, None]:
        beginning = f"{check_prefix(folder)}/{check_key(start)}"
        # Stores list in the order of keys, so later ones need not be read. Azure may ignore where to begin.
        async for blob in self._list(folder, offset=beginning):
            if blob.key.startswith(beginning):
                yield blob
            elif blob.key > beginning:
                return

    async def _list(self, folder: str, *, offset: str | None = None) -> AsyncGenerator[BlobInfo, None]:
        batches = aiter(obstore.list(self._store, folder or None, offset=offset, chunk_size=1000))
        while True:
            with _as_ours("a listing", missing=False):
                batch = await anext(batches, None)
            if batch is None:
                return
            for meta in batch:
                yield BlobInfo(meta["path"], meta["size"], meta["last_modified"])

    async def close(self) -> None:
        """Nothing to close: the client has no explicit end."""

    @asynccontextmanager
    async def _writer(self, key: str) -> "AsyncIterator[AsyncWritableFile]":
        """A multipart upload that is completed or aborted on exit, so that no hidden parts stay in the bucket."""
        writer = obstore.open_writer_async(
            self._store, key, buffer_size=PART_BYTES, max_concurrency=PARTS_IN_FLIGHT, attributes=_ATTRIBUTES
        )
        try:
            yield writer
            with _as_ours(key, missing=False):
                await writer.close()
        except BaseException as error:
            with suppress(BaseError, OSError):
                await writer.__aexit__(type(error), error, error.__traceback__)
            raise


@contextmanager
def _as_ours(key: str, *, missing: bool = True) -> Iterator[None]:
    # The library's message may contain a signed URL, so only its type is reported.
    try:
        yield
    except (BaseError, OSError, ValueError) as error:
        if missing and isinstance(error, FileNotFoundError):
            raise BlobMissing(f"No blob is stored at {key}.") from error
        if isinstance(error, AlreadyExistsError):
            raise BlobExists(f"A blob is already stored at {key}.") from error
        # Listings fail with a general error.
        if isinstance(error, PermissionDeniedError | UnauthenticatedError) or _DENIED.search(str(error)):
            raise BlobStoreDenied(_denial(str(error))) from error
        raise BlobStoreError(f"The blob store failed on {key}: {type(error).__name__}.") from error


def _denial(message: str) -> str:
    """Names the store's error code, which says more than the status, and contains no secret."""
    found = _ERROR_CODE.search(message)
    code = f" ({found[1]})" if found else ""
    if found and found[1] == "RequestTimeTooSkewed":
        return f"The clock of this machine differs too much from that of the blob store{code}."
    return f"The blob store refused the credentials of this server{code}."


def _client_options(url: str) -> Any:
    """Timeouts for large blobs, merged with the operator's, because options given in code override the environment."""
    prefix = ENVIRONMENT_PREFIXES[url.partition("://")[0].lower()]
    names = (
        *("allow_http", "allow_invalid_certificates", "proxy_url", "proxy_excludes"),
        *("connect_timeout", "read_timeout", "timeout"),
    )
    operators = {name: os.environ.get(f"{prefix}_{name.upper()}") for name in names}
    # The default limit of 30 s per request would cut off the stream of a large blob. Only a stalled read times out.
    limits = {"connect_timeout": "5s", "read_timeout": "60s", "timeout": "1h"}
    return limits | {name: value for name, value in operators.items() if value}


def _range(start: int, length: int | None) -> "GetOptions | None":
    if start < 0:
        return {"range": {"suffix": -start}}
    if length is not None:
        return {"range": (start, start + length)}
    return {"range": {"offset": start}} if start else None


async def _next_part(source: AsyncIterator[bytes]) -> bytes:
    """Joins chunks to parts of PART_BYTES or slightly more; only the last is smaller."""
    held: list[bytes] = []
    held_bytes = 0
    while held_bytes < PART_BYTES and (chunk := await anext(source, None)) is not None:
        held.append(chunk)
        held_bytes += len(chunk)
    return b"".join(held)
