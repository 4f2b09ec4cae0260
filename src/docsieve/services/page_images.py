"""Images of pages: made when first asked for, and kept in the store beside the pages."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from docsieve.db import documents
from docsieve.db.documents import Source
from docsieve.disk import needing_room
from docsieve.domain.documents import image_key, original_key
from docsieve.domain.scope import Scope
from docsieve.errors import BlobMissing, DocumentNotReady, NotFound, Unavailable
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.page_renderer import PageRenderer, is_whole
from docsieve.pipelines.workdir import WorkDir
from docsieve.resources import Resources
from docsieve.services import pages
from docsieve.services.stored_files import repaired_if_damaged
from docsieve.tasks.render import needs_source

MIN_WIDTH, MAX_WIDTH = 16, 4000
USUAL_WIDTH, THUMBNAIL_WIDTH = 960, 320

# Few sizes, so that whoever asks for every width there is fills neither the store nor the processor.
_WIDTHS = (160, 320, 640, 960, 1280, 1920, 2560, MAX_WIDTH)


@dataclass(frozen=True, slots=True)
class PageImage:
    """An image that may be in the store already, or can be made."""

    tenant_id: UUID
    source: Source
    pages_key: str
    number: int
    width: int

    @property
    def key(self) -> str:
        return image_key(self.pages_key, self.number, self.width)

    @property
    def etag(self) -> str:
        """Known without the image: what was read by the same parser looks the same."""
        return f'"{hashlib.blake2b(self.key.encode(), digest_size=12).hexdigest()}"'


async def find(resources: Resources, scope: Scope, document_id: UUID, *, number: int, width: int) -> PageImage:
    """The image of a page, at least `width` pixels wide. Raises NotFound or DocumentNotReady.

    In a transaction of its own: none is held while the store is slow.
    """
    async with resources.database.tenant(scope) as session:
        document = await documents.find(session, document_id)
        source = await documents.source(session, document_id)
        pages_key = await documents.pages_key(session, document_id)
    if document is None or source is None:
        raise NotFound("There is no such document.")
    if pages_key is None or document.page_count is None:
        raise DocumentNotReady(f"The document has no pages; its status is {document.status}.")
    if not 1 <= number <= document.page_count:
        raise NotFound(f"The document has no page {number}.")
    snapped = next(each for each in _WIDTHS if each >= width)
    return PageImage(scope.tenant_id, source, pages_key, number, snapped)


async def fetch(resources: Resources, image: PageImage) -> bytes:
    """The image as WebP, from the store or made now.

    Raises what the parser has against the document, or Unavailable, or that the parser crashed or took too long.
    """
    try:
        stored = await resources.blobs.get(image.key)
        if is_whole(stored):
            return stored
    except BlobMissing:
        pass
    renderer = resources.renderer
    if renderer is None:
        raise Unavailable("This process shows no pages.")
    return await renderer.once(image.tenant_id, image.key, lambda: _make(resources, renderer, image))


async def _make(resources: Resources, renderer: PageRenderer, image: PageImage) -> bytes:
    source, settings = image.source, resources.settings
    sealed = source.sealed_password
    options = ReadOptions(
        password=resources.sealer.unseal(sealed) if sealed is not None else None,
        max_pages=settings.max_pages,
    )
    with needing_room(settings), renderer.directory() as directory:
        work = WorkDir(Path(directory))
        async with repaired_if_damaged(resources, Scope(image.tenant_id), source.id):
            page = await pages.page_json(resources.blobs, image.pages_key, image.number)
        await asyncio.to_thread(work.page.write_bytes, page)
        if needs_source(source.media_type):
            await resources.blobs.download(original_key(image.tenant_id, source.id), work.original)
        made = await renderer.render(work, media_type=source.media_type, width=image.width, options=options)
    await resources.blobs.put(image.key, _once(made))
    async with resources.database.tenant(Scope(image.tenant_id)) as session:
        deleted_meanwhile = await documents.source(session, source.id) is None
    if deleted_meanwhile:
        await resources.blobs.delete(image.key)
    return made


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content
