"""What `docsieve audit verify` finds."""

from dataclasses import replace
from uuid import UUID

import pytest

from docsieve.db.audit import log
from docsieve.db.connection.session import Database
from docsieve.domain.audit import Action, entry_hash
from docsieve.domain.scope import Scope
from docsieve.services.audit import chain
from docsieve.services.audit.chain import Verdict


@pytest.fixture(autouse=True)
async def five_entries(database: Database, scope: Scope) -> None:
    async with database.tenant(scope) as session:
        for number in range(1, 6):
            session.audit(Action.document_deleted, "document", str(number))


async def _verify(database: Database, scope: Scope, *, expected: bytes | None = None) -> Verdict:
    async with database.system() as connection:
        return await chain.verify(connection, scope.tenant_id, expected=expected)


async def _tamper(database: Database, statement: str) -> None:
    async with database.system() as connection:
        assert await connection.execute(statement) != "UPDATE 0"


async def _hash(database: Database, scope: Scope, number: int) -> bytes:
    async with database.system() as connection:
        (entry,) = await log.after(connection, scope.tenant_id, number - 1, limit=1)
    return entry.hash


async def test_an_untouched_log_is_sound(database: Database, scope: Scope) -> None:
    verdict = await _verify(database, scope)
    assert (verdict.entries, verdict.fault) == (5, None)
    assert verdict.head == await _hash(database, scope, 5)


async def test_an_empty_log_is_sound(database: Database) -> None:
    async with database.system() as connection:
        assert await chain.verify(connection, UUID(int=9)) == Verdict(0, b"")


async def test_a_log_longer_than_a_slice_is_walked_to_its_end(
    database: Database, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chain, "_SLICE", 2)
    assert (await _verify(database, scope)).entries == 5
    await _tamper(database, "update audit_log set object_id = 'x' where number = 5")
    assert (await _verify(database, scope)).fault == "Entry 5 was altered, or the one before it was replaced."


@pytest.mark.parametrize(
    "change",
    [
        "object_id = '33'",
        "actor_id = 'someone else'",
        "at = at + interval '1 microsecond'",
        "remote_address = '192.0.2.1'",
        """details = '{"rows": 1}'""",
        "project_id = gen_random_uuid()",
    ],
)
async def test_an_altered_entry_is_named(database: Database, scope: Scope, change: str) -> None:
    await _tamper(database, f"update audit_log set {change} where number = 3")
    verdict = await _verify(database, scope)
    assert verdict.fault == "Entry 3 was altered, or the one before it was replaced."
    assert verdict.entries == 2


async def test_a_removed_entry_is_named(database: Database, scope: Scope) -> None:
    await _tamper(database, "delete from audit_log where number = 3")
    assert (await _verify(database, scope)).fault == "Entry 3 is missing."


async def test_an_entry_that_was_replaced_with_its_hash_shows_in_the_next_one(database: Database, scope: Scope) -> None:
    async with database.system() as connection:
        second, third = await log.after(connection, scope.tenant_id, 1, limit=2)
        forged = entry_hash(second.hash, replace(third, object_id="33"))
        await connection.execute("update audit_log set object_id = '33', hash = $1 where number = 3", forged)
    assert (await _verify(database, scope)).fault == "Entry 4 was altered, or the one before it was replaced."


async def test_the_newest_entry_cannot_be_removed_alone(database: Database, scope: Scope) -> None:
    await _tamper(database, "delete from audit_log where number = 5")
    assert (await _verify(database, scope)).fault == "Entry 5 is missing."


async def test_a_cut_end_shows_only_in_a_hash_that_was_noted_before(database: Database, scope: Scope) -> None:
    noted, earlier = await _hash(database, scope, 5), await _hash(database, scope, 3)
    await _tamper(database, "delete from audit_log where number = 5")
    await _tamper(database, "update audit_heads set entries = 4, hash = (select hash from audit_log where number = 4)")
    assert (await _verify(database, scope)).fault is None
    assert (await _verify(database, scope, expected=earlier)).fault is None
    assert (await _verify(database, scope, expected=noted)).fault is not None
