"""What a long request was let in by, and whether it still holds."""

from collections.abc import Collection
from dataclasses import dataclass

from docsieve.db.access import keys, sessions
from docsieve.db.connection.driver import Connection
from docsieve.settings import Settings


@dataclass(frozen=True, slots=True)
class Credential:
    """A key, or a dashboard session that acts for it. `session` is the hash of its token."""

    key_id: str
    session: bytes | None = None


async def still_valid(
    connection: Connection, settings: Settings, given: Collection[Credential]
) -> frozenset[Credential]:
    """Those whose key was not revoked and has not expired, and whose session has not ended. None becomes active."""
    held = await keys.held(connection, {each.key_id for each in given})
    tokens = {each.session for each in given if each.session is not None}
    alive = await sessions.alive(connection, tokens, idle_seconds=settings.session_idle_hours * 3600)
    return frozenset(each for each in given if each.key_id in held and (each.session is None or each.session in alive))
