"""What an operator asks the database about itself."""

from collections.abc import Collection

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

# All that keep vacuum from removing dead rows of this database. A slot does not say since when.
_SNAPSHOTS = """
select 'transaction' as kind, pid::text as name, state,
       extract(epoch from clock_timestamp() - xact_start)::float8 as seconds,
       coalesce(greatest(age(backend_xmin), age(backend_xid)), 0) as transactions
from pg_stat_activity
where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
  and xact_start is not null
union all
select 'prepared transaction', gid, 'prepared', extract(epoch from clock_timestamp() - prepared)::float8,
       age(transaction)
from pg_prepared_xacts where database = current_database()
union all
select 'replication slot', slot_name, case when active then 'active' else 'inactive' end, null, age(xmin)
from pg_replication_slots where xmin is not null
order by seconds desc nulls last, transactions desc
"""

_DEAD_ROWS = """
select relname as table, n_dead_tup as dead, n_live_tup as live
from pg_stat_user_tables
where schemaname = current_schema() and relname in ('jobs', 'job_counts', 'documents', 'extractions', 'events')
order by relname
"""

_EXPIRED_LEASES = """
select count(*) from jobs
where status = 'processing' and lock_expires_at < clock_timestamp() - make_interval(secs => $1)
"""


_CONTRIB = "PostgreSQL's contrib modules"
_PACKAGES = {
    "vector": "pgvector 0.8 or newer (Debian: postgresql-{version}-pgvector)",
    "pg_trgm": _CONTRIB,
    "btree_gin": _CONTRIB,
}


_EXTENSIONS = """
select name, installed_version from pg_available_extensions
where name = any($1)
  and (name <> 'vector' or string_to_array(substring(default_version from '^[0-9.]+'), '.')::integer[] >= '{0,8}')
"""


async def extensions(connection: Connection) -> dict[str, str | None]:
    """The extensions we need that this server offers, each with the version installed here, or None."""
    rows = await connection.fetch(_EXTENSIONS, list(_PACKAGES))
    return {row["name"]: row["installed_version"] for row in rows}


def missing_packages(connection: Connection, offered: Collection[str]) -> dict[str, str]:
    """What to install on the database server, by the extension that it does not offer."""
    version = connection.get_server_version().major
    return {name: package.format(version=version) for name, package in _PACKAGES.items() if name not in offered}


async def roles(connection: Connection) -> list[Record]:
    """For each role we need: its name, whether it exists, whether we may become it, whether walls do not bind it."""
    return await connection.fetch(_ROLES)


async def tables_without_walls(connection: Connection) -> list[str]:
    """Tables with tenants' rows on which row-level security is not forced."""
    return [row["relname"] for row in await connection.fetch(_UNWALLED)]


async def snapshots(connection: Connection) -> list[Record]:
    """Transactions and replication slots that keep vacuum from cleaning up, the oldest first."""
    return await connection.fetch(_SNAPSHOTS)


async def dead_rows(connection: Connection) -> list[Record]:
    """For each table that changes much: how many dead and live rows it has, as PostgreSQL estimates."""
    return await connection.fetch(_DEAD_ROWS)


async def expired_leases(connection: Connection, *, older_than_seconds: float) -> int:
    count: int = await connection.fetchval(_EXPIRED_LEASES, older_than_seconds)
    return count
