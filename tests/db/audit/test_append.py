"""The audit log as requests may use it: append and read, nothing else."""

import asyncio
from uuid import UUID

import asyncpg
import pytest

from docsieve.db.audit import log
from docsieve.db.audit.append import append
from docsieve.db.connection.session import Database, Session
from docsieve.domain.audit import Action, Actor, Entry, NewEntry, entry_hash
from docsieve.domain.ids import new_id
from docsieve.domain.scope import Scope

SOMEONE = Actor("key", "k1", "Übung, 5:x", "192.0.2.7", "198.51.100.2, 192.0.2.7")


async def _entries(database: Database, scope: Scope) -> list[Entry]:
    async with database.tenant(Scope(scope.tenant_id)) as session:
        return await log.after(session.connection, scope.tenant_id, 0, limit=100)


async def test_an_entry_says_who_did_what_to_what_from_where(database: Database, scope: Scope) -> None:
    document = new_id()
    async with database.tenant(Scope(scope.tenant_id, actor=SOMEONE)) as session:
        session.audit(Action.document_deleted, "document", document, {"rows": 3, "rule": None})
    (entry,) = await _entries(database, scope)
    assert (entry.number, entry.action, entry.object_type, entry.object_id) == (
        1,
        "document.deleted",
        "document",
        str(document),
    )
    assert (
        Actor("key", entry.actor_id, entry.actor_name, entry.remote_address, entry.forwarded_for) == SOMEONE
        and entry.actor_kind == "key"
    )
    assert entry.details == '{"rows":3,"rule":null}'


async def test_the_database_and_the_program_compute_the_same_hashes(database: Database, scope: Scope) -> None:
    async with database.tenant(Scope(scope.tenant_id, actor=SOMEONE)) as session:
        session.audit(Action.signed_in, "session", None, {"text": 'ä "quoted" \\ ', "list": [1, 2.5, None]})
        session.audit(Action.signed_out, "session", "-")
    first, second = await _entries(database, scope)
    assert first.hash == entry_hash(b"", first)
    assert second.hash == entry_hash(first.hash, second)
    async with database.system() as connection:
        assert await log.head(connection, scope.tenant_id) == log.Head(2, second.hash)


async def test_a_transaction_that_is_rolled_back_leaves_no_entry(database: Database, scope: Scope) -> None:
    with pytest.raises(RuntimeError):
        async with database.tenant(scope) as session:
            session.audit(Action.key_created, "key", "k")
            raise RuntimeError
    assert await _entries(database, scope) == []


async def test_entries_of_concurrent_transactions_are_numbered_without_gaps(database: Database, scope: Scope) -> None:
    async def write(number: int) -> None:
        async with database.tenant(scope) as session:
            session.audit(Action.exported, "extractions", str(number))

    await asyncio.gather(*map(write, range(40)))
    entries = await _entries(database, scope)
    assert [each.number for each in entries] == list(range(1, 41))
    assert {each.object_id for each in entries} == {str(number) for number in range(40)}


async def _attempt(session: Session, statement: str) -> None:
    await session.connection.execute(statement, session.scope.tenant_id)


@pytest.mark.parametrize(
    "statement",
    [
        "update audit_log set action = 'other' where tenant_id = $1",
        "delete from audit_log where tenant_id = $1",
        "insert into audit_log select tenant_id, number + 1, at, project_id, actor_kind, actor_id, actor_name,"
        " remote_address, forwarded_for, action, object_type, object_id, details, hash from audit_log"
        " where tenant_id = $1",
        "update audit_heads set entries = 0 where tenant_id = $1",
        "delete from audit_heads where tenant_id = $1",
    ],
)
async def test_the_role_of_requests_cannot_change_the_log(database: Database, scope: Scope, statement: str) -> None:
    async with database.tenant(scope) as session:
        session.audit(Action.key_created, "key", "k")
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.tenant(scope) as session:
            await _attempt(session, statement)


@pytest.mark.parametrize("own", [UUID(int=7), None])
async def test_the_role_of_requests_cannot_append_to_the_log_of_another_tenant(
    database: Database, scope: Scope, own: UUID | None
) -> None:
    entry = NewEntry(Action.key_created, "key", "k", None, {})
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.system() as connection, connection.transaction():
            await connection.execute(f"set local role docsieve_app; set local docsieve.tenant_id = '{own or ''}'")
            await append(connection, scope.tenant_id, SOMEONE, [entry])


async def test_a_project_sees_only_its_own_entries(database: Database, scope: Scope) -> None:
    project = new_id()
    async with database.tenant(scope) as session:
        session.audit(Action.key_created, "key", "of the tenant")
        session.audit(Action.document_deleted, "document", "of the project", project_id=project)
    async with database.tenant(Scope(scope.tenant_id, project)) as session:
        seen = await log.list_page(session, log.AuditFilter(), limit=10)
        assert await log.head(session.connection, scope.tenant_id) is None
    assert [each.object_id for each in seen] == ["of the project"]


async def test_deferred_triggers_run_before_the_end_of_the_log_is_locked(database: Database, scope: Scope) -> None:
    """Otherwise they would take their locks after this one, and others in the opposite order: a deadlock."""
    async with database.system() as connection:
        await connection.execute(
            """
            create table probe (n int); create table ran (n int); grant all on probe, ran to docsieve_app;
            create function note() returns trigger language plpgsql as
                $$ begin insert into ran values (1); return null; end $$;
            create constraint trigger note after insert on probe deferrable initially deferred
                for each row execute function note()
            """
        )
    async with database.tenant(scope) as session:
        await session.connection.execute("insert into probe values (1)")
        assert await session.connection.fetchval("select count(*) from ran") == 0
        await append(session.connection, scope.tenant_id, SOMEONE, [NewEntry(Action.key_created, "key", "k", None, {})])
        assert await session.connection.fetchval("select count(*) from ran") == 1
