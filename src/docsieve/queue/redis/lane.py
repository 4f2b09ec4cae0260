"""A lane that an ARQ worker feeds: a message names a job, which is claimed by its id and run like any other.

While Redis does not answer, the lane claims from the database as a lane without Redis does, so an outage costs time to
pick jobs up and nothing else.
"""

import asyncio
import random
from collections import defaultdict
from collections.abc import Collection
from typing import Any
from uuid import UUID

from arq.worker import Worker as ArqWorker
from arq.worker import create_worker, func

from docsieve import faults, metrics
from docsieve.db.queue import ready_jobs
from docsieve.errors import DatabaseUnavailable, RedisUnavailable
from docsieve.logs import get_logger
from docsieve.queue.lane import LARGEST_CLAIM, Lane, cancel, uninterrupted
from docsieve.queue.redis import messages
from docsieve.queue.redis.connection import translate_outages
from docsieve.queue.redis.sender import WINDOW, Sender

log = get_logger()

_SWEEP_SECONDS = 1.0
_COALESCE_SECONDS = 0.01
_RECONNECT_SECONDS = 2.0
_POLL_SECONDS = 0.02
_HEALTH_SECONDS = 30

# How long ARQ keeps a message from other workers until it is claimed. Then the lease does that.
_HAND_OVER_SECONDS = 10.0
# ARQ must neither end an attempt nor give a message up: the row of the job says when that is due.
_NO_LIMIT_SECONDS = 10 * 365 * 24 * 3600
_NO_LIMIT_TRIES = 2**31


class RedisLane(Lane):
    def __init__(self, *arguments: Any, sender: Sender, job_types: Collection[str]) -> None:
        super().__init__(*arguments)
        self._sender = sender
        self._functions = [func(self._run_message, name=messages.arq_function(each)) for each in job_types]
        self._delivered: dict[UUID, asyncio.Future[asyncio.Task[None] | None]] = {}
        self._arrived = asyncio.Event()
        self._sweep_now = asyncio.Event()
        self._claimed_since_sweep = 0
        self._more = False
        self._redis_answers: bool | None = None

    def wake(self) -> None:
        super().wake()
        self._sweep_now.set()

    async def run(self) -> None:
        """Take messages until cancelled; jobs under way go on."""
        while True:
            try:
                await self._serve()
            except RedisUnavailable as error:
                self._note_redis(error)
            try:
                async with asyncio.timeout(_RECONNECT_SECONDS):
                    await super().run()
            except TimeoutError:
                pass

    def _note_redis(self, error: RedisUnavailable | None) -> None:
        if error is not None and self._redis_answers is not False:
            log.warning("redis_lost", queue=self.queue, error=error.reason)
        elif error is None and self._redis_answers is False:
            log.info("redis_back", queue=self.queue)
        self._redis_answers = error is None
        metrics.lanes_without_redis.labels(self.queue).set(error is not None)
        faults.signal("lane.serving" if error is None else "lane.without_redis", self.queue)

    async def _serve(self) -> None:
        """Raises RedisUnavailable as soon as Redis fails."""
        with translate_outages():
            await self._sender.redis.ping()
        arq = self._arq_worker()
        doing = [asyncio.create_task(work) for work in (arq.main(), self._sweep(), self._claim_delivered())]
        self._note_redis(None)
        try:
            ended, _ = await asyncio.wait(doing, return_when=asyncio.FIRST_COMPLETED)
            with translate_outages():
                for task in ended:
                    task.result()
        finally:
            await cancel([*doing, *arq.tasks.values()])
            self._delivered.clear()

    def _arq_worker(self) -> ArqWorker:
        worker = create_worker(
            {
                "functions": self._functions,
                "queue_name": messages.arq_queue(self.queue),
                "redis_pool": self._sender.redis,
                "max_jobs": self.slots,
                "job_timeout": _NO_LIMIT_SECONDS,
                "max_tries": _NO_LIMIT_TRIES,
                "keep_result": 0,
                "poll_delay": _POLL_SECONDS,
                "health_check_interval": _HEALTH_SECONDS,
                "handle_signals": False,
                "job_serializer": messages.serialize,
                "job_deserializer": messages.deserialize,
            }
        )
        worker.in_progress_timeout_s = _HAND_OVER_SECONDS
        # a job of a type that no one here knows is claimed too, and fails with that reason
        worker.functions = defaultdict(lambda: func(self._run_message), worker.functions)
        return worker

    async def _sweep(self) -> None:
        """Send what Redis does not have: a net under lost messages, and the next jobs of a long queue."""
        while True:
            self._sweep_now.clear()
            self._claimed_since_sweep = 0
            try:
                self._more = await self._sender.top_up(self.queue) == WINDOW
            except DatabaseUnavailable as error:
                log.warning("messages_not_sent", queue=self.queue, error=error.reason)
            await asyncio.sleep(_COALESCE_SECONDS)
            try:
                async with asyncio.timeout(_SWEEP_SECONDS * random.uniform(0.75, 1.25)):
                    await self._sweep_now.wait()
            except TimeoutError:
                pass

    async def _run_message(self, ctx: dict[Any, Any], job_id: str) -> None:
        """What every message calls. Ends with the attempt, so that ARQ runs no more jobs at once than there are slots.

        Cancelled because Redis was lost or the worker stops, it leaves the attempt alone: that has its lease.
        """
        named = UUID(job_id)
        claimed = self._delivered.setdefault(named, asyncio.get_running_loop().create_future())
        self._arrived.set()
        attempt = await claimed
        if attempt is not None:
            await asyncio.wait([attempt])
        else:
            metrics.messages_unclaimed.labels(self.queue).inc()
            faults.signal("message.unclaimed", named)

    async def _claim_delivered(self) -> None:
        """Claim what messages name, together what came while the last claim was under way."""
        while True:
            if not self._delivered:
                self._arrived.clear()
                await self._arrived.wait()
            free = await self._wait_for_slots()
            ids = list(self._delivered)[: min(free, LARGEST_CLAIM)]
            await uninterrupted(self._claim_named(ids))

    async def _claim_named(self, ids: list[UUID]) -> None:
        try:
            async with self._database.system() as connection:
                jobs = await ready_jobs.claim_named(
                    connection,
                    self.queue,
                    ids,
                    worker_id=self._leases.worker_id,
                    lease_seconds=self._leases.lease_seconds,
                )
        except DatabaseUnavailable as error:
            # the messages are sent again
            log.warning("claim_failed", queue=self.queue, error=error.reason)
            jobs = []
        self._heads.count(self.queue, jobs)
        started = self._start(jobs)
        try:
            await self._sender.acknowledge(self.queue, ids)
        except RedisUnavailable:
            pass  # ARQ notices too, and a message that is left names a job that is not ready
        for each in ids:
            claimed = self._delivered.pop(each, None)
            if claimed is not None and not claimed.done():
                claimed.set_result(started.get(each))
        self._claimed_since_sweep += len(ids)
        if self._more and self._claimed_since_sweep >= WINDOW // 2:
            self._sweep_now.set()
