"""What a claim, an end and an enqueue cost when a million rows wait, and when a million lie finished."""

import random
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from uuid import UUID

from benchmarks.queues.docsieve_queue import Noop
from benchmarks.report import Row, Section, Target
from benchmarks.server import BenchServer
from docsieve.db.access import tenants
from docsieve.db.connection.migrate import migrate
from docsieve.db.connection.session import Database
from docsieve.db.queue import job_records, jobs
from docsieve.db.queue.job_records import JobFilter
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.jobs import NewJob
from docsieve.domain.scope import Scope

FEW = 10_000
MANY = 1_000_000
TENANTS = 50
BATCH = 100
WARM_UP = 15
REPETITIONS = 60
READS = 7
PAGE = 50
LEASE_SECONDS = 30.0
WORKER = "growth"
COLUMNS = (
    "claim, µs/job",
    "complete, µs/job",
    "enqueue one, µs",
    "claim / few",
    "complete / few",
    "enqueue / few",
    "count by status, ms",
    "newest page, ms",
)
METHOD = f"""Three databases on one server: {FEW:,} pending jobs; {MANY:,} pending; {FEW:,} pending beside {MANY:,}
finished ones of a single tenant. Pending jobs belong to {TENANTS} tenants, stored tenant by tenant, as bulk uploads
leave them, so that every claim gathers rows from all over the table. Then `vacuum analyze` and a checkpoint. One
repetition is a real claim of {BATCH}, the fenced end of those, one enqueue in a tenant's transaction, and {BATCH - 1}
more (not timed) to keep the number of pending jobs level. Autovacuum stays on. The databases take turns in random
order, repetition by repetition, so that noise hits all alike; medians of {REPETITIONS} after {WARM_UP} to warm up. The
last two columns are what `GET /jobs` reads for the tenant with the most rows, medians of {READS}."""

# A turn for each tenant's n-th job is what enqueuing them tenant by tenant gives.
_ADD_PENDING = """
insert into jobs (id, tenant_id, job_type, args, queue, turn, status, max_attempts)
select uuidv7(), tenant, 'noop', '{}', 'default', turn, 'pending', 3
from unnest($1::uuid[]) as tenant, generate_series(1, $2::int / cardinality($1::uuid[])) as turn
"""

_ADD_FINISHED = """
with counted as (insert into job_counts values ($1, null, 'default', 'noop', 'completed', $2))
insert into jobs (id, tenant_id, job_type, args, queue, turn, status, max_attempts, attempts, created_at, started_at,
                  completed_at, processing_time_ms)
select uuidv7(), $1, 'noop', '{}', 'default', place, 'completed', 3, 1, clock_timestamp(), clock_timestamp(),
       clock_timestamp(), 20
from generate_series(1, $2::int) as place
"""


@dataclass(frozen=True)
class Case:
    name: str
    label: str
    pending: int
    finished: int


CASES = (
    Case(f"{FEW:,} pending", "few", FEW, 0),
    Case(f"{MANY:,} pending", "pending", MANY, 0),
    Case(f"{MANY:,} finished", "finished", FEW, MANY),
)


@dataclass(frozen=True)
class Loaded:
    """One case's database, filled and settled, and the seconds measured in it."""

    case: Case
    database: Database
    tenants: list[UUID]
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))


async def run(server: BenchServer, _: Sequence[str]) -> Section:
    async with AsyncExitStack() as stack:
        loaded = [await stack.enter_async_context(_loaded(server, case)) for case in CASES]
        for _repetition in range(WARM_UP + REPETITIONS):
            for each in random.sample(loaded, len(loaded)):
                await _repeat(each)
        for _read in range(READS):
            for each in loaded:
                await _read_as_owner(each)
    rows = [_row(each) for each in loaded]
    _add_ratios(rows)
    return Section("Cost of a job as the table grows", METHOD, COLUMNS, rows, _targets(rows))


@asynccontextmanager
async def _loaded(server: BenchServer, case: Case) -> AsyncIterator[Loaded]:
    async with server.fresh_database(f"growth_{case.label}") as dsn:
        await migrate(dsn)
        database = await Database.open(dsn, connections=2)
        try:
            async with database.system() as connection:
                owners = [(await tenants.create(connection, f"tenant-{n}")).id for n in range(TENANTS)]
                await connection.execute(_ADD_FINISHED, owners[0], case.finished, timeout=300)
                await connection.execute(_ADD_PENDING, owners, case.pending, timeout=300)
                await connection.execute("vacuum analyze jobs", timeout=300)
                await connection.execute("checkpoint", timeout=300)
            yield Loaded(case, database, owners)
        finally:
            await database.close()


async def _repeat(loaded: Loaded) -> None:
    seconds = loaded.seconds
    async with loaded.database.system() as connection:
        begun = time.perf_counter()
        claimed = await jobs.claim(connection, Noop.queue, limit=BATCH, worker_id=WORKER, lease_seconds=LEASE_SECONDS)
        seconds["claim"].append(time.perf_counter() - begun)
        begun = time.perf_counter()
        ended = await jobs.complete(connection, claimed, worker_id=WORKER)
        seconds["complete"].append(time.perf_counter() - begun)
    if len(ended) != BATCH:
        raise RuntimeError(f"{loaded.case.name}: {len(ended)} jobs ended of {BATCH}")
    owner = random.choice(loaded.tenants)
    begun = time.perf_counter()
    await _enqueue(loaded, owner, 1)
    seconds["enqueue"].append(time.perf_counter() - begun)
    await _enqueue(loaded, owner, BATCH - 1)
    # the notification that follows an enqueue must not run into the next measurement
    await loaded.database.waker.close()


async def _enqueue(loaded: Loaded, owner: UUID, count: int) -> None:
    async with loaded.database.tenant(Scope(owner)) as session:
        await enqueue(session, [NewJob(Noop())] * count)


async def _read_as_owner(loaded: Loaded) -> None:
    async with loaded.database.tenant(Scope(loaded.tenants[0])) as session:
        begun = time.perf_counter()
        await job_records.count_by_status(session, JobFilter())
        loaded.seconds["count"].append(time.perf_counter() - begun)
        begun = time.perf_counter()
        await job_records.list_page(session, JobFilter(), before=None, limit=PAGE)
        loaded.seconds["page"].append(time.perf_counter() - begun)


def _row(loaded: Loaded) -> Row:
    steady = {step: statistics.median(loaded.seconds[step][WARM_UP:]) for step in ("claim", "complete", "enqueue")}
    figures = {
        COLUMNS[0]: steady["claim"] * 1e6 / BATCH,
        COLUMNS[1]: steady["complete"] * 1e6 / BATCH,
        COLUMNS[2]: steady["enqueue"] * 1e6,
        COLUMNS[6]: statistics.median(loaded.seconds["count"]) * 1e3,
        COLUMNS[7]: statistics.median(loaded.seconds["page"]) * 1e3,
    }
    return Row(loaded.case.name, figures)


def _add_ratios(rows: list[Row]) -> None:
    few = rows[0].figures
    for row in rows:
        for absolute, ratio in zip(COLUMNS[:3], COLUMNS[3:6], strict=True):
            row.figures[ratio] = row.figures[absolute] / few[absolute]


def _targets(rows: list[Row]) -> list[Target]:
    return [
        Target(f"claim with {row.name} against {rows[0].name}, times", 1.5, row.figures[COLUMNS[3]], at_most=True)
        for row in rows[1:]
    ] + [Target(f"count by status with {rows[-1].name}, ms", 20, rows[-1].figures[COLUMNS[6]], at_most=True)]
