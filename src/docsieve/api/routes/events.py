"""Live events."""

from typing import Annotated
from uuid import UUID

from fastapi import Header, Query, Response
from fastapi.responses import StreamingResponse

from docsieve.api.access import Reader, Session
from docsieve.api.event_stream import EventStream
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Name
from docsieve.api.waiting import Waiting
from docsieve.db.batches import rows as batches
from docsieve.db.connection.session import Session as TenantSession
from docsieve.db.documents import rows as documents
from docsieve.domain.events import EventType
from docsieve.errors import NotFound, UnknownProject
from docsieve.errors.access import TooManyStreams
from docsieve.services.access import projects
from docsieve.services.events.listener import Listener, Wanted

router = Router(prefix="/events", tags=["events"], responses=COMMON)


@router.get(
    "",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": "Server-sent events"},
        **problems(NotFound, UnknownProject, TooManyStreams),
    },
)
async def stream_events(
    caller: Reader,
    session: Session,
    waiting: Waiting,
    project: Annotated[Name | None, Query(description="Only events of this project.")] = None,
    document: Annotated[UUID | None, Query(description="Only events about this document and its extractions.")] = None,
    batch: Annotated[
        UUID | None, Query(description="Only events about this batch, its documents and its extractions.")
    ] = None,
    types: Annotated[list[EventType] | None, Query(description="Only events of these types; may be repeated.")] = None,
    last_event_id: Annotated[
        UUID | None,
        Query(description="Start after this event, for clients that cannot send the header. The header wins."),
    ] = None,
    resume: Annotated[UUID | None, Header(alias="Last-Event-ID", description="Start after this event.")] = None,
    follow: Annotated[
        bool, Query(description="If false, the response ends after the events that have already happened.")
    ] = True,
) -> Response:
    """Follow what happens, as server-sent events.

    Without `Last-Event-ID` the stream starts now. If the event of that id was deleted (after 7 days), the first event
    is `reset`, and the stream starts now. A client that reads too slowly is disconnected and can resume.
    """
    wanted = Wanted(
        project_id=await projects.resolve(session, project) if project is not None else None,
        document_id=document,
        batch_id=batch,
        types=frozenset(types) if types else None,
    )
    await _check_existence(session, wanted)
    listener = Listener(caller.scope, wanted, caller.credential)
    waiting.events.admit(listener)
    return EventStream(
        waiting.events.stream(listener, after=resume or last_event_id, follow=follow),
        on_leave=listener.end,
        on_end=lambda: waiting.events.leave(listener),
    )


async def _check_existence(session: TenantSession, wanted: Wanted) -> None:
    """Raises NotFound: a stream about something that does not exist would stay silent forever."""
    if wanted.document_id is not None and not await documents.projects_of(session, [wanted.document_id]):
        raise NotFound("Document not found.")
    if wanted.batch_id is not None and await batches.find(session, wanted.batch_id) is None:
        raise NotFound("Batch not found.")
