"""Legal holds: what must not be deleted, whatever else says so."""

from uuid import UUID

from fastapi import Response

from docsieve.api.access import Admin, Session
from docsieve.api.cursors import Before, Limit, next_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.wire.holds import HoldCreate, HoldPage, HoldRead
from docsieve.db.retention import holds as rows
from docsieve.db.retention.holds import Hold
from docsieve.errors import NotFound
from docsieve.errors.retention import AlreadyHeld
from docsieve.services.retention import holds

router = Router(prefix="/holds", tags=["admin"], responses=COMMON)


@router.get("", response_model=HoldPage)
async def list_holds(caller: Admin, session: Session, before: Before, limit: Limit = 50) -> HoldPage:
    """List legal holds, newest first."""
    found = await rows.list_page(session, before=before, limit=limit)
    return HoldPage(holds=[HoldRead.model_validate(each) for each in found], next_cursor=next_cursor(found, limit))


@router.post("", response_model=HoldRead, status_code=201, responses=problems(NotFound, AlreadyHeld))
async def place_hold(body: HoldCreate, caller: Admin, session: Session) -> Hold:
    """Place a legal hold. Until it is released, no request, rule or clean-up deletes what it covers."""
    return await holds.place(session, body.held(), reason=body.reason)


@router.delete("/{hold_id}", status_code=204, responses=problems(NotFound))
async def release_hold(hold_id: UUID, caller: Admin, session: Session) -> Response:
    """Release a legal hold. What is past its time is deleted with the next run of the retention task."""
    await holds.release(session, hold_id)
    return Response(status_code=204)
