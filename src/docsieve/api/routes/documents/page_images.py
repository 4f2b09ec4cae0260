"""Page images and thumbnails."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import Header, Query, Response

from docsieve.api.access import Reader, Resources
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.domain.scope import Scope
from docsieve.errors import (
    BlobMissing,
    BlobStoreError,
    CorruptDocument,
    DocumentNotReady,
    Invalid,
    NotFound,
    OutOfMemory,
    PagesDamaged,
    ParserCrashed,
    ParserTimeout,
    PasswordRequired,
    PasswordWrong,
    TooManyPixels,
    Unavailable,
)
from docsieve.errors.retention import OriginalDeleted
from docsieve.resources import Resources as AppResources
from docsieve.services import page_images
from docsieve.services.page_images import DEFAULT_WIDTH, MAX_WIDTH, MIN_WIDTH, THUMBNAIL_WIDTH

router = Router(prefix="/documents", tags=["documents"], responses=COMMON)

MEDIA_TYPE = "image/webp"

_HEADERS = {
    # Not forever: a newer parser may render the document better.
    "Cache-Control": "private, max-age=3600",
    # A browser that switches keys must not show one tenant's pages to another.
    "Vary": "Authorization, X-API-Key, Cookie",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}
_UNSHOWN = problems(
    *(NotFound, DocumentNotReady, Invalid, CorruptDocument, PasswordRequired, PasswordWrong, TooManyPixels),
    *(BlobMissing, BlobStoreError, OriginalDeleted, PagesDamaged, Unavailable),
)
_UNSHOWN[503]["description"] += "".join(f", `{kind.code}`" for kind in (ParserCrashed, ParserTimeout, OutOfMemory))
_RESPONSES: dict[int | str, dict[str, Any]] = {
    200: {"content": {MEDIA_TYPE: {"schema": {"type": "string", "format": "binary"}}}, "description": "The image"},
    304: {"description": "Not modified since the ETag in `If-None-Match`"},
    **_UNSHOWN,
}

IfNoneMatch = Annotated[str | None, Header()]
Width = Annotated[
    int,
    Query(
        ge=MIN_WIDTH,
        le=MAX_WIDTH,
        description="Minimum width in pixels. The next larger of a few fixed sizes is returned.",
    ),
]


@router.get("/{document_id}/pages/{number}/image", response_class=Response, responses=_RESPONSES)
async def get_page_image(
    document_id: UUID,
    number: int,
    caller: Reader,
    resources: Resources,
    width: Width = DEFAULT_WIDTH,
    if_none_match: IfNoneMatch = None,
) -> Response:
    """Get a page as an image, rotated upright like its boxes. An unreadable page is a placeholder image."""
    return await _image(resources, caller.scope, document_id, number, width, if_none_match)


@router.get("/{document_id}/thumbnail", response_class=Response, responses=_RESPONSES)
async def get_thumbnail(
    document_id: UUID, caller: Reader, resources: Resources, if_none_match: IfNoneMatch = None
) -> Response:
    """Get a small image of the first page."""
    return await _image(resources, caller.scope, document_id, 1, THUMBNAIL_WIDTH, if_none_match)


async def _image(
    resources: AppResources, scope: Scope, document_id: UUID, number: int, width: int, if_none_match: str | None
) -> Response:
    image = await page_images.find(resources, scope, document_id, number=number, width=width)
    headers = {**_HEADERS, "ETag": image.etag}
    if if_none_match is not None and (image.etag in if_none_match or if_none_match.strip() == "*"):
        return Response(status_code=304, headers=headers)
    return Response(await page_images.fetch(resources, image), media_type=MEDIA_TYPE, headers=headers)
