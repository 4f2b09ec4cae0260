"""Slots, rates and the breaker, shared by all workers through the database."""

import asyncio
import signal
import subprocess
import sys
from uuid import UUID

import pytest

from docsieve.db.connection.session import Database
from docsieve.db.providers import limits as limits_sql
from docsieve.db.providers.limits import ProviderLimits
from docsieve.domain.ids import new_id
from docsieve.providers.limits import Outcome

NAME = "openai:gpt-4o-mini"

HOLDER = """
import asyncio, sys
from docsieve.db.providers import limits as limits_sql
from docsieve.db.connection.session import Database
from docsieve.domain.ids import new_id

async def hold() -> None:
    database = await Database.open(sys.argv[1], connections=1)
    async with database.system() as connection:
        assert await limits_sql.take(connection, sys.argv[2], new_id(), seconds=float(sys.argv[3]), tokens=1) == 0
    print("held", flush=True)
    await asyncio.sleep(600)

asyncio.run(hold())
"""


class Limits:
    """The limits' SQL with its fixed arguments filled in."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def set(self, concurrency: int = 100, rpm: int | None = None, tpm: int | None = None) -> None:
        async with self.database.system() as connection:
            await limits_sql.set_limits(
                connection, NAME, concurrency=concurrency, requests_per_minute=rpm, tokens_per_minute=tpm
            )

    async def take(self, *, name: str = NAME, seconds: float = 60.0, tokens: int = 1) -> UUID | float:
        lease = new_id()
        async with self.database.system() as connection:
            wait = await limits_sql.take(connection, name, lease, seconds=seconds, tokens=tokens)
        return lease if wait == 0 else wait

    async def taken(self) -> UUID:
        lease = await self.take()
        assert isinstance(lease, UUID)
        return lease

    async def wait(self, **given: str) -> float:
        found = await self.take(**given)  # type: ignore[arg-type]
        assert isinstance(found, float)
        return found

    async def end(self, lease: UUID, outcome: Outcome, *, seconds: float = 0.0, more_tokens: int = 0) -> None:
        async with self.database.system() as connection:
            await limits_sql.give_back(connection, NAME, lease, outcome, seconds=seconds, more_tokens=more_tokens)

    async def fail(self, times: int) -> None:
        for _ in range(times):
            await self.end(await self.taken(), "failed")

    async def shift(self, column: str) -> None:
        """Let a wait run out without waiting."""
        await self.database.pool.execute(
            f"update provider_limits set {column} = clock_timestamp() - interval '1 ms' where name = $1", NAME
        )

    async def now(self) -> ProviderLimits:
        async with self.database.system() as connection:
            (found,) = await limits_sql.list_all(connection)
        return found


@pytest.fixture
def limits(database: Database) -> Limits:
    return Limits(database)


async def test_many_connections_at_once_never_hold_more_slots_than_there_are(limits: Limits) -> None:
    await limits.set(concurrency=3)
    most = held = 0
    full = asyncio.Event()

    async def call() -> None:
        nonlocal most, held
        while not isinstance(lease := await limits.take(), UUID):
            await asyncio.sleep(0.005)
        held += 1
        most = max(most, held)
        if held == 3:
            full.set()
        await full.wait()
        await asyncio.sleep(0.002)
        held -= 1
        await limits.end(lease, "answered")

    await asyncio.gather(*(call() for _ in range(60)))
    assert most == 3
    assert (await limits.now()).in_use == 0


async def test_the_slots_of_killed_processes_come_back_and_no_others(limits: Limits, database_url: str) -> None:
    await limits.set(concurrency=2)
    holders = [
        subprocess.Popen([sys.executable, "-c", HOLDER, database_url, NAME, "600"], stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    try:
        for holder in holders:
            assert holder.stdout is not None
            assert await asyncio.to_thread(holder.stdout.readline) == b"held\n"
        assert await limits.wait() > 0
        holders[0].send_signal(signal.SIGKILL)
        holders[0].wait()
        assert await limits.wait() > 0
        await limits.database.pool.execute(
            "update provider_leases set expires_at = clock_timestamp() - interval '1 ms'"
            " where id = (select id from provider_leases limit 1)"
        )
        await limits.taken()
        assert await limits.wait() > 0
    finally:
        for holder in holders:
            holder.kill()
            holder.wait()
            assert holder.stdout is not None
            holder.stdout.close()


async def test_a_slot_that_is_renewed_does_not_run_out(limits: Limits, database: Database) -> None:
    await limits.set(concurrency=1)
    lease = await limits.taken()
    async with database.system() as connection:
        assert await limits_sql.renew(connection, lease, seconds=6000)
        left = "select expires_at > clock_timestamp() + interval '5000 s' from provider_leases where id = $1"
        assert await connection.fetchval(left, lease)
    assert await limits.wait() > 0
    await limits.end(lease, "answered")
    async with database.system() as connection:
        assert not await limits_sql.renew(connection, lease, seconds=60)


async def test_requests_are_spread_over_the_minute(limits: Limits) -> None:
    await limits.set(rpm=6)
    granted = 0
    while isinstance(found := await limits.take(), UUID):
        granted += 1
    assert granted == 2  # one, and one ahead of its time
    assert 0 < found <= 10


async def test_tokens_are_spread_over_the_minute_and_counted_by_what_was_really_used(limits: Limits) -> None:
    await limits.set(tpm=6000)
    first = await limits.take(tokens=6000)
    assert isinstance(first, UUID)
    assert 30 < await limits.wait() <= 50
    await limits.end(first, "answered", more_tokens=-5900)
    await limits.taken()


async def test_a_busy_provider_is_left_alone_by_all_until_it_said(limits: Limits) -> None:
    lease = await limits.taken()
    await limits.end(lease, "busy", seconds=30)
    assert 20 < await limits.wait() <= 30
    assert isinstance(await limits.take(name="openai:another-model"), UUID)
    await limits.shift("blocked_until")
    await limits.taken()


async def test_failures_in_a_row_open_the_breaker_and_an_answer_between_does_not(limits: Limits) -> None:
    await limits.fail(4)
    await limits.end(await limits.taken(), "answered")
    await limits.fail(4)
    assert (await limits.now()).breaker == "closed"
    await limits.fail(1)
    assert (await limits.now()).breaker == "open"
    assert 5 < await limits.wait() <= 15


async def test_a_half_open_breaker_lets_one_probe_through(limits: Limits) -> None:
    await limits.fail(5)
    await limits.shift("open_until")
    assert (await limits.now()).breaker == "half-open"
    probe = await limits.taken()
    assert await limits.wait() == 2.0
    await limits.end(probe, "answered")
    assert (await limits.now()).breaker == "closed"
    await limits.taken()
    await limits.taken()


async def test_a_probe_that_fails_opens_the_breaker_for_longer(limits: Limits) -> None:
    await limits.fail(5)
    await limits.shift("open_until")
    await limits.fail(1)
    assert 20 < await limits.wait() <= 30
    await limits.shift("open_until")
    stopped = await limits.taken()
    await limits.end(stopped, "stopped")
    await limits.taken()  # a probe that was cancelled says nothing, and the next may try


async def test_who_fails_waits_while_the_breaker_is_open_but_not_for_ever(limits: Limits, database: Database) -> None:
    async def fail() -> float:
        lease = await limits.taken()
        async with database.system() as connection:
            return await limits_sql.give_back(connection, NAME, lease, "failed")

    assert [await fail() for _ in range(4)] == [0, 0, 0, 0]
    assert 5 < await fail() <= 15
    for _ in range(11):
        await limits.shift("open_until")
        assert await fail() > 0
    await limits.shift("open_until")
    assert await fail() == 0
    assert (await limits.now()).breaker == "open"


async def test_what_fails_late_does_not_keep_the_breaker_open(limits: Limits) -> None:
    late = [await limits.taken() for _ in range(8)]
    for lease in late[:5]:
        await limits.end(lease, "failed")
    before = (await limits.now()).open_until
    for lease in late[5:]:
        await limits.end(lease, "failed")
    assert (await limits.now()).open_until == before


async def test_requests_of_tenants_see_nothing_of_the_limits(limits: Limits, database: Database) -> None:
    await limits.taken()
    async with database.system() as connection, connection.transaction():
        await connection.execute("set local role docsieve_app")
        for table in ("provider_limits", "provider_leases"):
            assert not await connection.fetchval(f"select has_table_privilege('{table}', 'select')")
