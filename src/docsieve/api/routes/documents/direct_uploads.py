"""Uploads and downloads that bypass the API: signed requests to the blob store, or to the API for a local store."""

from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import Field, StringConstraints

from docsieve import errors
from docsieve.api.access import Reader, Resources, Writer
from docsieve.api.http import body_limit
from docsieve.api.http.multipart import safe_filename
from docsieve.api.limits.limiter import Limiter
from docsieve.api.problems import COMMON, problems
from docsieve.api.routes.documents.read import file_response, find_original
from docsieve.api.routes.documents.uploads import OPTION_PROBLEMS, UploadFields, early_responses
from docsieve.api.routing import Router
from docsieve.api.text import Text
from docsieve.api.wire.documents.document import DocumentRead
from docsieve.api.wire.documents.uploads import DownloadUrl, UploadPart, UploadRead
from docsieve.db.documents.rows import Document
from docsieve.domain.documents import original_key
from docsieve.domain.scope import Scope
from docsieve.errors import BlobMissing, DocumentNotReady, NotFound, OriginalDamaged
from docsieve.errors.access import QuotaExceeded
from docsieve.errors.retention import OriginalDeleted
from docsieve.errors.uploads import ChecksumMismatch, SignatureInvalid, UploadCompleted, UploadIncomplete
from docsieve.resources import Resources as AppResources
from docsieve.services import direct_uploads
from docsieve.services.direct_uploads import MAX_PART_BYTES, MIN_PART_BYTES, NewUpload
from docsieve.services.signed_urls import check_signature, signed_path

_DOWNLOAD_SECONDS = 900

router = Router(tags=["documents"])

Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
Expires = Annotated[int, Query(ge=0, le=2**40)]


class UploadCreate(UploadFields):
    """What is to be uploaded, and the options of an upload."""

    filename: Text
    size: int = Field(ge=1, le=2**62, description="In bytes.")
    sha256: Sha256 | None = Field(None, description="If given, the file is accepted only if it has this hash.")
    part_bytes: int = Field(
        MAX_PART_BYTES,
        ge=MIN_PART_BYTES,
        le=MAX_PART_BYTES,
        description="The size of a part. Several parts can be sent at once and again, but the server has to join them.",
    )

    def described(self) -> NewUpload:
        return NewUpload(safe_filename(self.filename), self.size, self.sha256, self.part_bytes)


@router.post(
    "/uploads",
    response_model=UploadRead,
    status_code=201,
    responses={**COMMON, **problems(*OPTION_PROBLEMS, errors.TooLarge, errors.BlobStoreError)},
)
async def begin_upload(body: UploadCreate, caller: Writer, resources: Resources, request: Request) -> UploadRead:
    """Begin an upload whose bytes go to the blob store. Send each part, then complete the upload."""
    given = body.model_dump(exclude={"filename", "size", "sha256", "part_bytes"}, exclude_unset=True)
    limiter: Limiter = request.app.state.limiter
    with limiter.upload(caller.holder) as charge:
        upload, parts = await direct_uploads.begin(
            resources,
            caller.scope,
            body.described(),
            UploadFields.options(given),
            part_path=lambda upload_id, number: f"{_prefix(request)}/uploads/{upload_id}/parts/{number}",
        )
        charge(body.size)  # now, because the bytes may never pass through the API
    return UploadRead(
        id=upload.id,
        direct=not parts[0].request.url.startswith("/"),
        expires_at=upload.expires_at,
        parts=[
            UploadPart(
                number=part.number,
                size=part.size,
                url=_absolute(request, resources, part.request.url),
                headers=dict(part.request.headers),
            )
            for part in parts
        ],
    )


@router.put(
    "/uploads/{upload_id}/parts/{number}",
    status_code=204,
    responses={
        **COMMON,
        **problems(SignatureInvalid, errors.TooLarge, errors.Unavailable, errors.DiskFull, errors.BlobStoreError),
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
        },
        "security": [],
    },
)
async def store_part(
    upload_id: UUID,
    number: Annotated[int, Path(ge=1, le=direct_uploads.MAX_PARTS)],
    request: Request,
    resources: Resources,
    tenant: UUID,
    expires: Expires,
    size: Annotated[int, Query(ge=1, le=MAX_PART_BYTES)],
    signature: Text,
) -> Response:
    """Store a part of an upload. Its signed URL comes from `POST /uploads` and replaces the API key."""
    path = request.scope["path"]
    check_signature(resources.sealer, "PUT", path, tenant=tenant, expires=expires, size=size, signature=signature)
    body_limit.allow_stream(request)
    body = request.stream()
    async with early_responses(body):
        await direct_uploads.store_part(resources, tenant, upload_id, number, body, size=size)
    return Response(status_code=204)


