"""Production logins are no superusers: the owner of the database runs everything with no more than that."""

from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from docsieve.db.connection.migrate import migrate
from docsieve.db.queue import jobs as queue_sql
from docsieve.db.server.embedded import EmbeddedServer
from docsieve.domain.ids import new_id
from tests.api.running import WORKER, running, upload, uploaded

ROLES = "docsieve_app, docsieve_system"


@pytest.fixture(scope="module")
def untouched_server(open_folder: Path) -> Iterator[str]:
    """A server on which nothing of ours was ever installed; roles are shared by all databases of a server."""
    server = EmbeddedServer(open_folder / "untouched", parameters={"fsync": "off"})
    yield server.start()
    server.stop()


async def _owned_database(server: str, attributes: str, *, granted: str | None) -> str:
    """A database and its owner, as an administrator makes them; returns the owner's URL."""
    owner = f"owner_{new_id().hex}"
    administrator = await asyncpg.connect(server)
    await administrator.execute(f"create role {owner} login nosuperuser nobypassrls {attributes}")
    if granted is not None:
        await administrator.execute(f"grant {granted} to {owner}")
    await administrator.execute(f"create database {owner} owner {owner}")
    await administrator.close()
    inside = await asyncpg.connect(server.replace("/docsieve?", f"/{owner}?"))
    await inside.execute("create extension vector")
    await inside.close()
    return server.replace("postgres@/docsieve?", f"{owner}@/{owner}?")


async def _assert_everything_works(url: str, folder: Path) -> None:
    await migrate(url)
    async with running(url, folder) as api:
        async with api.resources.database.system() as connection:
            login = await connection.fetchrow(
                "select rolsuper, rolbypassrls from pg_roles where rolname = current_user"
            )
        assert login is not None
        assert tuple(login) == (False, False)
        client, stranger = await api.admin(await api.tenant("acme")), await api.admin(await api.tenant("other"))
        first = await uploaded(client, b"one", key="once")
        assert (await upload(client, b"one", key="once")).json()["id"] == first["id"]
        (job,) = await api.claim()
        await api.complete(job, "page one")
        assert (await client.get(f"/documents/{first['id']}")).json()["status"] == "ready"
        assert (await stranger.get(f"/documents/{first['id']}")).status_code == 404
        second = await uploaded(client, b"two")
        assert (await client.get(f"/documents/{second['id']}/status")).json()["queue_position"] == 1
        async with api.resources.database.system() as connection:
            await queue_sql.claim(connection, "default", limit=1, worker_id=WORKER, lease_seconds=0)
            assert [row["status"] for row in await queue_sql.rescue(connection)] == ["pending"]
            assert await queue_sql.depths(connection) != []
        (job,) = await api.claim()
        await api.fail(job)
        assert (await client.get(f"/documents/{second['id']}")).json()["status"] == "failed"
        assert (await client.post(f"/jobs/{job.id}/retry")).json()["status"] == "pending"
        assert (await client.post(f"/jobs/{job.id}/cancel")).json()["status"] == "cancelled"
        assert (await client.delete(f"/documents/{second['id']}")).status_code == 204
        assert (await (await api.client(prefix="")).get("/readyz")).status_code == 200


async def test_an_owner_who_may_create_roles_needs_nothing_prepared(untouched_server: str, tmp_path: Path) -> None:
    await _assert_everything_works(await _owned_database(untouched_server, "createrole", granted=None), tmp_path)


async def test_an_owner_without_any_power_needs_the_two_roles_prepared(postgres: str, tmp_path: Path) -> None:
    await _assert_everything_works(await _owned_database(postgres, "nocreaterole", granted=ROLES), tmp_path)


async def test_a_second_owner_on_a_server_uses_the_roles_that_are_there(postgres: str, tmp_path: Path) -> None:
    await _assert_everything_works(await _owned_database(postgres, "createrole", granted=ROLES), tmp_path)


async def test_migrating_twice_changes_nothing(postgres: str) -> None:
    url = await _owned_database(postgres, "nocreaterole", granted=ROLES)
    await migrate(url)
    await migrate(url)


async def test_an_owner_without_the_roles_is_told_what_an_administrator_must_do(postgres: str) -> None:
    url = await _owned_database(postgres, "nocreaterole", granted=None)
    with pytest.raises(Exception, match="An administrator must run: grant docsieve_app to owner_"):
        await migrate(url)
