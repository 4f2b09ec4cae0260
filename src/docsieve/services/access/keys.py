"""Creates and verifies API keys.

A key looks like `ds_<id>_<secret>`. The id identifies the row, and only a hash of the key is stored. The secret has 192
random bits, so a plain SHA-256 is as secure as a slow hash and keeps requests fast.
"""

import hashlib
import hmac
import re
import secrets
from datetime import datetime
from uuid import UUID

from docsieve.db.access import keys, tenants
from docsieve.db.access.keys import ApiKey, Holder
from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Session
from docsieve.domain.audit import Action
from docsieve.errors import NotFound
from docsieve.errors.retention import TenantDeleted
from docsieve.services.access import projects

SCOPES = ("read", "write", "admin")
BOOTSTRAP = "bootstrap"
DASHBOARD = "dashboard"  # used by one-time sign-in links; its plain text is not known to anyone

_FORM = re.compile(r"ds_([a-z0-9]{6,32})_[A-Za-z0-9]{16,}")


def id_of(presented: str) -> str:
    """The public part. An operator's own bootstrap key may have any form and is identified by its hash instead."""
    match = _FORM.fullmatch(presented)
    return match[1] if match else hashlib.sha256(presented.encode()).hexdigest()[:16]


def _hash(presented: str) -> bytes:
    return hashlib.sha256(presented.encode()).digest()


def new_key() -> str:
    return f"ds_{secrets.token_hex(6)}_{secrets.token_hex(24)}"


async def create(
    connection: Connection,
    tenant_id: UUID,
    *,
    name: str,
    scopes: list[str],
    project_id: UUID | None = None,
    expires_at: datetime | None = None,
    presented: str | None = None,
) -> tuple[ApiKey, str]:
    """Store a key and return it with its plain text, which cannot be retrieved later. Raises TenantDeleted."""
    if await tenants.is_being_deleted(connection, tenant_id):
        raise TenantDeleted
    presented = presented or new_key()
    key = await keys.insert(
        connection,
        tenant_id,
        id_of(presented),
        _hash(presented),
        name=name,
        scopes=scopes,
        project_id=project_id,
        expires_at=expires_at,
    )
    return key, presented


async def issue(
    session: Session, *, name: str, scopes: list[str], project: str | None, expires_at: datetime | None
) -> tuple[ApiKey, str]:
    """Create a key for the session's tenant. If the caller's key is restricted to a project, so is the new one."""
    project_id = session.scope.project_id if project is None else await projects.resolve(session, project)
    key, presented = await create(
        session.connection,
        session.scope.tenant_id,
        name=name,
        scopes=list(dict.fromkeys(scopes)),
        project_id=project_id,
        expires_at=expires_at,
    )
    session.audit(Action.key_created, "key", key.id, described(key), project_id=project_id)
    return key, presented


def described(key: ApiKey) -> dict[str, object]:
    """The details of a key for the audit log."""
    return {"name": key.name, "scopes": key.scopes, "project": key.project, "expires_at": key.expires_at}


async def revoke(session: Session, key_id: str) -> ApiKey:
    """Revoke a key, effective with the next request. Raises NotFound."""
    key = await keys.revoke(session, key_id)
    if key is None:
        raise NotFound("API key not found.")
    session.audit(Action.key_revoked, "key", key.id, {"name": key.name})
    return key


async def verify(connection: Connection, presented: str) -> Holder | None:
    """The holder of this key, or None if it is invalid, expired or revoked."""
    holder = await keys.find_holder(connection, id_of(presented))
    expected = holder.secret_hash if holder is not None else bytes(32)
    return holder if hmac.compare_digest(expected, _hash(presented)) else None


async def is_known(connection: Connection, presented: str) -> bool:
    """Whether there is or was such a key."""
    return await keys.owner_and_name(connection, id_of(presented)) is not None


async def owner_of(connection: Connection, presented: str) -> tuple[str, UUID, str] | None:
    """Id, tenant and name of the key that this claims to be, valid or not."""
    owner = await keys.owner_and_name(connection, id_of(presented))
    return (id_of(presented), *owner) if owner is not None else None


async def may_bootstrap(connection: Connection, tenant_id: UUID, presented: str) -> bool:
    """Whether this key is unknown, or is the bootstrap key of an earlier start."""
    known = await keys.owner_and_name(connection, id_of(presented))
    return known is None or known == (tenant_id, BOOTSTRAP)


def allows(holder: Holder, scope: str) -> bool:
    """`admin` includes `write`, which includes `read`."""
    return any(SCOPES.index(held) >= SCOPES.index(scope) for held in holder.scopes)
