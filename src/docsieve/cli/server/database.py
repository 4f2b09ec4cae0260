"""The database a command connects to: the configured one, or the embedded one under the data directory."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.db.connection.hosts import open_connection
from docsieve.db.server.embedded import EmbeddedServer, running_url
from docsieve.errors.setup import DatabaseTlsFailed, DatabaseUnreachable
from docsieve.errors.tls import tls_problem
from docsieve.settings import Settings

_CONNECT_SECONDS = 10.0
_CHECK_TLS = "Check sslmode, sslrootcert, sslcert, sslkey and the host name in DOCSIEVE_DATABASE_URL."
_CHECK_ADDRESS = "Start PostgreSQL, or fix the host and port in DOCSIEVE_DATABASE_URL."


async def connect(url: str) -> Connection:
    """A connection outside the pool, which also works through PgBouncer. Errors never quote the URL's password."""
    try:
        return await open_connection(url, seconds=_CONNECT_SECONDS, statement_cache_size=0)
    except asyncpg.InvalidCatalogNameError as error:
        raise DatabaseUnreachable(
            str(error), "Create it, or fix the database name in DOCSIEVE_DATABASE_URL."
        ) from error
    except asyncpg.InvalidAuthorizationSpecificationError as error:
        remedy = "Fix the user, password or client certificate in DOCSIEVE_DATABASE_URL."
        raise DatabaseUnreachable(str(error), remedy) from error
    except asyncpg.PostgresError as error:
        raise DatabaseUnreachable(str(error), "Check PostgreSQL's log.") from error
    except FileNotFoundError as error:
        if (missing := _missing_file(url)) is None:
            raise DatabaseUnreachable(str(error), _CHECK_ADDRESS) from error
        reason = f"the file {missing} does not exist"
        raise DatabaseUnreachable(reason, _CHECK_TLS, code=DatabaseTlsFailed.code) from error
    except TimeoutError as error:
        raise DatabaseUnreachable(f"no response within {_CONNECT_SECONDS:.0f} s", _CHECK_ADDRESS) from error
    except OSError as error:
        if (problem := tls_problem(error)) is not None:
            raise DatabaseUnreachable(problem, _CHECK_TLS, code=DatabaseTlsFailed.code) from error
        raise DatabaseUnreachable(str(error), _CHECK_ADDRESS) from error
    except asyncpg.TargetServerAttributeNotMatched as error:
        raise DatabaseUnreachable("no host accepts writes", "Promote a standby, or start the primary.") from error
    except (asyncpg.InterfaceError, ValueError) as error:
        if "root certificate" in str(error):
            reason = "sslmode is set, but there is no certificate to verify the server with"
            raise DatabaseUnreachable(reason, _CHECK_TLS, code=DatabaseTlsFailed.code) from error
        raise DatabaseUnreachable(
            "DOCSIEVE_DATABASE_URL is not a PostgreSQL URL",
            "Use the form postgresql://user:password@host:5432/database.",
        ) from error


def _missing_file(url: str) -> str | None:
    """A file that the URL names and that does not exist."""
    options = dict(parse_qsl(urlsplit(url).query))
    named = (options[each] for each in ("sslrootcert", "sslcert", "sslkey", "sslcrl") if each in options)
    return next((each for each in named if not Path(each).exists()), None)


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
