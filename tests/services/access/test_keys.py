"""The first API key, generated or taken from the environment when a server starts."""

from docsieve.db.access import keys as key_rows
from docsieve.db.connection import migrate
from docsieve.db.connection.session import Database
from docsieve.services.access import keys, tenants


async def test_the_first_start_makes_an_admin_key_and_the_second_does_not(database: Database) -> None:
    made = await tenants.bootstrap(database, None)
    assert made is not None and made.startswith("ds_")
    assert await tenants.bootstrap(database, None) is None
    async with database.system() as connection:
        holder = await keys.verify(connection, made)
    assert holder is not None and (holder.tenant, holder.scopes) == ("default", ["admin"])


async def test_an_operator_s_key_of_any_form_replaces_the_bootstrap_key_of_an_earlier_start(database: Database) -> None:
    await tenants.bootstrap(database, "correct horse battery staple")
    await tenants.bootstrap(database, "another key of the operator")
    async with database.system() as connection:
        assert await keys.verify(connection, "correct horse battery staple") is None
        assert await keys.verify(connection, "another key of the operator") is not None


async def test_a_client_s_key_in_the_environment_of_a_server_is_left_as_it_is(database: Database) -> None:
    first = await tenants.bootstrap(database, None)
    assert first is not None
    async with database.system() as connection, connection.transaction():
        other = await tenants.create(connection, "other")
        _, theirs = await keys.create(connection, other.id, name="clerk", scopes=["read"])
    await tenants.bootstrap(database, theirs)
    async with database.system() as connection:
        holder = await keys.verify(connection, theirs)
        assert holder is not None and (holder.tenant, holder.scopes) == ("other", ["read"])
        assert await keys.verify(connection, first) is not None


async def test_a_revoked_client_s_key_is_not_revived_by_a_start(database: Database) -> None:
    await tenants.bootstrap(database, None)
    async with database.system() as connection, connection.transaction():
        other = await tenants.create(connection, "other")
        key, theirs = await keys.create(connection, other.id, name="clerk", scopes=["read"])
        await connection.execute("update api_keys set revoked_at = clock_timestamp() where id = $1", key.id)
    await tenants.bootstrap(database, theirs)
    async with database.system() as connection:
        assert await keys.verify(connection, theirs) is None
        assert await key_rows.owner_and_name(connection, key.id) == (other.id, "clerk")


async def test_a_database_that_a_newer_release_migrated_is_left_alone(database: Database, database_url: str) -> None:
    await database.pool.execute("update alembic_version set version_num = '9999'")
    await migrate.migrate(database_url)
    async with database.system() as connection:
        assert await migrate.applied(connection) == "9999"


async def test_the_newest_revision_is_the_head_that_alembic_sees() -> None:
    from alembic.script import ScriptDirectory

    from docsieve.db.migrations.runner import _config

    assert ScriptDirectory.from_config(_config()).get_current_head() == migrate.newest()
