"""The content of a document: as Markdown, HTML, JSON, text or a table as CSV, and as chunks for retrieval."""

import re
from collections.abc import AsyncIterator
from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from fastapi import Header, Query, Response
from fastapi.responses import StreamingResponse

from docsieve.api.access import Reader, Resources
from docsieve.api.cursors import SortedCursor, read_cursor, write_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.wire.documents.content import ContentChunk, ContentChunks
from docsieve.content.formats.json import Content
from docsieve.content.formats.registry import EXTENSIONS, MEDIA_TYPES, FormatName
from docsieve.domain.scope import Scope
from docsieve.errors import BlobStoreError, DocumentNotReady, Invalid, NotFound, PagesDamaged
from docsieve.errors.content import NotAcceptable, PagesOutOfRange, TableNotFound
from docsieve.errors.retention import OriginalDeleted
from docsieve.resources import Resources as AppResources
from docsieve.services import content as service
from docsieve.services.content import DEFAULT_CHUNK, MAX_CHUNK, MIN_CHUNK, Form, Readable, chunk_sizes
from docsieve.services.stored_files import repaired_if_damaged

router = Router(prefix="/documents", tags=["documents"], responses=COMMON)

_MAX_CHUNKS = 500
_MAX_OVERLAP = 0.5

_HEADERS = {
    "Cache-Control": "private, no-cache",
    # A browser that switches keys must not show one tenant's documents to another.
    "Vary": "Accept, Authorization, X-API-Key, Cookie",
    # It has no scripts; if it ever had, they would not run.
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
_FORMAT_OF: dict[str, FormatName] = {
    **{media_type: name for name, media_type in MEDIA_TYPES.items()},
    "application/*": "json",
    "text/*": "markdown",
    "*/*": "json",
}

Pages = Annotated[
    str | None,
    Query(pattern=r"^[0-9]{1,7}(-[0-9]{0,7})?$", description="Only these pages: `3`, `2-5`, or `7-` to the last."),
]
Headers = Annotated[bool, Query(description="Whether to include running headers, footers and page numbers.")]


@router.get(
    "/{document_id}/content",
    response_model=Content,
    responses={
        200: {
            "content": {
                media_type: {"schema": {"type": "string"}}
                for media_type in MEDIA_TYPES.values()
                if media_type != "application/json"
            },
            "description": "The content, streamed",
        },
        304: {"description": "Not modified since the ETag in `If-None-Match`"},
        **problems(NotFound, TableNotFound, NotAcceptable, DocumentNotReady, OriginalDeleted, PagesOutOfRange),
        **problems(BlobStoreError, PagesDamaged),
    },
)
async def get_content(
    document_id: UUID,
    caller: Reader,
    resources: Resources,
    format: Annotated[
        FormatName | None, Query(description="Defaults to the best match of `Accept`, or to JSON.")
    ] = None,
    pages: Pages = None,
    headers: Headers = True,
    table: Annotated[
        int | None, Query(ge=1, description="For CSV: which table of the chosen pages, counted from 1. Defaults to 1.")
    ] = None,
    accept: Annotated[str | None, Header()] = None,
    if_none_match: Annotated[str | None, Header()] = None,
) -> Response:
    """Get the content by layout: headings, paragraphs, lists and tables in reading order.

    Headers and footers are marked: as `part` in JSON, as `<header>` and `<footer>` in Markdown and HTML.
    """
    chosen = format or _accepted(accept)
    if table is not None and chosen != "csv":
        raise Invalid("query.table: only for `format=csv`.")
    form = Form(chosen, headers, table or 1)
    document, etag = await _find(resources, caller.scope, document_id, pages, form)
    answered = {**_HEADERS, "ETag": etag}
    if if_none_match is not None and (etag in if_none_match or if_none_match.strip() == "*"):
        return Response(status_code=304, headers=answered)
    async with repaired_if_damaged(resources, caller.scope, document_id):
        pieces = service.write(resources, document, form)
        first = await anext(pieces)
    name = quote(f"{document.about.title}.{EXTENSIONS[chosen]}", safe="")
    answered["Content-Disposition"] = f"inline; filename*=UTF-8''{name}"
    media_type = MEDIA_TYPES[chosen]
    return StreamingResponse(_from(first, pieces), media_type=media_type, headers=answered)


@router.get(
    "/{document_id}/chunks",
    response_model=ContentChunks,
    responses=problems(NotFound, DocumentNotReady, OriginalDeleted, PagesOutOfRange, BlobStoreError, PagesDamaged),
)
async def list_chunks(
    document_id: UUID,
    caller: Reader,
    resources: Resources,
    size: Annotated[
        int,
        Query(ge=MIN_CHUNK, le=MAX_CHUNK, description="Most tokens of a chunk, unless a table's row is longer."),
    ] = DEFAULT_CHUNK,
    overlap: Annotated[
        int,
        Query(
            ge=0,
            description="Most tokens that a chunk repeats of the one before it; up to half of `size`.",
        ),
    ] = 0,
    pages: Pages = None,
    headers: Headers = False,
    cursor: SortedCursor = None,
    limit: Annotated[int, Query(ge=1, le=_MAX_CHUNKS)] = 100,
) -> ContentChunks:
    """Get the content in chunks for retrieval, with their places on the pages and the headings above them.

    No chunk begins or ends inside a row of a table; further chunks of a table repeat its header rows.
    """
    if overlap > size * _MAX_OVERLAP:
        raise Invalid(f"query.overlap: at most {int(size * _MAX_OVERLAP)} for this size.")
    sizes = chunk_sizes(size, overlap)
    after = 0
    if cursor is not None:
        given, after = read_cursor(cursor, (str, int))
        if given != f"{size} {overlap} {pages} {headers}" or after < 0:
            raise Invalid("query.cursor: it belongs to other sizes or pages.")
    document, _ = await _find(resources, caller.scope, document_id, pages, Form("json"))
    async with repaired_if_damaged(resources, caller.scope, document_id):
        found, more = await service.chunks(resources, document, sizes, headers=headers, after=after, limit=limit)
    return ContentChunks(
        document_id=document_id,
        chunks=[ContentChunk.of(each) for each in found],
        next_cursor=write_cursor(f"{size} {overlap} {pages} {headers}", after + limit) if more else None,
    )


async def _find(
    resources: AppResources, scope: Scope, document_id: UUID, given: str | None, form: Form
) -> tuple[Readable, str]:
    first, dash, last = (given or "1-").partition("-")
    async with repaired_if_damaged(resources, scope, document_id):
        document = await service.find(
            resources, scope, document_id, first=int(first), last=int(last) if last else None if dash else int(first)
        )
    return document, document.etag(form)


async def _from(first: str, others: AsyncIterator[str]) -> AsyncIterator[str]:
    yield first
    async for piece in others:
        yield piece


def _accepted(accept: str | None) -> FormatName:
    """The format that `Accept` prefers. Raises NotAcceptable if it allows none."""
    ranges = [_weighed(each) for each in (accept or "*/*").split(",")]
    for _, media_range in sorted(ranges, key=lambda each: -each[0]):
        if media_range in _FORMAT_OF:
            return _FORMAT_OF[media_range]
    raise NotAcceptable(f"Only these types are available: {', '.join(MEDIA_TYPES.values())}.")


def _weighed(media_range: str) -> tuple[float, str]:
    name, _, parameters = media_range.partition(";")
    weight = re.search(r"(?:^|;)\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)", parameters)
    quality = float(weight[1]) if weight else 1.0
    return quality, name.strip().lower() if quality > 0 else ""
