"""Data keys are made once per tenant, wrapped in the database, and in memory for a short time."""

import asyncio
import os
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from docsieve.db.access import data_keys
from docsieve.db.connection.session import Database
from docsieve.domain.audit import COMMAND_LINE
from docsieve.domain.scope import Scope
from docsieve.encryption.keyring import Keyring
from docsieve.encryption.master_keys import GivenKey, MasterKey
from docsieve.errors.blobs import EncryptionKeyDeleted, EncryptionKeyUnavailable
from docsieve.errors.retention import TenantDeleted
from docsieve.services.access import tenants
from docsieve.services.retention import tenant_deletion
from docsieve.settings import MasterKeySource
from tests.signals import named, own_signals


class Counting(GivenKey):
    """Counts how often it is asked, as a key management service does."""

    unwrapped = 0

    async def unwrap(self, wrapped: bytes) -> bytes:
        self.unwrapped += 1
        return await super().unwrap(wrapped)


@pytest.fixture
def master(tmp_path: Path) -> Counting:
    return new_master(tmp_path)


def new_master(folder: Path) -> Counting:
    path = folder / f"{uuid4()}.key"
    path.write_bytes(os.urandom(32))
    return Counting(MasterKeySource("file", str(path)))


@pytest.fixture
async def acme(database: Database) -> UUID:
    async with database.system() as connection, connection.transaction():
        await tenants.create(connection, "default")
        return (await tenants.create(connection, "acme")).id


async def deleted(database: Database, name: str = "acme") -> None:
    async with database.system() as connection:
        operator = await connection.fetchval("select id from tenants where name = 'default'")
    await tenant_deletion.request(database, name, by=Scope(operator, actor=COMMAND_LINE))


async def test_processes_that_need_the_first_key_at_once_use_the_same(
    database: Database, master: MasterKey, acme: UUID
) -> None:
    made = await asyncio.gather(*(Keyring(database, [master]).current(acme) for _ in range(8)))

    assert len({key.id for key in made}) == len({key.secret for key in made}) == 1
    async with database.system() as connection:
        row = await data_keys.current(connection, acme)
    assert row is not None and made[0].secret not in row.wrapped
    assert made[0].secret.hex() not in repr(made[0])


async def test_tenants_have_different_keys_and_one_cannot_be_put_in_place_of_another(
    database: Database, master: MasterKey, acme: UUID
) -> None:
    async with database.system() as connection:
        other = await connection.fetchval("select id from tenants where name = 'default'")
    keyring = Keyring(database, [master])
    mine, theirs = await keyring.current(acme), await keyring.current(other)
    assert mine.secret != theirs.secret
    with pytest.raises(EncryptionKeyDeleted):
        await Keyring(database, [master]).find(other, mine.id)
    with pytest.raises(EncryptionKeyDeleted):
        await keyring.find(other, mine.id)

    async with database.system() as connection:
        await connection.execute(
            "update data_keys set wrapped = (select wrapped from data_keys where id = $1) where id = $2",
            theirs.id,
            mine.id,
        )
    with pytest.raises(EncryptionKeyUnavailable):
        await Keyring(database, [master]).find(acme, mine.id)


async def test_a_key_is_unwrapped_once_and_dropped_after_its_time(
    database: Database, master: Counting, acme: UUID
) -> None:
    made = await Keyring(database, [master]).current(acme)
    keyring = Keyring(database, [master], kept_seconds=0.05, checked_seconds=0)
    master.unwrapped = 0
    with own_signals() as signals:
        await asyncio.gather(*(keyring.find(acme, made.id) for _ in range(5)), keyring.current(acme))
        assert master.unwrapped == 1
        await signals.until(named("data_key.dropped", made.id))
    assert await keyring.find(acme, made.id) == made
    assert master.unwrapped == 2


async def test_a_rotated_key_is_used_for_what_is_new_and_the_old_one_still_opens(
    database: Database, master: MasterKey, acme: UUID
) -> None:
    keyring, elsewhere = Keyring(database, [master]), Keyring(database, [master], checked_seconds=0)
    old = await keyring.current(acme)
    assert await elsewhere.current(acme) == old

    new_id = await keyring.rotate(acme)

    assert (await keyring.current(acme)).id == (await elsewhere.current(acme)).id == new_id != old.id
    assert await elsewhere.find(acme, old.id) == old


async def test_rotations_at_once_leave_one_current_key(database: Database, master: MasterKey, acme: UUID) -> None:
    made = await asyncio.gather(*(Keyring(database, [master]).rotate(acme) for _ in range(5)))

    async with database.system() as connection:
        rows = await connection.fetch("select id from data_keys where tenant_id = $1 and retired_at is null", acme)
        assert [row["id"] for row in rows] == [(await Keyring(database, [master]).current(acme)).id]
        assert await data_keys.count(connection) == len(made)


async def test_an_old_master_key_opens_and_the_new_one_wraps(
    database: Database, master: MasterKey, acme: UUID, tmp_path: Path
) -> None:
    made = await Keyring(database, [master]).current(acme)
    new = new_master(tmp_path)
    both = Keyring(database, [new, master])
    assert await both.current(acme) == made

    async with database.system() as connection:
        [row] = await data_keys.wrapped_by_others(connection, await new.fingerprint(), after=None, limit=9)
    await both.rewrap(row)

    assert await Keyring(database, [new]).find(acme, made.id) == made
    with pytest.raises(EncryptionKeyUnavailable):
        await Keyring(database, [master]).find(acme, made.id)


async def test_without_the_master_key_the_reason_is_for_the_operator_only(
    database: Database, master: MasterKey, acme: UUID
) -> None:
    made = await Keyring(database, [master]).current(acme)
    gone = Keyring(database, [GivenKey(MasterKeySource("file", "/nowhere/master.key"))])
    for keyring, reason in ((gone, "/nowhere/master.key"), (Keyring(database, []), "DOCSIEVE_MASTER_KEY is not set")):
        for attempt in (keyring.find(acme, made.id), keyring.current(acme), keyring.rotate(acme), keyring.check()):
            with pytest.raises(EncryptionKeyUnavailable) as unavailable:
                await attempt
            assert reason in unavailable.value.reason
            assert "/nowhere" not in unavailable.value.detail
            assert unavailable.value.code == "encryption_key_unavailable"


async def test_deleting_a_tenant_deletes_its_keys_at_once_and_no_process_keeps_or_makes_one(
    database: Database, master: MasterKey, acme: UUID
) -> None:
    here, elsewhere = Keyring(database, [master]), Keyring(database, [master], checked_seconds=0)
    made = await here.current(acme)
    await elsewhere.find(acme, made.id)

    await deleted(database)
    here.forget(acme)

    async with database.system() as connection:
        assert not await data_keys.exist(connection, acme)
    for keyring in (here, elsewhere):
        with pytest.raises(EncryptionKeyDeleted):
            await keyring.find(acme, made.id)
        with pytest.raises(TenantDeleted):
            await keyring.current(acme)
        with pytest.raises(TenantDeleted):
            await keyring.rotate(acme)
        assert keyring.kept == frozenset()


async def test_the_check_opens_a_key_of_every_master_key(
    database: Database, master: MasterKey, acme: UUID, tmp_path: Path
) -> None:
    new = new_master(tmp_path)
    assert await Keyring(database, [master]).check() == 0
    await Keyring(database, [master]).current(acme)
    await Keyring(database, [new, master]).rotate(acme)

    assert await Keyring(database, [new, master]).check() == 2
    with pytest.raises(EncryptionKeyUnavailable):
        await Keyring(database, [new]).check()
