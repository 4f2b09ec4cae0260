"""API keys of the caller's tenant."""

from dataclasses import asdict

from docsieve.api.access import Admin, Session
from docsieve.api.cursors import Limit, SortedCursor, cut
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.text import Text
from docsieve.api.wire.keys import KeyCreate, KeyCreated, KeyPage, KeyRead
from docsieve.db.access import keys
from docsieve.db.access.keys import ApiKey
from docsieve.db.connection.session import Session as TenantSession
from docsieve.errors import NotFound, UnknownProject
from docsieve.services.access import keys as service

router = Router(prefix="/keys", tags=["admin"], responses=COMMON)


async def issue(session: TenantSession, wanted: KeyCreate) -> KeyCreated:
    key, presented = await service.issue(session, **dict(wanted))
    return KeyCreated(**asdict(key), key=presented)


@router.get("", response_model=KeyPage)
async def list_keys(caller: Admin, session: Session, cursor: SortedCursor = None, limit: Limit = 50) -> KeyPage:
    """List API keys, oldest first, including revoked ones."""
    listed = await keys.list_all(session)
    page, following = cut(listed, lambda each: (each.created_at.timestamp(), each.id), cursor, limit)
    return KeyPage(keys=[KeyRead.model_validate(each) for each in page], next_cursor=following)


@router.post("", response_model=KeyCreated, status_code=201, responses=problems(UnknownProject))
async def create_key(body: KeyCreate, caller: Admin, session: Session) -> KeyCreated:
    """Create an API key. Only this response contains the key itself."""
    return await issue(session, body)


@router.delete("/{key_id}", response_model=KeyRead, responses=problems(NotFound))
async def revoke_key(key_id: Text, caller: Admin, session: Session) -> ApiKey:
    """Revoke an API key. Takes effect with the next request."""
    return await service.revoke(session, key_id)
