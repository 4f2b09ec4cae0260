"""Applies migrations. Several processes may try at the same time."""

from importlib import resources

from docsieve.db.connection import health
from docsieve.db.connection.driver import Connection
from docsieve.db.connection.outage import connect, translate_outages
from docsieve.errors.setup import ExtensionMissing

_SECONDS = 30.0


def newest() -> str:
    """The revision that this release expects. The file name of a migration begins with its revision."""
    versions = resources.files("docsieve.db.migrations") / "versions"
    return max(file.name.partition("_")[0] for file in versions.iterdir() if file.name[:1].isdigit())


async def applied(connection: Connection) -> str | None:
    """The revision of the database, or None before the first migration."""
    if await connection.fetchval("select to_regclass('alembic_version')") is None:
        return None
    revision: str | None = await connection.fetchval("select version_num from alembic_version")
    return revision


async def migrate(database_url: str) -> None:
    """Apply missing migrations. Other processes wait for a lock and then find nothing to do.

    A database that a newer release has migrated is not changed: during a rolling upgrade both releases use it. Raises
    ExtensionMissing.
    """
    connection = await connect(database_url, seconds=_SECONDS, command_seconds=_SECONDS)
    try:
        with translate_outages(connection):
            if (await applied(connection) or "") >= newest():
                return
            lacking = health.missing_packages(connection, await health.extensions(connection))
            if lacking:
                packages = " and ".join(sorted({*lacking.values()}))
                raise ExtensionMissing(f"The database server lacks {', '.join(lacking)}. Install {packages} on it.")
    finally:
        connection.terminate()
    # alembic and SQLAlchemy: 340 ms of processor time, and a start rarely has anything to migrate
    from docsieve.db.migrations.runner import upgrade

    await upgrade(database_url)
