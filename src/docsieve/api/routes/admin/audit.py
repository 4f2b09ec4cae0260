"""The audit log of the caller's tenant."""

from typing import Annotated

from fastapi import Depends, Query
from fastapi.responses import StreamingResponse

from docsieve.api.access import Admin, Resources, Session
from docsieve.api.cursors import Limit, SortedCursor, read_cursor, write_cursor
from docsieve.api.problems import COMMON
from docsieve.api.routing import Router
from docsieve.api.text import Text
from docsieve.api.wire.audit import AuditEntryRead, AuditHead, AuditPage
from docsieve.api.wire.base import Moment
from docsieve.db.audit import log
from docsieve.db.audit.log import AuditFilter
from docsieve.domain.audit import Action
from docsieve.services.audit import export
from docsieve.services.audit.export import MEDIA_TYPES, Format

router = Router(prefix="/audit", tags=["admin"], responses=COMMON)


async def _filter(
    actor: Annotated[Text | None, Query(description="The id of an API key, or the name of a rule.")] = None,
    action: Action | None = None,
    object_type: Annotated[Text | None, Query(description="Such as `document`, `key` or `project`.")] = None,
    object_id: Text | None = None,
    since: Moment | None = None,
    until: Annotated[Moment | None, Query(description="Only entries before this time.")] = None,
) -> AuditFilter:
    return AuditFilter(actor, action, object_type, object_id, since, until)


Wanted = Annotated[AuditFilter, Depends(_filter)]


@router.get("", response_model=AuditPage)
async def list_audit(
    caller: Admin, session: Session, wanted: Wanted, cursor: SortedCursor = None, limit: Limit = 50
) -> AuditPage:
    """List what was done, newest first: who, what, when and from where. Nothing in the log can be changed."""
    before: int | None = read_cursor(cursor, (int,))[0] if cursor is not None else None
    entries = await log.list_page(session, wanted, before=before, limit=limit)
    head = await log.head(session.connection, caller.scope.tenant_id)
    return AuditPage(
        entries=[AuditEntryRead.of(each) for each in entries],
        head=AuditHead.of(head) if head is not None else None,
        next_cursor=write_cursor(entries[-1].number) if len(entries) == limit else None,
    )


@router.get(
    "/export",
    response_class=StreamingResponse,
    responses={
        200: {
            "content": {each: {"schema": {"type": "string", "format": "binary"}} for each in MEDIA_TYPES.values()},
            "description": "The file",
        }
    },
)
async def export_audit(
    caller: Admin,
    resources: Resources,
    wanted: Wanted,
    format: Annotated[Format, Query(description="The kind of file.")],
) -> StreamingResponse:
    """Export the log as CSV or JSON lines, oldest entries first. The export itself is recorded in the log."""
    content = await export.start(resources.database, caller.scope, wanted, format)
    return StreamingResponse(
        content,
        media_type=MEDIA_TYPES[format],
        headers={"Content-Disposition": f'attachment; filename="audit.{format}"'},
    )
