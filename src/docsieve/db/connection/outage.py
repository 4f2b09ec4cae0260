"""Database outages: the one place that distinguishes them from bugs, and the one that retries through them.

Every statement runs inside `translate_outages`, so callers handle a single error, DatabaseUnavailable.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.hosts import open_connection
from docsieve.errors import DatabaseUnavailable
from docsieve.errors.setup import DatabaseTlsFailed
from docsieve.errors.tls import tls_problem
from docsieve.logs import get_logger

log = get_logger()

T = TypeVar("T")

_FIRST_PAUSE_SECONDS = 0.05
_MAX_PAUSE_SECONDS = 2.0

# Raised while PostgreSQL restarts, fails over, hangs or runs out of a resource; all of these are temporary.
_TEMPORARY = (
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresIOError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    # a server that was demoted
    asyncpg.ReadOnlySQLTransactionError,
    # a standby that is not promoted yet; and a connection on which the server has said why it ends, but not yet ended
    asyncpg.InternalClientError,
)


@contextmanager
def translate_outages(connection: Connection | None = None) -> Iterator[None]:
    """Raise DatabaseUnavailable for an outage; other errors pass unchanged.

    Pass no connection while connecting: an OSError then comes from the attempt. Once connected, an OSError belongs to
    other work done inside the block, such as reading a file.
    """
    try:
        yield
    except asyncpg.DiskFullError as error:
        raise DatabaseUnavailable("The disk of the database server is full.") from error
    except _TEMPORARY as error:
        raise DatabaseUnavailable from error
    except asyncpg.InterfaceError as error:
        # asyncpg also raises it for mistakes in our calls, which leave the connection open
        if connection is None or not connection.is_closed():
            raise
        raise DatabaseUnavailable from error
    except OSError as error:
        if connection is not None:
            raise
        if (problem := tls_problem(error)) is not None:
            raise DatabaseTlsFailed(f"No TLS connection to the database server: {problem}.") from error
        raise DatabaseUnavailable from error


async def connect(
    url: str, *, seconds: float, command_seconds: float | None, statement_cache_size: int = 0, **settings: str
) -> Connection:
    """Connect within `seconds`; each statement on the connection may take `command_seconds`."""
    with translate_outages():
        return await open_connection(
            url,
            seconds=seconds,
            command_timeout=command_seconds,
            statement_cache_size=statement_cache_size,
            server_settings=settings or None,
        )


class Persist(Protocol):
    """Runs a read or write again until the database answers, up to a deadline."""

    def __call__(self, work: Callable[[], Awaitable[T]], /) -> Awaitable[T]: ...


async def retry_through_outages(work: Callable[[], Awaitable[T]], *, seconds: float) -> T:
    """Run `work` until the database answers, for at most `seconds`.

    `work` may run twice although the first run was committed, so a write must be fenced or otherwise idempotent.
    """
    deadline = asyncio.get_running_loop().time() + seconds
    pause = _FIRST_PAUSE_SECONDS
    while True:
        try:
            return await work()
        except DatabaseUnavailable as error:
            if asyncio.get_running_loop().time() + pause > deadline:
                raise
            log.warning("database_unreachable", error=error.reason, retry_in=pause)
            await asyncio.sleep(pause)
            pause = min(pause * 2, _MAX_PAUSE_SECONDS)
