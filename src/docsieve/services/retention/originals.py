"""Deletes uploaded files while pages and results stay."""

from collections.abc import Sequence
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.documents import originals
from docsieve.db.documents.originals import DeletedOriginal
from docsieve.domain.audit import Action
from docsieve.domain.documents import original_key, pages_folder
from docsieve.domain.scope import Scope
from docsieve.resources import Resources
from docsieve.services.retention.files import delete_images


async def mark_deleted(session: Session, ids: Sequence[UUID]) -> list[DeletedOriginal]:
    """Record the deletion of files, which `delete_files` performs after the commit. Raises LegalHold."""
    actor = session.scope.actor
    marked = await originals.mark_deleted(session, ids)
    for each in marked:
        details = {"rule": actor.id if actor.kind == "rule" else None, "objects": 1, "bytes": each.size}
        session.audit(Action.original_deleted, "document", each.document_id, details, project_id=each.project_id)
    return marked


async def delete_files(resources: Resources, scope: Scope, marked: Sequence[DeletedOriginal]) -> None:
    """Delete the files, and the page images that were rendered from them; new images are drawn from the pages.

    Images are shared by documents with the same content, and stay as long as one of them has its file. After a crash,
    the sweep of orphan blobs deletes the file.
    """
    async with resources.database.tenant(Scope(scope.tenant_id)) as session:
        stored = await originals.contents_with_original(session, [each.sha256 for each in marked])
    blobs = resources.blobs
    for each in marked:
        await blobs.delete(original_key(scope.tenant_id, each.document_id))
        if each.sha256 not in stored:
            folder = pages_folder(scope.tenant_id, each.sha256)
            for pages in [found.key async for found in blobs.list_named(folder, each.sha256)]:
                await delete_images(blobs, pages)
