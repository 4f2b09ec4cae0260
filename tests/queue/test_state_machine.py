"""Hypothesis drives the real queue SQL through any order of events and compares it with a model of a few lines."""

import asyncio
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from docsieve.db.connection.session import Database
from docsieve.db.queue import heads, job_counts, job_records, jobs
from docsieve.db.queue.job_records import JobFilter
from docsieve.domain.jobs import ClaimedJob, JobFailure
from docsieve.domain.scope import Scope
from tests.queue.conftest import Driver
from tests.signals import OwnSignals

FINAL = {"completed", "failed", "cancelled"}


@dataclass
class Model:
    status: str = "pending"
    attempts: int = 0
    rescues: int = 0
    max_attempts: int = 3
    holder: ClaimedJob | None = None
    expired: bool = False
    stale: list[ClaimedJob] = field(default_factory=list)

    def lose_holder(self) -> None:
        if self.holder is not None:
            self.stale.append(self.holder)
        self.holder, self.expired = None, False


class QueueMachine(RuleBasedStateMachine):
    loop: asyncio.AbstractEventLoop
    queue: Driver

    def __init__(self) -> None:
        super().__init__()
        self.jobs: dict[UUID, Model] = {}
        self.ended: dict[UUID, str] = {}
        self.seen: dict[str, list[heads.Head]] = {}
        self.do(self.queue.database.pool.execute("truncate jobs, job_counts, queue_heads cascade"))

    def do(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    async def on(self, call: Any, *args: Any, **kwargs: Any) -> Any:
        async with self.queue.database.system() as connection:
            return await call(connection, *args, **kwargs)

    def held(self) -> list[tuple[UUID, Model]]:
        return [(job_id, model) for job_id, model in self.jobs.items() if model.holder is not None]

    @rule(count=st.integers(1, 3))
    def enqueue(self, count: int) -> None:
        for job_id in self.do(self.queue.enqueue(*range(count))):
            self.jobs[job_id] = Model()

    @rule(worker=st.sampled_from(["w1", "w2"]), limit=st.integers(1, 4))
    def claim(self, worker: str, limit: int) -> None:
        pending = {job_id for job_id, model in self.jobs.items() if model.status == "pending"}
        claimed = self.do(self._claim(worker, limit))
        assert len(claimed) == min(limit, len(pending))
        for job in claimed:
            model = self.jobs[job.id]
            assert model.status == "pending"
            model.status, model.attempts, model.holder = "processing", model.attempts + 1, job
            assert job.attempt == model.attempts

    async def _claim(self, worker: str, limit: int) -> list[ClaimedJob]:
        """From where this worker last saw the head, which others may have moved since."""
        ranges = heads.ranges(self.seen.get(worker, []))
        claimed: list[ClaimedJob] = await self.on(
            jobs.claim, "default", limit=limit, worker_id=worker, lease_seconds=30.0, ranges=ranges
        )
        return claimed

    @rule(worker=st.sampled_from(["w1", "w2"]), reached=st.integers(0, 5))
    def move_head(self, worker: str, reached: int) -> None:
        self.do(self.queue.database.pool.execute("update queue_heads set moved_at = '-infinity'"))
        self.do(self.on(heads.move, "default", 0, float(reached)))
        self.seen[worker] = self.do(self.on(heads.find, ["default"]))["default"]

    @rule()
    def lift(self) -> None:
        assert self.do(self.on(heads.lift)) == set()

    @rule()
    def add_up_counts(self) -> None:
        self.do(self.on(job_counts.add_up))

    @precondition(lambda self: self.held())
    @rule(pick=st.integers(0, 99))
    def heartbeat(self, pick: int) -> None:
        job_id, model = self.held()[pick % len(self.held())]
        assert model.holder is not None
        kept = self.do(self.on(jobs.beat, [model.holder], worker_id=model.holder.worker_id, lease_seconds=30))
        assert kept == {job_id}
        model.expired = False

    @precondition(lambda self: self.held())
    @rule(pick=st.integers(0, 99))
    def expire(self, pick: int) -> None:
        job_id, model = self.held()[pick % len(self.held())]
        self.do(self.queue.expire(job_id))
        model.expired = True

    @rule()
    def rescue(self) -> None:
        due = {job_id for job_id, model in self.held() if model.expired}
        assert {row["id"] for row in self.do(self.queue.rescue())} == due
        for job_id in due:
            model = self.jobs[job_id]
            model.rescues += 1
            model.lose_holder()
            model.status = "failed" if model.rescues >= jobs.RESCUES_BEFORE_QUARANTINE else "pending"

    @precondition(lambda self: self.held())
    @rule(pick=st.integers(0, 99))
    def complete(self, pick: int) -> None:
        job_id, model = self.held()[pick % len(self.held())]
        assert model.holder is not None
        assert self.do(self.queue.complete([model.holder])) == {job_id}
        model.lose_holder()
        model.status = "completed"

    @precondition(lambda self: self.held())
    @rule(pick=st.integers(0, 99), permanent=st.booleans())
    def fail(self, pick: int, permanent: bool) -> None:
        _, model = self.held()[pick % len(self.held())]
        assert model.holder is not None
        final = permanent or model.holder.last_attempt
        failure = JobFailure("some_error", "It did not work.")
        assert self.do(self.on(jobs.fail, model.holder, failure, details=None, retry_in=None if final else 0.0))
        model.lose_holder()
        model.status = "failed" if final else "pending"

    @precondition(lambda self: self.held())
    @rule(pick=st.integers(0, 99))
    def hand_back(self, pick: int) -> None:
        job_id, model = self.held()[pick % len(self.held())]
        assert model.holder is not None
        assert self.do(self.on(jobs.hand_back, [model.holder], worker_id=model.holder.worker_id)) == {job_id}
        # the one who hands back has ended; it is not a stale writer
        model.holder, model.expired = None, False
        model.attempts -= 1
        model.status = "pending"

    @precondition(lambda self: self.jobs)
    @rule(pick=st.integers(0, 99))
    def cancel(self, pick: int) -> None:
        job_id, model = list(self.jobs.items())[pick % len(self.jobs)]
        assert self.do(self._cancel(job_id)) == (model.status in ("pending", "processing"))
        if model.status in ("pending", "processing"):
            model.lose_holder()
            model.status = "cancelled"

    async def _cancel(self, job_id: UUID) -> bool:
        async with self.queue.database.tenant(self.queue.scope) as session:
            return await job_records.cancel(session, job_id)

    @precondition(lambda self: any(model.stale for model in self.jobs.values()))
    @rule(pick=st.integers(0, 99))
    def a_stale_worker_tries_to_complete(self, pick: int) -> None:
        stale = [late for model in self.jobs.values() for late in model.stale]
        late = stale[pick % len(stale)]
        holder = self.jobs[late.id].holder
        if holder is None or (holder.attempt, holder.worker_id) != (late.attempt, late.worker_id):
            assert self.do(self.queue.complete([late])) == set()

    @invariant()
    def the_database_agrees_with_the_model(self) -> None:
        rows = self.do(self.queue.database.pool.fetch("select * from jobs"))
        assert len(rows) == len(self.jobs)
        for row in rows:
            model = self.jobs[row["id"]]
            assert (row["status"], row["attempts"], row["rescues"]) == (model.status, model.attempts, model.rescues)
            assert (row["worker_id"] is not None) == (model.holder is not None) == (row["lock_expires_at"] is not None)
            assert (row["completed_at"] is not None) == (model.status in FINAL)
            if model.status in FINAL:
                assert self.ended.setdefault(row["id"], model.status) == model.status

    @invariant()
    def counts_are_exact(self) -> None:
        counts = self.do(self._counts())
        statuses = [model.status for model in self.jobs.values()]
        assert counts == {status: statuses.count(status) for status in counts}

    async def _counts(self) -> dict[str, int]:
        async with self.queue.database.tenant(self.queue.scope) as session:
            return await job_records.count_by_status(session, JobFilter())


def test_any_order_of_events_keeps_the_queue_true_to_its_model(database_url: str) -> None:
    loop = asyncio.new_event_loop()
    database = loop.run_until_complete(Database.open(database_url, connections=2))
    queue = Driver(database, Scope(UUID(int=7)), OwnSignals())
    machine = type("Machine", (QueueMachine,), {"loop": loop, "queue": queue})
    try:
        run_state_machine_as_test(
            machine,
            settings=settings(stateful_step_count=30, suppress_health_check=list(HealthCheck)),
        )
    finally:
        loop.run_until_complete(database.close())
        loop.close()
