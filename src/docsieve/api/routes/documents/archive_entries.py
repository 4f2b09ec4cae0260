"""What became of the entries of an archive."""

from uuid import UUID

from docsieve.api.access import Reader, Session
from docsieve.api.cursors import Limit, SortedCursor, read_cursor, write_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.wire.documents.archives import EntryPage, EntryRead, Verdict
from docsieve.db.documents import archives
from docsieve.db.documents import rows as documents
from docsieve.errors import NotFound
from docsieve.services import documents as service

router = Router(prefix="/documents", tags=["documents"], responses=COMMON)


@router.get("/{document_id}/entries", response_model=EntryPage, responses=problems(NotFound))
async def list_entries(
    document_id: UUID,
    caller: Reader,
    session: Session,
    verdict: Verdict | None = None,
    cursor: SortedCursor = None,
    limit: Limit = 50,
) -> EntryPage:
    """List the entries of an archive in its order, with what became of each. Other documents have none."""
    if await documents.find(session, document_id) is None:
        raise service.not_found()
    after = read_cursor(cursor, (int,))[0] if cursor is not None else -1
    found = await archives.list_entries(session, document_id, verdict=verdict, after=after, limit=limit + 1)
    more = len(found) > limit
    return EntryPage(
        entries=[EntryRead.model_validate(entry) for entry in found[:limit]],
        next_cursor=write_cursor(found[limit - 1].number) if more else None,
    )
