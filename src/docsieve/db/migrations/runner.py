"""Runs Alembic. Imported only when there is something to apply, because it is slow to import."""

import asyncio
from importlib import resources

from alembic import command, op
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from docsieve.db.connection.hosts import open_connection

_LOCK = 0x646F6373  # one advisory lock for all processes of one database
_TRIES = 10
_SECONDS = 60.0


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(resources.files("docsieve.db") / "migrations"))
    return config


def _engine(database_url: str) -> AsyncEngine:
    # The URL is not SQLAlchemy's, so that sockets, several hosts and TLS options work.
    return create_async_engine(
        "postgresql+asyncpg://",
        poolclass=NullPool,
        async_creator=lambda: open_connection(database_url, seconds=_SECONDS, statement_cache_size=0),
    )


def run_script(script: str) -> None:
    """Run a script in the current migration. SQLAlchemy prepares statements and so accepts only one at a time."""
    connection = op.get_bind().connection.dbapi_connection
    assert connection is not None
    connection.run_async(lambda driver: driver.execute(script))


def _upgrade(connection: Connection) -> None:
    connection.execute(text(f"select pg_advisory_xact_lock({_LOCK})"))
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


async def upgrade(database_url: str) -> None:
    """Apply missing migrations. Other processes wait for a lock and then find nothing to do."""
    engine = _engine(database_url)
    try:
        for attempt in range(_TRIES):
            try:
                async with engine.begin() as connection:
                    return await connection.run_sync(_upgrade)
            except DBAPIError as error:
                # Roles belong to the whole server: migrations of two databases can conflict while granting them.
                if "concurrently updated" not in str(error) or attempt == _TRIES - 1:
                    raise
                await asyncio.sleep(0.05 * (attempt + 1))
    finally:
        await engine.dispose()
