"""Schedules: each tick is fired by one worker, exactly once, whatever happens to the others."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

import pytest

from docsieve.db.connection.session import Database
from docsieve.db.queue import schedules
from docsieve.domain.schedules.schedule import Daily, Every, Schedule, parse
from docsieve.domain.scope import SYSTEM_TENANT
from docsieve.errors.setup import InvalidSettings
from docsieve.queue.maintenance import Maintenance
from docsieve.queue.scheduler import Scheduled, Scheduler
from tests.queue.conftest import Driver, Noop
from tests.signals import named


def scheduler(queue: Driver, schedule: Schedule = Every(3600)) -> Scheduler:
    return Scheduler(queue.database, [Scheduled(Noop(), schedule)], wake=lambda queues: None)


def fired(queue: Driver) -> list[str]:
    return [each.subject for each in queue.signals.seen if named("schedule.fired")(each)]


async def make_due(database: Database, moment: datetime) -> None:
    await database.pool.execute("update schedules set due_at = $1, last_tick = null", moment)


async def test_a_tick_is_fired_once_however_many_workers_there_are(queue: Driver) -> None:
    await asyncio.gather(*(scheduler(queue).fire() for _ in range(10)))
    rows = await queue.database.pool.fetch("select tenant_id, status from jobs")
    assert [tuple(row) for row in rows] == [(SYSTEM_TENANT, "pending")]
    assert len(fired(queue)) == 1


async def test_the_next_tick_waits_for_its_time_and_is_a_multiple_of_the_interval(queue: Driver) -> None:
    one = scheduler(queue)
    await one.fire()
    await one.fire()
    assert len(fired(queue)) == 1
    due = await queue.database.pool.fetchval("select due_at from schedules")
    assert due > datetime.now(UTC)
    assert due.timestamp() % 3600 == 0


async def test_a_tick_while_the_last_job_is_unfinished_adds_no_second_one(queue: Driver) -> None:
    one = scheduler(queue)
    await one.fire()
    await make_due(queue.database, datetime.now(UTC))
    await one.fire()
    assert [each.rpartition(" ")[2] == "merged" for each in fired(queue)] == [False, True]
    assert await queue.database.pool.fetchval("select count(*) from jobs") == 1


async def test_ticks_missed_while_no_worker_ran_are_made_up_for_by_one(queue: Driver) -> None:
    one = scheduler(queue)
    await one.fire()
    await make_due(queue.database, datetime.now(UTC) - timedelta(days=3))
    await one.fire()
    # the second is there if the hour has just begun
    assert len(fired(queue)) in (2, 3)


async def test_ticks_that_are_a_little_late_are_fired_one_by_one(queue: Driver) -> None:
    one = scheduler(queue, Every(1))
    await one.fire()
    before = len(fired(queue))
    late = datetime.now(UTC).replace(microsecond=0) - timedelta(seconds=20)
    await make_due(queue.database, late)
    await one.fire()
    ticks = [datetime.fromisoformat(each.split()[1]) for each in fired(queue)[before:]]
    assert ticks == [late + timedelta(seconds=place) for place in range(len(ticks))]
    assert len(ticks) >= 20


async def test_a_worker_that_starts_during_a_tick_does_not_bring_it_back(queue: Driver) -> None:
    await scheduler(queue).fire()
    before = await queue.database.pool.fetchrow("select due_at, last_tick from schedules")
    await queue.database.pool.execute("update schedules set last_tick = due_at, due_at = due_at + interval '1 hour'")
    await scheduler(queue).fire()
    assert before is not None
    assert await queue.database.pool.fetchval("select due_at from schedules") == before["due_at"] + timedelta(hours=1)


async def test_a_schedule_that_became_more_frequent_does_not_wait_for_the_old_one(queue: Driver) -> None:
    await scheduler(queue, Every(86400 * 365)).fire()
    await scheduler(queue, Every(60)).fire()
    due = await queue.database.pool.fetchval("select due_at from schedules")
    assert due <= datetime.now(UTC) + timedelta(seconds=61)


async def test_an_unknown_time_zone_ends_the_worker_with_an_error_that_names_it(queue: Driver) -> None:
    scheduled = [Scheduled(Noop(), Daily(time(2, 30), "Mars/Olympus"))]
    maintenance = Maintenance(queue.database, lease_seconds=30, scheduled=scheduled, wake=lambda queues: None)
    with pytest.raises(InvalidSettings, match="Mars/Olympus"):
        await maintenance.run()


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("15m", Every(900)),
        ("6h", Every(21600)),
        ("1d", Every(86400)),
        ("02:30", Daily(time(2, 30), "UTC")),
        ("23:05 Europe/Berlin", Daily(time(23, 5), "Europe/Berlin")),
        ("off", None),
    ],
)
def test_a_schedule_is_written_as_an_interval_or_a_local_time(text: str, schedule: Schedule | None) -> None:
    assert parse(text) == schedule
    assert schedule is None or parse(str(schedule)) == schedule


@pytest.mark.parametrize("text", ["", "0m", "m", "25:00", "2:30", "02:60", "soon", "1w", "02:30 Europe/Berlin now"])
def test_anything_else_is_not_a_schedule(text: str) -> None:
    with pytest.raises(ValueError, match="write an interval"):
        parse(text)


async def _ticks(database: Database, at: time, zone: str, begin: datetime, end: datetime) -> list[datetime]:
    ticks: list[datetime] = []
    while (
        tick := await database.pool.fetchval(
            "select next_local_time($1, $2, $3)", at, zone, ticks[-1] if ticks else begin
        )
    ) < end:
        ticks.append(tick)
    return ticks


@pytest.mark.parametrize(
    ("at", "zone", "day", "expected"),
    [
        # clocks go forward at 02:00: 02:30 does not exist
        (time(2, 30), "Europe/Berlin", date(2026, 3, 29), ["01:30", "01:30", "00:30"]),
        (time(3, 0), "Europe/Berlin", date(2026, 3, 29), ["02:00", "01:00", "01:00"]),
        # clocks go back at 03:00: 02:30 comes twice
        (time(2, 30), "Europe/Berlin", date(2026, 10, 25), ["00:30", "00:30", "01:30"]),
        (time(1, 59), "Europe/Berlin", date(2026, 10, 25), ["23:59", "23:59", "00:59"]),
        (time(2, 30), "America/New_York", date(2026, 3, 8), ["07:30", "07:30", "06:30"]),
        (time(1, 30), "America/New_York", date(2026, 11, 1), ["05:30", "05:30", "06:30"]),
        # by half an hour
        (time(1, 45), "Australia/Lord_Howe", date(2026, 4, 5), ["14:45", "14:45", "15:15"]),
        (time(0, 0), "America/Santiago", date(2026, 9, 6), ["04:00", "04:00", "03:00"]),
    ],
)
async def test_a_nightly_tick_comes_once_per_day_also_when_clocks_change(
    database: Database, at: time, zone: str, day: date, expected: Sequence[str]
) -> None:
    """The day before, of, and after the change, in UTC."""
    local = "select $1::date::timestamp at time zone $2"
    begin = await database.pool.fetchval(local, day - timedelta(days=1), zone) - timedelta(microseconds=1)
    end = await database.pool.fetchval(local, day + timedelta(days=2), zone)
    ticks = await _ticks(database, at, zone, begin, end)
    assert [f"{tick.astimezone(UTC):%H:%M}" for tick in ticks] == expected


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "UTC"])
async def test_a_year_of_nightly_ticks_has_one_per_day(database: Database, zone: str) -> None:
    begin, end = datetime(2026, 1, 1, 12, tzinfo=UTC), datetime(2027, 1, 1, 12, tzinfo=UTC)
    for at in (time(0, 0), time(2, 0), time(2, 30), time(23, 59)):
        assert len(await _ticks(database, at, zone, begin, end)) == 365, at


async def test_a_daily_schedule_is_first_due_at_its_next_time(queue: Driver) -> None:
    await scheduler(queue, Daily(time(2, 30), "Europe/Berlin")).fire()
    assert fired(queue) == []
    async with queue.database.system() as connection:
        due = (await schedules.next_ticks(connection))["noop"]
        shown = await connection.fetchval("select $1::timestamptz at time zone 'Europe/Berlin'", due)
    assert shown.time() == time(2, 30)
    assert timedelta(0) < due - datetime.now(UTC) <= timedelta(hours=25)
