"""The files of a document in the blob store: the original, pages of every parser that read it, and page images."""

from uuid import UUID

from docsieve.blobs.port import BlobStore
from docsieve.db.documents.deletion import DeletedDocument
from docsieve.domain.documents import are_only_for, images_folder, original_key, pages_folder, staging_folder


async def delete_files(blobs: BlobStore, tenant_id: UUID, document: DeletedDocument, *, content_shared: bool) -> int:
    """Delete everything stored for a document, and return how many files that were.

    Pages and images are stored by content. If another document has the same content, only those stay that are not for
    this document alone.
    """
    deleted = await _delete(blobs, original_key(tenant_id, document.id))
    if document.sha256 is None:  # it was never downloaded completely, and so never read
        keys = [each.key async for each in blobs.list(staging_folder(tenant_id, document.id))]
        return deleted + sum([await _delete(blobs, key) for key in keys])
    folder, start = pages_folder(tenant_id, document.sha256), document.sha256
    for key in [each.key async for each in blobs.list_named(folder, start)]:
        if not content_shared or are_only_for(key, document.id):
            deleted += await delete_images(blobs, key) + await _delete(blobs, key)
    return deleted


async def delete_images(blobs: BlobStore, pages_key: str) -> int:
    """Delete the images of these pages, and return how many there were."""
    keys = [each.key async for each in blobs.list(images_folder(pages_key))]
    for key in keys:
        await blobs.delete(key)
    return len(keys)


async def _delete(blobs: BlobStore, key: str) -> int:
    if not await blobs.exists(key):
        return 0
    await blobs.delete(key)
    return 1
