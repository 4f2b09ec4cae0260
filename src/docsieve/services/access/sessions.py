"""Sign-in with a key or a one-time link. A session has the key's rights until either of them ends.

The browser stores the session token in a cookie that scripts cannot read. The CSRF token is derived from it and sent
only to our own pages, so nothing needs to be stored to check it. Neither can be derived from the database.
"""

import hashlib
import hmac
import secrets
from uuid import UUID

from docsieve.db.access import keys as key_rows
from docsieve.db.access import sessions
from docsieve.db.access.keys import Holder
from docsieve.db.access.sessions import SignedIn
from docsieve.db.audit.append import append
from docsieve.db.connection.driver import Connection
from docsieve.domain.audit import COMMAND_LINE, Action, NewEntry, Source
from docsieve.errors import NotFound, Unauthorized
from docsieve.errors.access import LinkExpired, SessionExpired
from docsieve.services.access import keys
from docsieve.settings import Settings

LINK_SECONDS = 600.0
SESSION_SECONDS = 7 * 86400  # whether it is idle or not


def hash_of(token: str) -> bytes:
    """The stored value instead of a token."""
    return hashlib.sha256(token.encode()).digest()


def csrf_token(token: str) -> str:
    return hmac.digest(token.encode(), b"docsieve csrf", "sha256").hex()


async def sign_in_by_key(connection: Connection, presented: str, source: Source) -> str:
    """The token of a new session. Raises Unauthorized if the key is invalid, expired or revoked."""
    holder = await keys.verify(connection, presented)
    if holder is None:
        raise Unauthorized("The API key is invalid, expired or revoked.")
    return await _begin(connection, holder, source, by="key")


async def sign_in_by_link(connection: Connection, link: str, source: Source) -> str:
    """The token of a new session. The link works only once. Raises LinkExpired."""
    key_id = await sessions.use_link(connection, hash_of(link))
    holder = await key_rows.find_holder(connection, key_id) if key_id is not None else None
    if holder is None:
        raise LinkExpired
    return await _begin(connection, holder, source, by="link")


async def _begin(connection: Connection, holder: Holder, source: Source, *, by: str) -> str:
    token = secrets.token_urlsafe(32)
    await sessions.insert(connection, hash_of(token), holder.key_id, seconds=SESSION_SECONDS)
    entry = NewEntry(Action.signed_in, "key", holder.key_id, holder.project_id, {"by": by})
    await append(connection, holder.tenant_id, source.actor("session", holder.key_id, holder.name), [entry])
    return token


async def find(connection: Connection, settings: Settings, token: str) -> SignedIn:
    """Raises SessionExpired if the session has expired, was ended or never existed."""
    found = await sessions.find(connection, hash_of(token), idle_seconds=settings.session_idle_hours * 3600)
    if found is None:
        raise SessionExpired
    return found


async def sign_out(connection: Connection, token: str, source: Source) -> None:
    key_id = await sessions.delete(connection, hash_of(token))
    owner = await key_rows.owner_and_name(connection, key_id) if key_id is not None else None
    if key_id is not None and owner is not None:
        entry = NewEntry(Action.signed_out, "key", key_id, None, {})
        await append(connection, owner[0], source.actor("session", key_id, owner[1]), [entry])


async def new_link(connection: Connection, tenant_id: UUID, *, key_id: str | None = None) -> str:
    """Create a one-time token that signs in with the given key, or as the tenant's admin. Earlier ones are invalidated.

    Raises NotFound if the tenant has no such usable key.
    """
    await sessions.lock_links(connection, tenant_id)
    if key_id is None:
        key_id = await key_rows.find_admin_named(connection, tenant_id, keys.DASHBOARD) or await _dashboard_key(
            connection, tenant_id
        )
    else:
        holder = await key_rows.find_holder(connection, key_id)
        if holder is None or holder.tenant_id != tenant_id:
            raise NotFound(f"The tenant has no usable key {key_id}.")
    link = secrets.token_urlsafe(32)
    await sessions.replace_link(connection, hash_of(link), key_id, seconds=LINK_SECONDS)
    await append(connection, tenant_id, COMMAND_LINE, [NewEntry(Action.link_created, "key", key_id, None, {})])
    return link


async def _dashboard_key(connection: Connection, tenant_id: UUID) -> str:
    key, _ = await keys.create(connection, tenant_id, name=keys.DASHBOARD, scopes=["admin"])
    return key.id
