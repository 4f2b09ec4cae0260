"""Direct uploads: a client stores a file in parts with signed requests, and then it becomes a document.

The parts have separate keys. On completion the file is copied to the key of the document and verified there,
so that a signed request that is still valid cannot change it afterwards.
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from pydantic import TypeAdapter

from docsieve import faults
from docsieve.blobs.port import BlobStore, SignedRequest
from docsieve.db.documents import rows as documents
from docsieve.db.documents import uploads
from docsieve.db.documents.rows import Document
from docsieve.db.documents.uploads import Upload
from docsieve.disk import require_room_for_work
from docsieve.domain.documents import original_key, part_key
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope
from docsieve.errors import (
    BlobMissing,
    DocsieveError,
    EmptyDocument,
    Invalid,
    NotFound,
    TooLarge,
)
from docsieve.errors.uploads import ChecksumMismatch, UploadCompleted, UploadIncomplete
from docsieve.resources import Resources
from docsieve.services import intake
from docsieve.services.documents import not_found
from docsieve.services.intake import CheckedStream, UploadedFile, UploadOptions
from docsieve.services.signed_urls import signed_path

EXPIRES_SECONDS = 6 * 3600
MAX_PART_BYTES = 5_000 * 1024**2
"""What every kind of store takes in one request."""
MIN_PART_BYTES = 1024**2
MAX_PARTS = 1_000

_options: TypeAdapter[UploadOptions] = TypeAdapter(UploadOptions)


@dataclass(frozen=True, slots=True)
class NewUpload:
    filename: str
    size: int
    sha256: str | None = None
    part_bytes: int = MAX_PART_BYTES


@dataclass(frozen=True, slots=True)
class SignedPart:
    number: int
    size: int
    request: SignedRequest


async def begin(
    resources: Resources, scope: Scope, new: NewUpload, options: UploadOptions, *, part_path: Callable[[UUID, int], str]
) -> tuple[Upload, list[SignedPart]]:
    """Record an upload and sign a request for each part.

    `part_path` is the route of a part, for a store that clients cannot reach. Raises what is wrong with the options.
    """
    max_bytes = resources.settings.max_upload_bytes
    if not new.size:
        raise EmptyDocument
    if new.size > max_bytes:
        raise TooLarge(f"The document is larger than {max_bytes} bytes.")
    if new.size > new.part_bytes * MAX_PARTS:
        raise Invalid(f"part_bytes: the file would have more than {MAX_PARTS} parts.")
    await intake.check_options(resources, scope, options)
    password = options.password
    upload = Upload(
        new_id(),
        scope.tenant_id,
        new.filename,
        new.size,
        new.sha256,
        new.part_bytes,
        _options.dump_python(replace(options, password=None), mode="json"),
        datetime.now(UTC) + timedelta(seconds=EXPIRES_SECONDS),
        resources.sealer.seal(password) if password is not None else None,
    )
    async with resources.database.tenant(scope) as session:
        project = await intake.project_of(session, options.project)
        await uploads.add(session, upload, project.id)
    return upload, [
        SignedPart(number, size, await _signed(resources, upload, number, size, part_path))
        for number, size in enumerate(upload.part_sizes, 1)
    ]


async def _signed(
    resources: Resources, upload: Upload, number: int, size: int, part_path: Callable[[UUID, int], str]
) -> SignedRequest:
    key = part_key(upload.tenant_id, upload.id, number)
    signed = await resources.blobs.sign_put(key, seconds=EXPIRES_SECONDS)
    if signed is not None:
        return signed
    path = part_path(upload.id, number)
    url = signed_path(resources.sealer, "PUT", path, tenant_id=upload.tenant_id, seconds=EXPIRES_SECONDS, size=size)
    return SignedRequest(url, {"Content-Type": "application/octet-stream"})


async def store_part(
    resources: Resources, tenant_id: UUID, upload_id: UUID, number: int, chunks: AsyncIterator[bytes], *, size: int
) -> None:
    """Store a part that was sent to the API. Raises Invalid unless it has the announced size."""
    require_room_for_work(resources.settings)

    async def exactly() -> AsyncIterator[bytes]:
        left = size
        async for chunk in chunks:
            left -= len(chunk)
            if left < 0:
                break
            yield chunk
        if left:
            raise Invalid(f"The body must be exactly {size} bytes long.")

    await resources.blobs.put(part_key(tenant_id, upload_id, number), exactly())


async def complete(resources: Resources, scope: Scope, upload_id: UUID, *, api_key: str) -> Document:
    """Verify the file and make it a document, which is then exactly as if it had been sent to the API.

    Completed again, an upload returns the same document. Raises NotFound, UploadIncomplete, ChecksumMismatch, and what
    is wrong with the file; the upload stays then, so that parts can be sent again.
    """
    upload, document = await _look_up(resources, scope, upload_id)
    if document is not None:
        return document
    try:
        file = await _verified(resources, upload)
    except (UploadIncomplete, BlobMissing):
        # another request may have completed it meanwhile, and deleted the parts
        _, document = await _look_up(resources, scope, upload_id)
        if document is None:
            raise
        return document
    faults.step("upload.blob_stored")
    # No client can send such a key, because it contains a space. Of two completions at once, one adds the document.
    key = f"upload {upload.id}"
    options = _given(resources, upload)
    document = await intake.accept(resources, scope, file, lambda: options, api_key=api_key, idempotency_key=key)
    async with resources.database.tenant(scope) as session:
        await uploads.complete(session, upload_id, document.id)
    await delete_parts(resources.blobs, upload.tenant_id, upload.id, len(upload.part_sizes))
    return document


async def _look_up(resources: Resources, scope: Scope, upload_id: UUID) -> tuple[Upload, Document | None]:
    """The upload and the document that it became. Raises NotFound if either was deleted."""
    async with resources.database.tenant(scope) as session:
        upload = await uploads.find(session, upload_id)
        if upload is None:
            raise NotFound("Upload not found.")
        if upload.document_id is None:
            return upload, None
        document = await documents.find(session, upload.document_id)
    if document is None:
        raise not_found()
    return upload, document


def _given(resources: Resources, upload: Upload) -> UploadOptions:
    options = _options.validate_python(upload.options)
    sealed = upload.sealed_password
    return replace(options, password=resources.sealer.unseal(sealed)) if sealed is not None else options


async def _verified(resources: Resources, upload: Upload) -> UploadedFile:
    """Copy the parts to the key of a new document and look at every byte there. Without success nothing is kept."""
    document_id = new_id()
    key = original_key(upload.tenant_id, document_id)
    await _check_sizes(resources.blobs, upload)
    try:
        stream, sha256 = await _copied(resources, upload, key)
        if stream.size != upload.size:
            raise UploadIncomplete(f"The file has {stream.size} of {upload.size} bytes.")
        if upload.sha256 is not None and sha256 != upload.sha256:
            raise ChecksumMismatch
    except DocsieveError:
        await resources.blobs.delete(key)
        raise
    return UploadedFile(document_id, upload.filename, stream.media_type, stream.size, sha256)


async def _copied(resources: Resources, upload: Upload, key: str) -> tuple[CheckedStream, str]:
    blobs, max_bytes = resources.blobs, resources.settings.max_upload_bytes
    parts = [part_key(upload.tenant_id, upload.id, number + 1) for number in range(len(upload.part_sizes))]
    if len(parts) > 1:
        stream = CheckedStream(_joined(blobs, parts), max_bytes=max_bytes)
        return stream, (await blobs.put(key, stream.chunks())).sha256
    await blobs.copy(parts[0], key)
    stream, digest = CheckedStream(blobs.stream(key), max_bytes=max_bytes), hashlib.sha256()
    async for chunk in stream.chunks():
        await asyncio.to_thread(digest.update, chunk)
    return stream, digest.hexdigest()


async def _check_sizes(blobs: BlobStore, upload: Upload) -> None:
    for number, expected in enumerate(upload.part_sizes, 1):
        try:
            size = await blobs.size(part_key(upload.tenant_id, upload.id, number))
        except BlobMissing:
            raise UploadIncomplete(f"Part {number} has not been stored.") from None
        if size != expected:
            raise UploadIncomplete(f"Part {number} has {size} of {expected} bytes.")


async def _joined(blobs: BlobStore, keys: list[str]) -> AsyncIterator[bytes]:
    for key in keys:
        async for chunk in blobs.stream(key):
            yield chunk


async def cancel(resources: Resources, scope: Scope, upload_id: UUID) -> None:
    """Delete an upload and its stored parts. Raises NotFound, and UploadCompleted."""
    async with resources.database.tenant(scope) as session:
        upload = await uploads.find(session, upload_id)
        if upload is None:
            raise NotFound("Upload not found.")
        if not await uploads.delete(session, upload_id):
            raise UploadCompleted
    await delete_parts(resources.blobs, upload.tenant_id, upload.id, len(upload.part_sizes))


async def delete_parts(blobs: BlobStore, tenant_id: UUID, upload_id: UUID, count: int) -> None:
    for number in range(1, count + 1):
        await blobs.delete(part_key(tenant_id, upload_id, number))
