"""Database checks of `docsieve doctor`."""

from collections.abc import AsyncIterator

from docsieve.cli.console.tables import span
from docsieve.cli.doctor.findings import Finding, bad, doubtful, good
from docsieve.db.connection import health, migrate
from docsieve.db.connection.driver import Connection
from docsieve.db.queue import jobs

OLDEST_VERSION = 15
_LONG_TRANSACTION_SECONDS = 300.0
_MANY_TRANSACTIONS = 1_000_000
_MANY_DEAD_ROWS = 100_000
_LONG_WAIT_SECONDS = 300.0
_RESCUE_SECONDS = 15.0  # workers rescue within two; after this, no worker is running


async def examine(connection: Connection) -> AsyncIterator[Finding]:
    """Checks the tables only if the schema revision matches this release."""
    yield _version(connection)
    async for finding in _extensions(connection):
        yield finding
    migrations = await _migrations(connection)
    yield migrations
    yield await _snapshots(connection)
    if migrations.level == "ok":
        yield await _roles(connection)
        yield await _walls(connection)
        yield await _leases(connection)
        yield await _waiting(connection)
        yield await _dead_rows(connection)


def _version(connection: Connection) -> Finding:
    version = connection.get_server_version()
    reason = f"PostgreSQL {version.major}.{version.micro}"  # since version 10 the second number is the patch
    if version.major < OLDEST_VERSION:
        return bad("database", f"{reason} is too old", f"Use PostgreSQL {OLDEST_VERSION} or newer.")
    return good("database", reason)


async def _extensions(connection: Connection) -> AsyncIterator[Finding]:
    offered = await health.extensions(connection)
    for name, package in health.missing_packages(connection, offered).items():
        yield bad(
            f"extension {name}",
            "not available on this server, or too old",
            f"Install {package} on the database server.",
        )
    for name, version in offered.items():
        if version is None:
            yield bad(f"extension {name}", "available, but not installed in this database", "Run `docsieve migrate`.")
        else:
            yield good(f"extension {name}", f"version {version}")


async def _migrations(connection: Connection) -> Finding:
    applied, newest = await migrate.applied(connection), migrate.newest()
    if applied == newest:
        return good("migrations", f"at revision {applied}")
    if applied is None:
        return bad("migrations", "the database has no tables yet", "Run `docsieve migrate`.")
    if applied > newest:
        return bad(
            "migrations",
            f"the database is at revision {applied}, newer than this release's {newest}",
            "Run the newer release that migrated it.",
        )
    return bad("migrations", f"at revision {applied}, but this release needs {newest}", "Run `docsieve migrate`.")


_ENDED_BY = {
    "transaction": "select pg_terminate_backend({name})",
    "prepared transaction": "rollback prepared '{name}'",
    "replication slot": "select pg_drop_replication_slot('{name}')",
}


async def _snapshots(connection: Connection) -> Finding:
    found = await health.snapshots(connection)
    if not found:
        return good("transactions", "none open")
    for each in found:
        name = f"{each['kind']} {each['name']} ({each['state']})"
        if each["seconds"] is not None and each["seconds"] >= _LONG_TRANSACTION_SECONDS:
            reason = f"{name} has been open for {span(each['seconds'])}"
        elif each["transactions"] >= _MANY_TRANSACTIONS:
            reason = f"{name} is {each['transactions']:,} transactions behind"
        else:
            continue
        statement = _ENDED_BY[each["kind"]].format(name=each["name"])
        return bad(
            "transactions",
            f"{reason} and prevents vacuum from cleaning up the queue",
            f"End it where it was opened, or run `{statement}`.",
        )
    oldest = found[0]["seconds"]
    return good("transactions", f"the oldest has been open for {span(oldest)}" if oldest is not None else "none open")


async def _dead_rows(connection: Connection) -> Finding:
    for row in await health.dead_rows(connection):
        if row["dead"] >= _MANY_DEAD_ROWS and row["dead"] > row["live"]:
            return doubtful(
                "dead rows",
                f"table {row['table']} has {row['dead']:,} dead rows and {row['live']:,} live ones",
                "End old transactions, check that autovacuum is on, then run `vacuum " + row["table"] + "`.",
            )
    return good("dead rows", "cleaned up by vacuum")


async def _roles(connection: Connection) -> Finding:
    for role, exists, held, unbound in await health.roles(connection):
        if not exists:
            return bad("roles", f"role {role} does not exist", f"Run `create role {role} nologin` as an administrator.")
        if not held:
            return bad(
                "roles",
                f"the login role cannot switch to {role}",
                f"Grant {role} to the user named in DOCSIEVE_DATABASE_URL.",
            )
        if unbound and role == "docsieve_app":
            return bad(
                "roles",
                "row-level security does not apply to docsieve_app",
                "Run `alter role docsieve_app nosuperuser nobypassrls`.",
            )
    return good("roles", "docsieve_app and docsieve_system")


async def _walls(connection: Connection) -> Finding:
    unwalled = await health.tables_without_walls(connection)
    if not unwalled:
        return good("tenant isolation", "row-level security is forced on every table with tenant data")
    statements = "; ".join(
        f"alter table {table} enable row level security, force row level security" for table in unwalled
    )
    return bad("tenant isolation", f"row-level security is not forced on {', '.join(unwalled)}", f"Run `{statements}`.")


async def _leases(connection: Connection) -> Finding:
    expired = await health.expired_leases(connection, older_than_seconds=_RESCUE_SECONDS)
    if expired:
        return bad("leases", f"{expired} expired without being rescued", "Start a worker: `docsieve worker`.")
    return good("leases", "none expired")


async def _waiting(connection: Connection) -> Finding:
    depths = await jobs.depths(connection)
    pending = sum(row["pending"] for row in depths)
    oldest = max(depths, key=lambda row: float(row["oldest_seconds"]), default=None)
    if oldest is None or not pending:
        return good("queue", "no pending jobs")
    reason = f"{pending} pending, the oldest for {span(oldest['oldest_seconds'])} in queue {oldest['queue']}"
    if oldest["oldest_seconds"] < _LONG_WAIT_SECONDS:
        return good("queue", reason)
    return doubtful("queue", reason, "Start more workers, or check their logs: do they serve this queue?")
