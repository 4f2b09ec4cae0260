"""Rules of webhooks: the states of a delivery, what an answer means, and when to try again."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Literal

Payload = Literal["thin", "full"]
DisabledReason = Literal["gone", "refused", "failing"]


class DeliveryStatus(StrEnum):
    pending = "pending"
    delivered = "delivered"
    failed = "failed"
    cancelled = "cancelled"


RETRY_SECONDS = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000)
"""Pauses before the second and later attempts: three days in total."""

RESPONSE_BYTES = 4096
"""How much of an answer is kept."""

_JITTER = (0.8, 1.2)
_LONGEST_RETRY_AFTER = 86_400.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an attempt means for the message and its endpoint. `error_code` is null if the message was delivered."""

    error_code: str | None = None
    final: bool = False
    disable: DisabledReason | None = None
    retry_after: float | None = None

    @property
    def delivered(self) -> bool:
        return self.error_code is None


def judge(status: int, headers: Mapping[str, str]) -> Verdict:
    """Only 2xx is success; a redirect is a failure. `headers` are in lower case.

    A receiver can answer `webhook-delivery: disable` to get no more messages, or `abort-message` to get no more
    attempts of this one.
    """
    wish = headers.get("webhook-delivery", "").strip().lower()
    disable: DisabledReason | None = "gone" if status == 410 else "refused" if wish == "disable" else None
    if 200 <= status < 300:
        return Verdict(disable=disable)
    error_code = "receiver_redirected" if 300 <= status < 400 else "receiver_refused"
    final = disable is not None or wish == "abort-message"
    return Verdict(error_code, final, disable, retry_after(headers.get("retry-after"), datetime.now(UTC)))


def retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds until the time that a receiver asked for, at most a day. Null if it said nothing that makes sense."""
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:9]), _LONGEST_RETRY_AFTER)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    seconds = ((moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - now).total_seconds()
    return min(max(seconds, 0.0), _LONGEST_RETRY_AFTER)


def retry_delay(
    tries: int, asked: float | None = None, jitter: Callable[[float, float], float] = random.uniform
) -> float | None:
    """Seconds until the next attempt after `tries` failed ones; null if there is none. `asked` is by the receiver."""
    if tries > len(RETRY_SECONDS):
        return None
    return max(RETRY_SECONDS[tries - 1] * jitter(*_JITTER), asked or 0.0)