@router.post(
    "/uploads/{upload_id}/complete",
    response_model=DocumentRead,
    responses={
        **COMMON,
        **problems(
            NotFound, UploadIncomplete, ChecksumMismatch, *OPTION_PROBLEMS, errors.TooLarge, errors.UnsupportedType,
            errors.IdempotencyConflict, QuotaExceeded, errors.Unavailable, errors.DiskFull,
            errors.BlobStoreError,
        ),
    },
)  # fmt: skip
async def complete_upload(upload_id: UUID, caller: Writer, resources: Resources) -> DocumentRead:
    """Verify size and hash of what was stored, make it a document and queue its processing. Safe to repeat."""
    document = await direct_uploads.complete(resources, caller.scope, upload_id, api_key=caller.holder.key_id)
    return DocumentRead.model_validate(document)


@router.delete("/uploads/{upload_id}", status_code=204, responses={**COMMON, **problems(NotFound, UploadCompleted)})
async def cancel_upload(upload_id: UUID, caller: Writer, resources: Resources) -> Response:
    """Delete an upload that was not completed, with what was stored of it."""
    await direct_uploads.cancel(resources, caller.scope, upload_id)
    return Response(status_code=204)


@router.get(
    "/documents/{document_id}/download_url",
    response_model=DownloadUrl,
    responses={
        **COMMON,
        **problems(NotFound, DocumentNotReady, OriginalDeleted, BlobMissing, OriginalDamaged, errors.BlobStoreError),
    },
)
async def get_download_url(document_id: UUID, caller: Reader, resources: Resources, request: Request) -> DownloadUrl:
    """Get a signed URL of the original file, valid for 15 minutes. It leads to the blob store where that is possible.

    The audit log records a download when the URL is made.
    """
    document = await find_original(resources, caller.scope, document_id)
    signed = await resources.blobs.sign_get(
        original_key(caller.scope.tenant_id, document_id), seconds=_DOWNLOAD_SECONDS
    )
    if signed is not None:
        url = signed.url
    else:
        path = f"{_prefix(request)}/downloads/{document_id}"
        tenant_id = caller.scope.tenant_id
        url = signed_path(resources.sealer, "GET", path, tenant_id=tenant_id, seconds=_DOWNLOAD_SECONDS)
    return _download_url(document, _absolute(request, resources, url))


@router.get(
    "/downloads/{document_id}",
    response_class=StreamingResponse,
    responses={
        **COMMON,
        200: {
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
            "description": "The original file, as an attachment",
        },
        **problems(SignatureInvalid, NotFound, DocumentNotReady, OriginalDeleted, BlobMissing, OriginalDamaged),
    },
    openapi_extra={"security": []},
)
async def download(
    document_id: UUID, request: Request, resources: Resources, tenant: UUID, expires: Expires, signature: Text
) -> StreamingResponse:
    """Download a file with a signed URL from `GET /documents/{document_id}/download_url`, without an API key."""
    path = request.scope["path"]
    check_signature(resources.sealer, "GET", path, tenant=tenant, expires=expires, signature=signature)
    document = await find_original(resources, Scope(tenant), document_id, audited=False)
    return file_response(resources, tenant, document)


def _prefix(request: Request) -> str:
    """Where the API is, as in the path of this request."""
    path: str = request.scope["path"]
    return path[: path.index("/uploads" if "/uploads" in path else "/documents")]


def _absolute(request: Request, resources: AppResources, url: str) -> str:
    """A path of the API as a URL: at DOCSIEVE_URL, or where this request was sent to."""
    if not url.startswith("/"):
        return url
    return (resources.settings.url or str(request.base_url)).rstrip("/") + url


def _download_url(document: Document, url: str) -> DownloadUrl:
    return DownloadUrl(
        url=url,
        expires_at=datetime.now(UTC) + timedelta(seconds=_DOWNLOAD_SECONDS),
        filename=document.filename,
        media_type=document.media_type,
        size=document.size,
        sha256=document.sha256,
    )
