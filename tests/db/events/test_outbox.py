"""Reading events in an order in which none is skipped, after restores too, and deleting old ones."""

from time import time_ns

from docsieve.db.access import projects
from docsieve.db.connection.session import Database
from docsieve.db.events import outbox
from docsieve.db.events.outbox import BEGINNING, Position
from docsieve.domain.events import Event, EventType
from docsieve.domain.ids import id_at
from docsieve.domain.scope import Scope
from docsieve.settings import Settings
from docsieve.wiring import prepare

FAR_AHEAD = 1 << 40


async def _emit(database: Database, scope: Scope, name: str) -> None:
    async with database.tenant(scope) as session:
        await outbox.emit(session, EventType.WEBHOOK_TEST, project_id=None, subject_id=None, data={"name": name})


async def _new(database: Database, scope: Scope, after: Position, limit: int = 100) -> tuple[list[str], Position]:
    async with database.system() as connection:
        events, position = await outbox.read_new(connection, [scope.tenant_id], after=after, limit=limit)
    return _names(events), position


def _names(events: list[Event]) -> list[str]:
    return [each.data["name"] for each in events]


async def test_an_event_that_is_committed_late_is_not_skipped(database: Database, scope: Scope) -> None:
    async with database.tenant(scope) as early:
        await outbox.emit(early, EventType.WEBHOOK_TEST, project_id=None, subject_id=None, data={"name": "late"})
        await _emit(database, scope, "in time")
        names, position = await _new(database, scope, BEGINNING)
        assert names == []
    names, position = await _new(database, scope, position)
    assert names == ["late", "in time"]
    assert (await _new(database, scope, position))[0] == []


async def test_more_events_than_the_limit_are_read_in_turns(database: Database, scope: Scope) -> None:
    for name in "abcde":
        await _emit(database, scope, name)
    names, position = await _new(database, scope, BEGINNING, limit=2)
    assert names == ["a", "b"]
    names, position = await _new(database, scope, position, limit=2)
    assert names == ["c", "d"]
    assert (await _new(database, scope, position, limit=2))[0] == ["e"]


async def test_events_of_one_transaction_keep_their_order(database: Database, scope: Scope) -> None:
    async with database.tenant(scope) as session:
        for name in "abc":
            await outbox.emit(session, EventType.WEBHOOK_TEST, project_id=None, subject_id=None, data={"name": name})
    assert (await _new(database, scope, BEGINNING))[0] == ["a", "b", "c"]


async def test_a_client_resumes_after_a_restore_to_a_server_that_is_behind(
    database: Database, database_url: str, scope: Scope
) -> None:
    for name in ("seen", "missed"):
        await _emit(database, scope, name)
    async with database.system() as connection:
        await connection.execute("update events set txid = (txid::text::bigint + $1::bigint)::text::xid8", FAR_AHEAD)
        seen = await connection.fetchval("select id from events where data ->> 'name' = 'seen'")
    await prepare(Settings(), database_url)
    await _emit(database, scope, "new")
    async with database.system() as connection:
        horizon = await outbox.horizon(connection)
    async with database.tenant(scope) as session:
        position = await outbox.position_of(session, seen)
        assert position is not None
        page = await outbox.read_page(session, after=position, up_to=horizon, limit=9)
    assert _names([each for _, each in page]) == ["missed", "new"]


async def test_old_events_are_counted_or_deleted_up_to_a_limit(database: Database, scope: Scope) -> None:
    for name in "abc":
        await _emit(database, scope, name)
    async with database.system() as connection:
        for seq, days in ((1, 9), (2, 8), (3, 6)):
            aged = id_at(time_ns() // 1_000_000 - days * 86_400_000, seq)
            await connection.execute("update events set id = $2 where seq = $1", seq, aged)
        assert await outbox.prune(connection, older_than_days=7, dry_run=True) == 2
        assert await outbox.prune(connection, older_than_days=7, limit=1) == 1
        assert await outbox.prune(connection, older_than_days=7) == 1
        assert await outbox.prune(connection, older_than_days=7) == 0
    assert (await _new(database, scope, BEGINNING))[0] == ["c"]


async def test_a_key_limited_to_a_project_is_not_told_the_ids_of_others(database: Database, scope: Scope) -> None:
    async with database.tenant(scope) as session:
        side = await projects.create(session.connection, scope.tenant_id, "side")
    await _emit(database, scope, "of the tenant")
    async with database.system() as connection:
        horizon = await outbox.horizon(connection)
    async with database.tenant(Scope(scope.tenant_id, side.id)) as session:
        assert await outbox.newest(session, up_to=horizon) is None
    async with database.tenant(scope) as session:
        assert await outbox.newest(session, up_to=horizon) is not None
