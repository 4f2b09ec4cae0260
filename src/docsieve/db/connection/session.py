"""Database connections, and transactions that see one tenant."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.db.audit.append import append
from docsieve.db.connection.driver import Connection
from docsieve.db.connection.outage import connect, translate_outages
from docsieve.db.connection.pool import PATIENT, Patience, Pool
from docsieve.db.queue.wake import Waker
from docsieve.domain.audit import Action, NewEntry
from docsieve.domain.scope import Scope
from docsieve.errors import DatabaseUnavailable, DocsieveError, Unauthorized
from docsieve.errors.access import QuotaExceeded
from docsieve.errors.retention import LegalHold

# A forgotten transaction keeps vacuum from cleaning the queue, which then slows down tenfold.
_GUARDS = {"application_name": "docsieve", "idle_in_transaction_session_timeout": "60s"}


async def _behind_pooler(url: str, patience: Patience) -> bool:
    """PostgreSQL tells a new connection the id of its process; a pooler, which has none yet, makes one up."""
    connection = await connect(url, seconds=patience.acquire_seconds, command_seconds=patience.command_seconds)
    try:
        with translate_outages(connection):
            return bool(await connection.fetchval("select pg_backend_pid()") != connection.get_server_pid())
    finally:
        connection.terminate()


# error codes of our own functions in the database
_HELD = "DS451"
KEY_REFUSED = "DS401"
QUOTA_USED = "DS402"


def refusal(error: asyncpg.PostgresError) -> DocsieveError | None:
    """What an error of the database means, if one of our functions raised it for any kind of request."""
    if error.sqlstate == _HELD:
        return LegalHold(str(error))
    if error.sqlstate == KEY_REFUSED:
        return Unauthorized("The API key was revoked or has expired.")
    if error.sqlstate == QUOTA_USED:
        return QuotaExceeded(f"The tenant's monthly quota of {error} is used up.")
    return None


def _beginning(scope: Scope, api_key: str | None) -> str:
    """All that a transaction starts with, in one round trip. UUIDs and key ids contain nothing to quote."""
    assert api_key is None or api_key.isalnum()
    check = f" select require_key('{scope.tenant_id}', '{api_key}');" if api_key is not None else ""
    return (
        f"begin;{check} set local role docsieve_app; set local docsieve.tenant_id = '{scope.tenant_id}';"
        f" set local docsieve.project_id = '{scope.project_id or ''}'"
    )


class Session:
    """One transaction of one tenant, what it adds to the audit log, and the notifications to send after its commit."""

    def __init__(self, connection: Connection, scope: Scope) -> None:
        self.connection = connection
        self.scope = scope
        self.woken: set[str] = set()
        self.stopped: set[UUID] = set()
        self.audited: list[NewEntry] = []

    def audit(
        self,
        action: Action,
        object_type: str,
        object_id: UUID | str | None,
        details: Mapping[str, Any] | None = None,
        *,
        project_id: UUID | None = None,
    ) -> None:
        """Record what the scope's actor did. Written just before the commit, and only if there is one.

        `details` must not contain document text, values or secrets. Without a `project_id`, the entry belongs to the
        project that the scope is restricted to, if any.
        """
        named = str(object_id) if object_id is not None else None
        self.audited.append(NewEntry(action, object_type, named, project_id or self.scope.project_id, details or {}))


class Database:
    """The pool. Requests and handlers use `tenant`; `system` sees all tenants and is for the queue and maintenance.

    `listen_url` is where notifications arrive; None behind a pooler whose direct URL is unknown.
    """

    def __init__(self, pool: Pool, url: str, listen_url: str | None) -> None:
        self.pool = pool
        self.url = url
        self.listen_url = listen_url
        self.waker = Waker(pool)

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        direct_url: str | None = None,
        connections: int = 10,
        patience: Patience = PATIENT,
    ) -> "Database":
        # a wrong URL or password is reported here instead of at the first request
        pooled = await _behind_pooler(url, patience)
        pool = Pool(
            url,
            most=connections,
            # a pooler in transaction mode may use a different server process per transaction, which does not have the
            # prepared statements, and rejects unknown settings; the server's own configuration has to suffice there
            statement_cache_size=0 if pooled else 200,
            settings=None if pooled else _GUARDS,
            patience=patience,
        )
        return cls(pool, url, direct_url or (None if pooled else url))

    async def close(self) -> None:
        await self.waker.close()
        await self.pool.close()

    @asynccontextmanager
    async def tenant(self, scope: Scope, *, api_key: str | None = None) -> AsyncIterator[Session]:
        """A transaction that sees one tenant, enforced by row-level security.

        With the id of an `api_key`, raises Unauthorized unless the key is valid. Raises DatabaseUnavailable for an
        outage. If it happened during the commit, the outcome is unknown. Raises LegalHold if something was to be
        deleted that must be kept, and QuotaExceeded for documents beyond the tenant's quota.
        """
        async with self.pool.acquire() as connection:
            try:
                with translate_outages(connection):
                    await connection.execute(_beginning(scope, api_key))
                    session = Session(connection, scope)
                    yield session
                    await append(connection, scope.tenant_id, scope.actor, session.audited)
                    await connection.execute("commit")
            except DatabaseUnavailable:
                raise  # the pool closes the connection, which rolls back
            except Exception as error:
                if not connection.is_closed():
                    await connection.execute("rollback")
                if isinstance(error, asyncpg.PostgresError) and (reason := refusal(error)) is not None:
                    raise reason from error
                raise
        self.waker.wake(session.woken)
        self.waker.cancel(session.stopped)

    @asynccontextmanager
    async def system(self) -> AsyncIterator[Connection]:
        """A connection that sees all tenants, each statement its own transaction."""
        async with self.pool.acquire() as connection:
            yield connection
