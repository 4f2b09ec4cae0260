"""Sessions of the dashboard and the links that begin them, both by the hash of their secret."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from docsieve.db.access.keys import HELD, HOLDER, HOLDER_TABLES, Holder
from docsieve.db.connection.driver import Connection
from docsieve.db.old_rows import delete_or_count

# `seen_at` is updated at most this often, so that polling does not cause writes.
_SEEN_EVERY = "interval '1 minute'"


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A valid session: the holder of its key, and when it expires."""

    holder: Holder
    expires_at: datetime


async def insert(connection: Connection, token_hash: bytes, key_id: str, *, seconds: float) -> None:
    await connection.execute(
        """
        insert into sessions (token_hash, key_id, expires_at)
        values ($1, $2, clock_timestamp() + make_interval(secs => $3))
        """,
        token_hash,
        key_id,
        seconds,
    )


async def find(connection: Connection, token_hash: bytes, *, idle_seconds: float) -> SignedIn | None:
    """The session, if neither it nor its key has expired. Marks the session as active."""
    row = await connection.fetchrow(
        f"""
        select {HOLDER}, least(sessions.expires_at, api_keys.expires_at),
               seen_at < clock_timestamp() - {_SEEN_EVERY}
        from sessions join {HOLDER_TABLES} on api_keys.id = sessions.key_id
        where token_hash = $1 and sessions.expires_at > clock_timestamp()
          and seen_at > clock_timestamp() - make_interval(secs => $2) and {HELD}
        """,
        token_hash,
        idle_seconds,
    )
    if row is None:
        return None
    *holder, expires_at, stale = row
    if stale:
        await connection.execute("update sessions set seen_at = clock_timestamp() where token_hash = $1", token_hash)
    return SignedIn(Holder(*holder), expires_at)


async def alive(connection: Connection, token_hashes: Collection[bytes], *, idle_seconds: float) -> set[bytes]:
    """Those of the sessions that have not ended. Asking does not mark them as active."""
    rows = await connection.fetch(
        """
        select token_hash from sessions
        where token_hash = any($1::bytea[]) and expires_at > clock_timestamp()
          and seen_at > clock_timestamp() - make_interval(secs => $2)
        """,
        list(token_hashes),
        idle_seconds,
    )
    return {row[0] for row in rows}


async def delete(connection: Connection, token_hash: bytes) -> None:
    await connection.execute("delete from sessions where token_hash = $1", token_hash)


async def lock_links(connection: Connection, tenant_id: UUID) -> None:
    """Prevents others from creating links for this tenant until the transaction ends."""
    await connection.execute("select from tenants where id = $1 for no key update", tenant_id)


async def replace_link(connection: Connection, token_hash: bytes, key_id: str, *, seconds: float) -> None:
    """Replace earlier links of the key."""
    await connection.execute("delete from sign_in_links where key_id = $1", key_id)
    await connection.execute(
        """
        insert into sign_in_links (token_hash, key_id, expires_at)
        values ($1, $2, clock_timestamp() + make_interval(secs => $3))
        """,
        token_hash,
        key_id,
        seconds,
    )


async def use_link(connection: Connection, token_hash: bytes) -> str | None:
    """Use up a link and return its key. Of several concurrent callers, only one gets it."""
    key_id: str | None = await connection.fetchval(
        "delete from sign_in_links where token_hash = $1 and expires_at > clock_timestamp() returning key_id",
        token_hash,
    )
    return key_id


async def prune(connection: Connection, *, idle_seconds: float, limit: int, dry_run: bool) -> int:
    """Delete sessions that have expired or were idle for too long."""
    return await delete_or_count(
        connection,
        "sessions",
        """
        where expires_at < clock_timestamp() or seen_at < clock_timestamp() - make_interval(secs => $1) limit $2
        """,
        idle_seconds,
        limit,
        dry_run=dry_run,
    )


async def prune_links(connection: Connection, *, limit: int, dry_run: bool) -> int:
    """Delete sign-in links that have expired."""
    return await delete_or_count(
        connection, "sign_in_links", "where expires_at < clock_timestamp() limit $1", limit, dry_run=dry_run
    )
