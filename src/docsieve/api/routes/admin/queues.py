"""Queue depths and ages, and the processing attempts of a document."""

from datetime import UTC, datetime
from uuid import UUID

from docsieve.api.access import Reader, Session
from docsieve.api.cursors import Limit, SortedCursor, cut, read_cursor, write_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.wire.jobs import AttemptList, AttemptRead, QueueList, QueueRead
from docsieve.db.documents import rows as documents
from docsieve.db.queue import attempts, job_records
from docsieve.db.queue.attempts import AttemptPlace
from docsieve.errors import NotFound
from docsieve.services.documents import not_found

router = Router(tags=["jobs"], responses=COMMON)


@router.get("/queues", response_model=QueueList)
async def list_queues(
    caller: Reader, session: Session, project: Name | None = None, cursor: SortedCursor = None, limit: Limit = 50
) -> QueueList:
    """List the queues with pending, running or failed jobs of the tenant, or of one project."""
    depths = await job_records.count_by_queue(session, project)
    page, following = cut(depths, lambda each: (each.name,), cursor, limit)
    queues = [QueueRead.model_validate(each) for each in page]
    return QueueList(queues=queues, counted_at=datetime.now(UTC), next_cursor=following)


@router.get("/documents/{document_id}/attempts", response_model=AttemptList, responses=problems(NotFound))
async def list_attempts(
    document_id: UUID, caller: Reader, session: Session, cursor: SortedCursor = None, limit: Limit = 50
) -> AttemptList:
    """List attempts to read the document or extract from it, with worker, outcome and duration of each stage."""
    if not await documents.projects_of(session, [document_id]):
        raise not_found()
    after = AttemptPlace(*read_cursor(cursor, (int, UUID, int))) if cursor is not None else None
    found = await attempts.of_document(session, document_id, after=after, limit=limit)
    last = found[-1].place if len(found) == limit else None
    return AttemptList(
        attempts=[AttemptRead.of(each) for each in found],
        next_cursor=write_cursor(last.started_at, last.job_id, last.attempt) if last is not None else None,
    )
