"""What a backup and a restore ask the database for, across all tenants."""

from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.db.migrations.roles import ROLES

_LOCK = 0x646F6362


async def try_lock(connection: Connection) -> bool:
    """Whether no other backup of this database is running. The lock ends with the connection."""
    free: bool = await connection.fetchval("select pg_try_advisory_lock($1)", _LOCK)
    return free


async def installation(connection: Connection) -> UUID | None:
    """What tells installations apart: the id of the first tenant, which a restored database has too."""
    found: UUID | None = await connection.fetchval("select id from tenants where name = 'default'")
    return found


async def data_keys(connection: Connection) -> frozenset[UUID]:
    """The keys that encrypt stored files."""
    return frozenset(row["id"] for row in await connection.fetch("select id from data_keys"))


async def has_tables(connection: Connection) -> bool:
    """Whether the database holds anything but extensions."""
    found: bool = await connection.fetchval(
        "select exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')"
        " and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e'))"
    )
    return found


async def create_roles(connection: Connection) -> None:
    """A dump of a database grants rights to roles, but does not contain them: they belong to the whole server."""
    await connection.execute(ROLES)
