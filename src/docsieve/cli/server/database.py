"""The database a command connects to: the configured one, or the embedded one under the data directory."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.db.server.embedded import EmbeddedServer, running_url
from docsieve.errors.setup import DatabaseUnreachable
from docsieve.settings import Settings

_CONNECT_SECONDS = 10.0
_CHECK_ADDRESS = "Start PostgreSQL, or fix the host and port in DOCSIEVE_DATABASE_URL."


async def connect(url: str) -> Connection:
    """A connection outside the pool, which also works through PgBouncer. Errors never quote the URL's password."""
    try:
        return await asyncpg.connect(url, timeout=_CONNECT_SECONDS, statement_cache_size=0)
    except asyncpg.InvalidCatalogNameError as error:
        raise DatabaseUnreachable(
            str(error), "Create it, or fix the database name in DOCSIEVE_DATABASE_URL."
        ) from error
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        raise DatabaseUnreachable(str(error), "Fix the user and password in DOCSIEVE_DATABASE_URL.") from error
    except asyncpg.PostgresError as error:
        raise DatabaseUnreachable(str(error), "Check PostgreSQL's log.") from error
    except TimeoutError as error:
        raise DatabaseUnreachable(f"no response within {_CONNECT_SECONDS:.0f} s", _CHECK_ADDRESS) from error
    except OSError as error:
        raise DatabaseUnreachable(str(error), _CHECK_ADDRESS) from error
    except (asyncpg.InterfaceError, ValueError) as error:
        raise DatabaseUnreachable(
            "DOCSIEVE_DATABASE_URL is not a PostgreSQL URL",
            "Use the form postgresql://user:password@host:5432/database.",
        ) from error


async def knock(url: str) -> None:
    """Raise DatabaseUnreachable, which says how to fix it, if connecting fails."""
    await (await connect(url)).close()


@contextmanager
def reachable_database_url(settings: Settings) -> Iterator[str]:
    """Like `database_url`, but checks the connection first, so that a failure is reported in one line."""
    with database_url(settings) as url:
        asyncio.run(knock(url))
        yield url


@contextmanager
def database_url(settings: Settings) -> Iterator[str]:
    """Use the running server, or run the embedded one until the context exits."""
    url = settings.database_url.get_secret_value() if settings.database_url else running_url(settings.data_dir)
    if url is not None:
        yield url
        return
    server = EmbeddedServer(settings.data_dir)
    try:
        yield server.start()
    finally:
        server.stop()
