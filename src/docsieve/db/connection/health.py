"""What an operator asks the database about itself."""

from docsieve.db.connection.driver import Connection, Record

_ROLES = """
select wanted, roles.oid is not null, coalesce(pg_has_role(current_user, roles.oid, 'member'), false),
       coalesce(rolsuper or rolbypassrls, false)
from unnest(array['docsieve_app', 'docsieve_system']) as wanted left join pg_roles roles on rolname = wanted
"""

_UNWALLED = """
select relname from pg_class
where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
  and (relname = 'tenants' or exists (
      select from pg_attribute where attrelid = pg_class.oid and attname = 'tenant_id' and not attisdropped))
  and not (relrowsecurity and relforcerowsecurity)
order by relname
"""

_OLDEST_TRANSACTION = """
select pid, state, extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
  and xact_start is not null
order by xact_start limit 1
"""

_EXPIRED_LEASES = """
select count(*) from jobs
where status = 'processing' and lock_expires_at < clock_timestamp() - make_interval(secs => $1)
"""


async def installed_versions(connection: Connection, extensions: list[str]) -> dict[str, str | None]:
    """The extensions this server offers, each with the version installed here, or None."""
    rows = await connection.fetch(
        "select name, installed_version from pg_available_extensions where name = any($1)", extensions
    )
    return {row["name"]: row["installed_version"] for row in rows}


async def roles(connection: Connection) -> list[Record]:
    """For each role we need: its name, whether it exists, whether we may become it, whether walls do not bind it."""
    return await connection.fetch(_ROLES)


async def tables_without_walls(connection: Connection) -> list[str]:
    """Tables with tenants' rows on which row-level security is not forced."""
    return [row["relname"] for row in await connection.fetch(_UNWALLED)]


async def oldest_transaction(connection: Connection) -> Record | None:
    return await connection.fetchrow(_OLDEST_TRANSACTION)


async def expired_leases(connection: Connection, *, older_than_seconds: float) -> int:
    count: int = await connection.fetchval(_EXPIRED_LEASES, older_than_seconds)
    return count
