"""How the work goes: queues with their depth and age, and the attempts at a document."""

from datetime import UTC, datetime
from uuid import UUID

from docsieve.api.access import Reader, Session
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.wire_changes import AttemptList, AttemptRead, QueueList, QueueRead
from docsieve.db import attempts, documents, job_records
from docsieve.errors import NotFound
from docsieve.services.document_changes import missing

router = Router(tags=["jobs"], responses=COMMON)


@router.get("/queues", response_model=QueueList)
async def list_queues(caller: Reader, session: Session, project: Name | None = None) -> QueueList:
    """Queues that have jobs of the caller, or of one project, which wait, run or have failed."""
    depths = await job_records.count_by_queue(session, project)
    return QueueList(queues=[QueueRead.model_validate(each) for each in depths], counted_at=datetime.now(UTC))


@router.get("/documents/{document_id}/attempts", response_model=AttemptList, responses=problems(NotFound))
async def list_attempts(document_id: UUID, caller: Reader, session: Session) -> AttemptList:
    """Every attempt to read the document or to extract from it: who made it, how it ended, how long each stage took."""
    if not await documents.projects_of(session, [document_id]):
        raise missing()
    return AttemptList(attempts=[AttemptRead.of(each) for each in await attempts.of_document(session, document_id)])
