"""Signing secrets: shown once when they are made, stored encrypted, replaced with an overlap."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.webhooks import secrets
from docsieve.sealer import Sealer
from docsieve.webhooks import new_secret

OVERLAP_HOURS = 24.0
"""After a rotation, messages are signed with the old secret too for so long."""


@dataclass(frozen=True, slots=True)
class NewSecret:
    """The secret in plain text, which cannot be retrieved later, and until when the one before it also signs."""

    secret: str
    previous_until: datetime | None


async def rotate(session: Session, sealer: Sealer, endpoint_id: UUID | None) -> NewSecret:
    """Make a new secret for an endpoint, or for the one-off URLs of the tenant."""
    until = await secrets.expire(session, endpoint_id, "hmac", seconds=OVERLAP_HOURS * 3600)
    secret = new_secret()
    await secrets.add(session, endpoint_id, "hmac", sealer.seal(secret))
    return NewSecret(secret, until)


async def for_one_off_urls(session: Session, sealer: Sealer) -> list[bytes]:
    """The sealed secrets of the tenant that sign now. If there is none, one is made."""
    valid = await secrets.valid(session, None)
    if not valid:
        await secrets.add(session, None, "hmac", sealer.seal(new_secret()))
        valid = await secrets.valid(session, None)  # perhaps of another worker
    return [sealed for _, sealed in valid]
