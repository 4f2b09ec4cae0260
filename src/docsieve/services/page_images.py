"""Page images: rendered when first requested, and cached in the blob store next to the pages."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from uuid import UUID

from docsieve.composition import read_options
from docsieve.db.documents import early_pages as early_rows
from docsieve.db.documents import rows as documents
from docsieve.db.documents.rows import Source
from docsieve.disk import needing_room
from docsieve.domain.documents import image_key
from docsieve.domain.pages.pagefile import frame_json
from docsieve.domain.scope import Scope
from docsieve.errors import BlobMissing, DocumentNotReady, NotFound, Unavailable
from docsieve.errors.blobs import BlobSealBroken
from docsieve.pipelines.page_renderer import PageRenderer, is_whole
from docsieve.resources import Resources
from docsieve.services import pages
from docsieve.services.documents import not_found
from docsieve.services.stored_files import download_original, repaired_if_damaged
from docsieve.tasks.render import needs_source

MIN_WIDTH, MAX_WIDTH = 16, 4000
DEFAULT_WIDTH, THUMBNAIL_WIDTH = 960, 320

# Few sizes, so that requests for every possible width fill neither the blob store nor the processor.
_WIDTHS = (160, 320, 640, 960, 1280, 1920, 2560, MAX_WIDTH)


@dataclass(frozen=True, slots=True)
class PageImage:
    """An image that may already be cached, or can be rendered.

    `early` is the JSON of a page of a document that is still being read. Its images are not kept.
    """

    tenant_id: UUID
    source: Source
    pages_key: str
    number: int
    width: int
    early: bytes | None = None

    @property
    def from_source(self) -> bool:
        """Whether the document itself is rendered. Other pages are drawn from their lines."""
        return needs_source(self.source.media_type) and not self.source.original_deleted

    @property
    def key(self) -> str:
        """A document with the same content may still have its file, so what is drawn instead has another key."""
        instead = self.source.original_deleted and needs_source(self.source.media_type)
        return image_key(self.pages_key, self.number, self.width, drawn=instead)

    @property
    def etag(self) -> str:
        """Known without the image: pages from the same parser version look the same."""
        return f'"{hashlib.blake2b(self.key.encode(), digest_size=12).hexdigest()}"'


async def find(resources: Resources, scope: Scope, document_id: UUID, *, number: int, width: int) -> PageImage:
    """The image of a page, at least `width` pixels wide. Raises NotFound or DocumentNotReady."""
    early = None
    async with resources.database.tenant(scope) as session:
        document = await documents.find(session, document_id)
        source = await documents.source(session, document_id)
        if document is None or source is None:
            raise not_found()
        try:
            pages_key = await pages.key_of(session, document_id)
        except DocumentNotReady:
            early = await early_rows.page(session, document_id, number)
            if early is None:
                raise
            pages_key = f"early/{document_id}"
    if early is None and not 1 <= number <= (document.page_count or 0):
        raise NotFound(f"The document has no page {number}.")
    snapped = next(each for each in _WIDTHS if each >= width)
    json = frame_json(early) if early is not None else None
    return PageImage(scope.tenant_id, source, pages_key, number, snapped, json)


async def fetch(resources: Resources, image: PageImage) -> bytes:
    """The image as WebP, from the cache or rendered now.

    Raises what rendering can raise: an error of the document, a crash or a timeout of the parser, or Unavailable.
    """
    stored = await _stored(resources, image) if image.early is None else None
    if stored is not None:
        return stored
    renderer = resources.renderer
    if renderer is None:
        raise Unavailable("This process does not render pages.")
    return await renderer.once(image.tenant_id, image.key, lambda: _render(resources, renderer, image))


async def _stored(resources: Resources, image: PageImage) -> bytes | None:
    try:
        stored = await resources.blobs.get(image.key)
    except (BlobMissing, BlobSealBroken):
        return None
    return stored if is_whole(stored) else None


async def _render(resources: Resources, renderer: PageRenderer, image: PageImage) -> bytes:
    source, settings = image.source, resources.settings
    sealed = source.sealed_password
    options = read_options(settings, password=resources.sealer.unseal(sealed) if sealed is not None else None)
    with needing_room(settings), renderer.workdir() as work:
        page = image.early
        if page is None:
            async with repaired_if_damaged(resources, Scope(image.tenant_id), source.id):
                page = await pages.page_json(resources.blobs, image.pages_key, image.number)
        await asyncio.to_thread(work.page.write_bytes, page)
        if image.from_source:
            await download_original(resources.blobs, image.tenant_id, source, work.original)
        rendered = await renderer.render(
            work,
            media_type=source.media_type,
            width=image.width,
            options=options,
            from_source=image.from_source,
        )
    if image.early is not None:
        return rendered
    await resources.blobs.put(image.key, _single_chunk(rendered))
    async with resources.database.tenant(Scope(image.tenant_id)) as session:
        deleted = await documents.source(session, source.id) is None
    if deleted:
        await resources.blobs.delete(image.key)
    return rendered


async def _single_chunk(content: bytes) -> AsyncIterator[bytes]:
    yield content
