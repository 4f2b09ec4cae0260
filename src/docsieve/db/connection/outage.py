"""When PostgreSQL is away: the one place that tells an outage from a bug.

Whatever reaches the database does so inside `outages_as_ours`, and callers know a single error, DatabaseUnavailable.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.errors import DatabaseUnavailable

# What a client sees while PostgreSQL restarts, fails over, hangs or runs out of something; all of it passes.
_PASSING = (
    TimeoutError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.InsufficientResourcesError,
    asyncpg.PostgresIOError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
)


@contextmanager
def outages_as_ours(connection: Connection | None = None) -> Iterator[None]:
    """Raise DatabaseUnavailable for an outage; everything else passes as it is.

    Without a connection one is being made, and an OSError comes from the attempt. With one, an OSError belongs to
    something else that was done meanwhile, such as reading a file.
    """
    try:
        yield
    except asyncpg.DiskFullError as error:
        raise DatabaseUnavailable("The disk of the database is full.") from error
    except _PASSING as error:
        raise DatabaseUnavailable from error
    except asyncpg.InterfaceError as error:
        # asyncpg uses it for mistakes in our calls too; those leave the connection open
        if connection is None or not connection.is_closed():
            raise
        raise DatabaseUnavailable from error
    except OSError as error:
        if connection is not None:
            raise
        raise DatabaseUnavailable from error


async def connect(
    url: str, *, seconds: float, command_seconds: float | None, statement_cache_size: int = 0, **settings: str
) -> Connection:
    """A connection made within `seconds`, each of whose statements may take `command_seconds`."""
    with outages_as_ours():
        return await asyncpg.connect(
            url,
            timeout=seconds,
            command_timeout=command_seconds,
            statement_cache_size=statement_cache_size,
            server_settings=settings or None,
        )
