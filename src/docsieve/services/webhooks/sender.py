"""Sends messages: signs one, posts it, and says what the answer means."""

import time
from collections.abc import Hashable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from urllib.parse import urlsplit

from docsieve.db.webhooks.sending import DueDelivery, Sent
from docsieve.domain.scope import Scope
from docsieve.domain.text import clean
from docsieve.domain.webhooks import RESPONSE_BYTES, Verdict, judge
from docsieve.errors import DocsieveError
from docsieve.outbound.http import OutboundClient
from docsieve.resources import Resources
from docsieve.services.webhooks import secrets
from docsieve.services.webhooks.gates import Place
from docsieve.webhooks import ID_HEADER, SIGNATURE_HEADER, TIMESTAMP_HEADER, sign

_CACHED_SECRETS = 4096


class Sender:
    def __init__(self, resources: Resources, client: OutboundClient) -> None:
        self._resources = resources
        self._client = client
        self._unseal = lru_cache(_CACHED_SECRETS)(resources.sealer.unseal)

    async def send(self, delivery: DueDelivery, body: bytes, place: Place) -> tuple[Sent, Verdict]:
        headers = {"content-type": "application/json", **await self._signed(delivery, body)}
        started_at, started = datetime.now(UTC), time.monotonic()
        try:
            answer = await self._client.post(
                delivery.url, headers, body, timeout=self._resources.settings.webhook_seconds
            )
        except DocsieveError as error:
            seconds = time.monotonic() - started
            place.failed(seconds)
            return Sent(started_at, seconds, None, error.code, error.detail), Verdict(error.code)
        verdict = judge(answer.status, answer.headers)
        (place.answered if verdict.delivered else place.failed)(answer.seconds)
        response = clean(answer.body_start[:RESPONSE_BYTES].decode("utf-8", "replace"))
        return Sent(started_at, answer.seconds, answer.status, verdict.error_code, response), verdict

    async def _signed(self, delivery: DueDelivery, body: bytes) -> dict[str, str]:
        """With every secret that is valid: after a rotation, those are two."""
        message_id, timestamp = str(delivery.event.id), int(time.time())
        sealed: Sequence[bytes] = [each for _, each in delivery.secrets]
        if not sealed and delivery.endpoint_id is None:
            sealed = await self._of_tenant(delivery)
        signatures = [sign(self._unseal(each), message_id, timestamp, body) for each in sealed]
        return {
            ID_HEADER: message_id,
            TIMESTAMP_HEADER: str(timestamp),
            SIGNATURE_HEADER: " ".join(signatures),
        }

    async def _of_tenant(self, delivery: DueDelivery) -> list[bytes]:
        async def look_up() -> list[bytes]:
            async with self._resources.database.tenant(Scope(delivery.event.tenant_id)) as session:
                return await secrets.for_one_off_urls(session, self._resources.sealer)

        return await self._resources.persist(look_up)


def receiver_of(delivery: DueDelivery) -> Hashable:
    """Whose attempts are counted together: an endpoint, or the host of a tenant's one-off URLs."""
    if delivery.endpoint_id is not None:
        return delivery.endpoint_id
    return delivery.event.tenant_id, urlsplit(delivery.url).netloc
