"""Pruning the audit log: what goes, what is left verifiable, and when it is refused."""

from datetime import UTC, datetime, timedelta

import pytest

from docsieve.db.audit import log
from docsieve.db.connection.session import Database
from docsieve.domain.audit import COMMAND_LINE, Action, Entry
from docsieve.domain.scope import Scope
from docsieve.errors.retention import AuditLogDamaged, LegalHold
from docsieve.services.audit import chain
from docsieve.services.audit.chain import Verdict
from docsieve.services.audit.prune import prune


async def _add(database: Database, scope: Scope, count: int) -> None:
    async with database.tenant(scope) as session:
        for number in range(count):
            session.audit(Action.document_deleted, "document", str(number))


async def _entries(database: Database, scope: Scope) -> list[Entry]:
    async with database.system() as connection:
        return await log.after(connection, scope.tenant_id, 0, limit=100)


async def _verify(database: Database, scope: Scope, *, expected: bytes | None = None) -> Verdict:
    async with database.system() as connection:
        return await chain.verify(connection, scope.tenant_id, expected=expected)


async def _prune(database: Database, scope: Scope, before: datetime, *, dry_run: bool = False) -> int:
    return await prune(database, scope.tenant_id, before=before, by=COMMAND_LINE, dry_run=dry_run)


async def _tamper(database: Database, statement: str) -> None:
    async with database.system() as connection:
        assert not (await connection.execute(statement)).endswith(" 0")


async def test_the_rest_of_a_pruned_log_is_sound_and_says_what_is_gone(database: Database, scope: Scope) -> None:
    await _add(database, scope, 5)
    fourth = (await _entries(database, scope))[3]
    third = (await _entries(database, scope))[2]

    assert await _prune(database, scope, fourth.at) == 3

    left = await _entries(database, scope)
    assert [(each.number, each.action) for each in left] == [
        (4, "document.deleted"),
        (5, "document.deleted"),
        (6, "audit.pruned"),
    ]
    assert f'"deleted":3,"entries":3,"hash":"{third.hash.hex()}"' in left[-1].details
    assert await _verify(database, scope) == Verdict(6, left[-1].hash, None, 3)
    assert (await _verify(database, scope, expected=third.hash)).fault is None
    await _add(database, scope, 1)
    assert (await _verify(database, scope)).fault is None


async def test_a_log_can_be_pruned_again_with_the_entry_about_the_first_time(database: Database, scope: Scope) -> None:
    await _add(database, scope, 3)
    assert await _prune(database, scope, datetime.now(UTC) + timedelta(hours=1)) == 3
    await _add(database, scope, 2)
    newest = (await _entries(database, scope))[-1]
    assert await _prune(database, scope, newest.at) == 2
    assert [each.number for each in await _entries(database, scope)] == [6, 7]
    assert (await _verify(database, scope)).fault is None


async def test_a_dry_run_counts_and_leaves_the_log_alone(database: Database, scope: Scope) -> None:
    await _add(database, scope, 3)
    before = await _entries(database, scope)
    assert await _prune(database, scope, before[2].at, dry_run=True) == 2
    assert await _prune(database, scope, before[0].at) == 0
    assert await _entries(database, scope) == before


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("delete from audit_log where number = 4", "Entry 4 is missing."),
        ("delete from audit_log where number <= 4", "Entry 4 is missing."),
        ("delete from audit_log where number = 6", "Entry 1 is missing."),
        (
            """update audit_log set details = replace(details::text, '"entries":3', '"entries":4')::json
               where number = 6""",
            "Entry 5 was altered, or the one before it was replaced.",
        ),
        (
            "update audit_log set details = '{}' where number = 6",
            "Entry 1 is missing.",
        ),
    ],
)
async def test_what_was_removed_otherwise_is_found(database: Database, scope: Scope, change: str, fault: str) -> None:
    await _add(database, scope, 5)
    await _prune(database, scope, (await _entries(database, scope))[3].at)
    await _tamper(database, change)
    assert (await _verify(database, scope)).fault == fault


async def test_a_log_that_is_not_sound_is_not_pruned(database: Database, scope: Scope) -> None:
    await _add(database, scope, 3)
    await _tamper(database, "update audit_log set object_id = 'x' where number = 1")
    with pytest.raises(AuditLogDamaged, match="Entry 1 was altered"):
        await _prune(database, scope, datetime.now(UTC))
    assert len(await _entries(database, scope)) == 3


async def test_a_legal_hold_keeps_the_log(database: Database, scope: Scope) -> None:
    await _add(database, scope, 3)
    async with database.system() as connection:
        await connection.execute(
            """insert into legal_holds (id, tenant_id, project_id, reason)
               select gen_random_uuid(), tenant_id, id, 'a case' from projects where tenant_id = $1 limit 1""",
            scope.tenant_id,
        )
    with pytest.raises(LegalHold):
        await _prune(database, scope, datetime.now(UTC))
