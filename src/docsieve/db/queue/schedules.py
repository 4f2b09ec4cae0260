"""When scheduled jobs are due. All times come from the database's clock, so that workers need not agree on theirs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time

import asyncpg

from docsieve.db.connection.driver import Connection
from docsieve.domain.schedules.schedule import Daily, Every, Schedule
from docsieve.errors.setup import InvalidSettings

LATE_SECONDS = 60.0
"""Ticks that are missed for longer are made up for by one. Later ones are fired one by one."""


@dataclass(frozen=True, slots=True)
class Tick:
    name: str
    due_at: datetime


# The first tick after a moment, by interval or by local time.
_AFTER = """case when $2::float8 is not null
    then to_timestamp((floor(extract(epoch from {moment}) / $2::float8) + 1) * $2::float8)
    else next_local_time($3::time, $4::text, {moment}) end"""

# A schedule that was made more frequent must not wait for a tick of the old one, nor repeat one that was fired.
_REGISTER = f"""
insert into schedules (name, due_at)
select $1, case when $2::float8 is not null then clock_timestamp() else {_AFTER.format(moment="clock_timestamp()")} end
on conflict (name) do update set due_at = {_AFTER.format(moment="clock_timestamp()")}
where schedules.due_at > {_AFTER.format(moment="clock_timestamp()")}
  and schedules.last_tick < {_AFTER.format(moment="clock_timestamp()")}
"""

_DUE = """
select name, due_at from schedules where name = any($1::text[]) and due_at <= clock_timestamp()
order by due_at limit 1
for update skip locked
"""

_ADVANCE = f"""
update schedules set last_tick = due_at,
    due_at = {_AFTER.format(moment="greatest(due_at, clock_timestamp() - make_interval(secs => $5))")}
where name = $1
"""


def _columns(schedule: Schedule) -> tuple[float | None, time | None, str | None]:
    if isinstance(schedule, Every):
        return float(schedule.seconds), None, None
    assert isinstance(schedule, Daily)
    return None, schedule.at, schedule.zone


async def register(connection: Connection, schedules: Mapping[str, Schedule]) -> None:
    """Add new schedules: one with an interval is due at once, one by local time at its next time.

    Raises InvalidSettings for a time zone that PostgreSQL does not know.
    """
    for name, schedule in sorted(schedules.items()):
        try:
            await connection.execute(_REGISTER, name, *_columns(schedule))
        except asyncpg.InvalidParameterValueError as error:
            raise InvalidSettings(f"DOCSIEVE_SCHEDULES: {name}: {schedule} has an unknown time zone.") from error


async def lock_due(connection: Connection, names: Sequence[str]) -> Tick | None:
    """The next tick that is due. Only the transaction that holds it can fire it."""
    row = await connection.fetchrow(_DUE, list(names))
    return Tick(row[0], row[1]) if row is not None else None


async def advance(connection: Connection, name: str, schedule: Schedule) -> None:
    """Mark the tick that is due as fired."""
    await connection.execute(_ADVANCE, name, *_columns(schedule), LATE_SECONDS)


async def next_ticks(connection: Connection) -> dict[str, datetime]:
    """When each schedule is next due."""
    return {row[0]: row[1] for row in await connection.fetch("select name, due_at from schedules")}
