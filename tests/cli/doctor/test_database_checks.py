"""What `docsieve doctor` finds in a database."""

import pytest

from docsieve.cli.doctor import database_checks
from docsieve.cli.doctor.findings import Finding
from docsieve.db.connection.session import Database


async def _findings(database: Database) -> dict[str, Finding]:
    async with database.system() as connection:
        return {finding.check: finding async for finding in database_checks.examine(connection)}


async def test_a_transaction_that_is_open_for_long_is_a_problem(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (await _findings(database))["transactions"].level == "ok"
    monkeypatch.setattr(database_checks, "_LONG_TRANSACTION_SECONDS", 0.0)
    async with database.system() as holder, holder.transaction():
        pid = await holder.fetchval("select pg_backend_pid()")
        found = (await _findings(database))["transactions"]
    assert found.level == "problem"
    assert f"pg_terminate_backend({pid})" in str(found)


async def test_a_snapshot_that_many_transactions_have_passed_is_a_problem(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_checks, "_MANY_TRANSACTIONS", 5)
    async with database.system() as holder, holder.transaction(isolation="repeatable_read"):
        await holder.fetchval("select count(*) from jobs")
        for _ in range(5):
            await database.pool.fetchval("select pg_current_xact_id()")
        found = (await _findings(database))["transactions"]
    assert found.level == "problem"
    assert "transactions behind" in str(found)


async def test_more_dead_rows_than_live_ones_are_reported(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_checks, "_MANY_DEAD_ROWS", 20)
    async with database.system() as connection:
        await connection.execute("select pg_stat_force_next_flush()")
        await connection.execute(
            "insert into job_counts select gen_random_uuid(), null, 'default', 'noop', 'completed', 1"
            " from generate_series(1, 50)"
        )
        await connection.execute("delete from job_counts")
        await connection.execute("select pg_stat_force_next_flush()")
    found = (await _findings(database))["dead rows"]
    assert (found.level, "table job_counts has 50 dead rows" in str(found)) == ("warning", True)
