"""Runs one attempt and writes how it ended, exactly once and only while the lease is ours."""

import asyncio
import json
import random
import traceback
from uuid import UUID

from docsieve import faults
from docsieve.db.connection.outage import retry_through_outages
from docsieve.db.connection.session import Database
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.jobs import JobFailure
from docsieve.domain.scope import Scope
from docsieve.errors import DatabaseUnavailable, DiskFull, DocsieveError
from docsieve.errors.blobs import EncryptionKeyUnavailable
from docsieve.errors.jobs import UnknownKind
from docsieve.logs import get_logger
from docsieve.queue.attempts import record
from docsieve.queue.completer import Completer
from docsieve.queue.kinds import Closing, Ended, Kinds, LeaseLost, Snooze
from docsieve.queue.leases import Held, Leases, Stop

log = get_logger()

_LONGEST_BACKOFF = 600.0


class Executor:
    def __init__(
        self, database: Database, leases: Leases, completer: Completer, kinds: Kinds, *, retry_base_seconds: float
    ) -> None:
        self._database = database
        self._leases = leases
        self._completer = completer
        self._kinds = kinds
        self._retry_base = retry_base_seconds

    async def run(self, held: Held) -> None:
        try:
            await self._attempt(held)
        except LeaseLost:
            self._leases.count_lost(held)
        except asyncio.CancelledError:
            if held.stop is None:
                raise
            await self._interrupted(held)
        except DatabaseUnavailable as error:
            # the lease runs out and another worker takes the job
            log.error("attempt_not_written", job_id=str(held.job.id), error=error.reason)
        finally:
            # the completer takes the task away when it takes the job over
            if held.task is not None:
                self._leases.release(held)

    async def _attempt(self, held: Held) -> None:
        try:
            closing = await self._handle(held)
            if isinstance(closing, Ended):
                record(held, "completed")
            elif closing is None and held.attempt.result is None:
                self._completer.add(held)
            else:
                await self._close(held, closing)
        except LeaseLost:
            raise
        except Snooze as snooze:
            await self._hand_back(held, snooze.seconds, "snoozed", waits_for=snooze.waits_for)
        except DiskFull as full:
            # no document's fault, and it may last: nothing that was accepted may use up its attempts on it
            log.error("disk_full", job_id=str(held.job.id), detail=full.detail)
            await self._hand_back(held, full.retry_after, "snoozed")
        except EncryptionKeyUnavailable as missing:
            # nor the fault of a document
            log.error("encryption_key_unavailable", job_id=str(held.job.id), reason=missing.reason)
            await self._hand_back(held, missing.retry_after, "snoozed")
        except DocsieveError as error:
            await self._fail(held, JobFailure(error.code, error.detail), permanent=error.permanent)
        except Exception as error:
            log.exception("job_crashed", job_id=str(held.job.id), job_type=held.job.job_type)
            await self._fail(held, _unexpected(error), permanent=False)

    async def _handle(self, held: Held) -> Closing | Ended | None:
        faults.step("job.claimed")
        kind = self._kinds.get(held.job.job_type)
        if kind is None:
            raise UnknownKind(f"This worker does not know jobs of type {held.job.job_type}.")
        return await kind.run(kind.args.model_validate_json(held.job.args), held.attempt)

    async def _close(self, held: Held, closing: Closing | None) -> None:
        """Results, document, outbox and the job's end in one transaction, behind the fence."""
        job, result = held.job, held.attempt.result

        async def write() -> None:
            async with self._database.tenant(Scope(job.tenant_id)) as session:
                if not await queue_sql.complete(
                    session.connection,
                    [job],
                    worker_id=job.worker_id,
                    stages=held.attempt.stages(),
                    result=json.dumps(result) if result is not None else None,
                ):
                    raise LeaseLost
                if closing is not None:
                    await closing(session)
                faults.step("job.results_written")

        await retry_through_outages(write, seconds=self._leases.lease_seconds)
        faults.step("job.committed")
        record(held, "completed")

    async def _fail(self, held: Held, failure: JobFailure, *, permanent: bool) -> None:
        job = held.job
        final = permanent or job.last_attempt
        retry_in = None if final else self._backoff(job.attempt)
        details = {"worker_id": job.worker_id, "attempt": job.attempt, **(failure.details or {})}

        async def write() -> bool:
            async with self._database.system() as connection:
                return await queue_sql.fail(
                    connection,
                    job,
                    failure,
                    details=json.dumps(details),
                    retry_in=retry_in,
                    stages=held.attempt.stages(),
                )

        if not await retry_through_outages(write, seconds=self._leases.lease_seconds):
            raise LeaseLost
        record(held, "failed" if final else "retried", error=failure.code)

    def _backoff(self, attempt: int) -> float:
        """Exponential with full jitter, so that what failed together does not come back together."""
        return random.uniform(0, min(self._retry_base * 2 ** (attempt - 1), _LONGEST_BACKOFF))

    async def _hand_back(
        self, held: Held, delay_seconds: float, outcome: str, *, waits_for: UUID | None = None
    ) -> None:
        job = held.job

        async def write() -> bool:
            async with self._database.system() as connection:
                if waits_for is not None:
                    return await queue_sql.wait_for_document(
                        connection, job, waits_for, delay_seconds=delay_seconds, stages=held.attempt.stages()
                    )
                given_back = await queue_sql.hand_back(
                    connection,
                    [job],
                    worker_id=job.worker_id,
                    delay_seconds=delay_seconds,
                    stages=held.attempt.stages(),
                )
                return bool(given_back)

        if not await retry_through_outages(write, seconds=self._leases.lease_seconds / 6):
            raise LeaseLost
        record(held, outcome)

    async def _interrupted(self, held: Held) -> None:
        if held.stop is Stop.shutdown:
            try:
                await self._hand_back(held, 0.0, "handed_back")
            except (LeaseLost, DatabaseUnavailable):
                self._leases.count_lost(held)
        elif held.stop is Stop.cancelled:
            record(held, "cancelled")
        else:
            self._leases.count_lost(held)


def _unexpected(error: Exception) -> JobFailure:
    """Name the class and the place; the message might hold document text."""
    frames = [f"{f.filename.rpartition('/')[2]}:{f.lineno} {f.name}" for f in traceback.extract_tb(error.__traceback__)]
    message = f"The job stopped on an unexpected {type(error).__name__}."
    return JobFailure("internal_error", message, {"trace": frames[-8:]})
