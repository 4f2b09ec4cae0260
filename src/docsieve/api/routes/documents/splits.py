"""Where a packet is cut: list, accept, remove, add and move cuts."""

from uuid import UUID

from docsieve.api.access import Reader, Resources, Session, Writer
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.wire.documents.splits import SplitsChange, SplitsRead
from docsieve.errors import DocumentNotReady, NotFound
from docsieve.errors.content import CutInvalid, DocumentNotSplittable, SplitsChanged
from docsieve.errors.retention import LegalHold, OriginalDeleted
from docsieve.services import documents
from docsieve.services.packets import review

router = Router(prefix="/documents", tags=["documents"], responses=COMMON)


@router.get("/{document_id}/splits", response_model=SplitsRead, responses=problems(NotFound, DocumentNotReady))
async def get_splits(document_id: UUID, caller: Reader, session: Session) -> SplitsRead:
    """Get the cuts of a packet, each with confidence and reasons, and its parts."""
    return SplitsRead.of(await review.find(session, document_id))


@router.patch(
    "/{document_id}/splits",
    response_model=SplitsRead,
    responses=problems(
        NotFound, CutInvalid, DocumentNotReady, DocumentNotSplittable, SplitsChanged, OriginalDeleted, LegalHold
    ),
)
async def change_splits(document_id: UUID, body: SplitsChange, caller: Writer, resources: Resources) -> SplitsRead:
    """Accept, remove, add or move cuts, and split the document accordingly.

    Parts whose pages do not change stay the same documents. The others are deleted, and their replacements are written
    in the background.
    """
    async with resources.database.tenant(caller.scope) as session:
        changes = await review.change(
            session,
            document_id,
            [each.change() for each in body.cuts],
            revision=body.revision,
            max_attempts=resources.settings.max_attempts,
        )
        splits = await review.find(session, document_id)
    await documents.delete_blobs(resources, caller.scope.tenant_id, changes.deleted)
    return SplitsRead.of(splits)
