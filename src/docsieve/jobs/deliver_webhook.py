"""Sends one message to one receiver, and schedules the next attempt if it was not delivered.

Each attempt is a job. What to send is looked up behind the job's fence, so that a worker that lost its lease sends
nothing, and the outcome is recorded behind it, so that it is recorded once.
"""

import random
from collections.abc import Sequence

from docsieve import faults
from docsieve.batched import Batched
from docsieve.db.connection.session import Session
from docsieve.db.webhooks import endpoints, sending
from docsieve.db.webhooks.sending import DeliverWebhook, DueDelivery, Sent
from docsieve.domain.events import EventType
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.scope import Scope
from docsieve.domain.webhooks import DisabledReason, Verdict, retry_delay
from docsieve.outbound.http import OutboundClient
from docsieve.queue.kinds import Attempt, Closing, Ended, LeaseLost, Snooze
from docsieve.resources import Resources
from docsieve.services.webhooks import messages
from docsieve.services.webhooks.gates import Gates, ReceiverBusy
from docsieve.services.webhooks.sender import Sender, receiver_of

_ENDPOINT_DISABLED = "endpoint_disabled"
_RECEIVER_DOWN = "receiver_down"

_DISABLE_DAYS = 5.0
"""Without a success, after which an endpoint is disabled. All attempts of one message take three."""


class DeliverWebhookHandler:
    def __init__(self, resources: Resources, client: OutboundClient) -> None:
        self._resources = resources
        self._sender = Sender(resources, client)
        self._gates = Gates()
        self._load: Batched[ClaimedJob, DueDelivery | None] = Batched(self._load_all)
        self._record: Batched[tuple[ClaimedJob, Sent], bool] = Batched(self._record_all)

    async def __call__(self, args: DeliverWebhook, attempt: Attempt) -> Closing | Ended | None:
        job = attempt.job
        delivery = await self._load(job)
        if delivery is None:
            return None  # delivered, replaced by another job, or deleted
        if delivery.event.type != EventType.WEBHOOK_TEST:
            if not delivery.enabled:
                return lambda session: sending.give_up(session, delivery, _ENDPOINT_DISABLED)
            if delivery.pause_seconds > 0:
                return self._wait(delivery)
        try:
            async with self._gates.place(receiver_of(delivery), failing=delivery.failing) as place:
                body = await self._resources.persist(lambda: messages.body_of(self._resources, delivery))
                faults.step("webhook.prepared")
                sent, verdict = await self._sender.send(delivery, body, place)
                faults.step("webhook.answered")
        except ReceiverBusy as busy:
            raise Snooze(busy.seconds) from busy
        if not verdict.delivered:
            return lambda session: self._failed(session, delivery, job, sent, verdict)
        if verdict.disable is None:
            ended = await self._record((job, sent))
        else:
            ended = await self._record_and_disable(delivery, job, sent, verdict.disable)
        faults.step("webhook.recorded")
        if not ended:
            raise LeaseLost
        return Ended()

    def _wait(self, delivery: DueDelivery) -> Closing:
        """Until the breaker lets the next message through; spread, so that not all come back at once."""
        if delivery.expired:
            return lambda session: sending.give_up(session, delivery, _RECEIVER_DOWN)
        raise Snooze(delivery.pause_seconds * random.uniform(1.0, 1.2))

    async def _failed(
        self, session: Session, delivery: DueDelivery, job: ClaimedJob, sent: Sent, verdict: Verdict
    ) -> None:
        if not await sending.record_failed(session, delivery, job.id, sent):
            return
        assert verdict.error_code is not None
        await self._count_failure(session, delivery, verdict)
        delay = None if verdict.final else retry_delay(delivery.tries + 1, verdict.retry_after)
        if delay is None:
            await sending.give_up(session, delivery, verdict.error_code)
        else:
            await sending.try_again(session, delivery, seconds=delay)

    async def _count_failure(self, session: Session, delivery: DueDelivery, verdict: Verdict) -> None:
        if delivery.endpoint_id is None:
            return
        reason = verdict.disable
        if not verdict.final:  # otherwise the receiver works, and does not want this message
            failed_for_days = await endpoints.count_failure(
                session,
                delivery.endpoint_id,
                pause_seconds=verdict.retry_after or 0.0,
                disable_days=_DISABLE_DAYS,
            )
            reason = reason or ("failing" if failed_for_days else None)
        if reason is not None:
            await endpoints.disable(session, delivery.endpoint_id, reason)

    async def _load_all(self, jobs: Sequence[ClaimedJob]) -> list[DueDelivery | None]:
        async def look_up() -> list[DueDelivery | None]:
            async with self._resources.database.system() as connection:
                due = await sending.load(connection, jobs)
            return [due.get(job.id) for job in jobs]

        return await self._resources.persist(look_up)

    async def _record_all(self, sent: Sequence[tuple[ClaimedJob, Sent]]) -> list[bool]:
        """Which of them could be recorded."""

        async def write() -> list[bool]:
            async with self._resources.database.system() as connection:
                ended = await sending.record_delivered(connection, sent)
            return [job.id in ended for job, _ in sent]

        return await self._resources.persist(write)

    async def _record_and_disable(
        self, delivery: DueDelivery, job: ClaimedJob, sent: Sent, reason: DisabledReason
    ) -> bool:
        async def write() -> bool:
            async with self._resources.database.tenant(Scope(job.tenant_id)) as session:
                ended = await sending.record_delivered(session.connection, [(job, sent)])
                if ended and delivery.endpoint_id is not None:
                    await endpoints.disable(session, delivery.endpoint_id, reason)
            return bool(ended)

        return await self._resources.persist(write)
