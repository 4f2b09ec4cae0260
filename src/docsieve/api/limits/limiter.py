"""Refuses requests, uploads and sign-ins beyond the limits of a key, a tenant or an address."""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from docsieve import metrics
from docsieve.api.limits.buckets import SharedBuckets
from docsieve.db.access.keys import Holder
from docsieve.errors.access import RateLimited
from docsieve.limits import Limits, Rate, parse_limits

FAILED_SIGN_INS_PER_ADDRESS = Rate(60, 60.0)  # behind a proxy, all users have one address
FAILED_SIGN_INS_PER_KEY = Rate(10, 60.0)
_RETRY_UPLOAD_SECONDS = 1


class Limiter:
    """`defaults` are the limits of tenants that have none of their own, by name and as they are written."""

    def __init__(self, buckets: SharedBuckets, defaults: dict[str, str]) -> None:
        self._buckets = buckets
        self._defaults = defaults
        self._of_tenant = lru_cache(maxsize=1_000)(self._combine)

    def _combine(self, own: str) -> Limits:
        return parse_limits({**self._defaults, **json.loads(own)})

    def charge_request(self, holder: Holder) -> None:
        """Raises RateLimited."""
        limits = self._of_tenant(holder.limits)
        self._take("key_requests", holder.key_id, 1, limits.key_requests)
        self._take("requests", str(holder.tenant_id), 1, limits.requests)

    @contextmanager
    def upload(self, holder: Holder) -> Iterator[Callable[[int], None]]:
        """An upload in progress. Call the returned function with the number of its bytes, or of each part of them.

        Raises RateLimited. A file may be larger than the limit per window: then the next one waits.
        """
        limits = self._of_tenant(holder.limits)
        rates = (
            ("key_upload_bytes", holder.key_id, limits.key_upload_bytes),
            ("upload_bytes", str(holder.tenant_id), limits.upload_bytes),
        )
        for name, owner, rate in rates:
            self._take(name, owner, 0, rate)

        def charge(size: int) -> None:
            for name, owner, rate in rates:
                if rate is not None:
                    self._buckets.take(f"{name} {owner}", size, rate, force=True)

        with (
            self._at_once("key_uploads", holder.key_id, limits.key_uploads),
            self._at_once("uploads", str(holder.tenant_id), limits.uploads),
        ):
            yield charge

    def check_sign_in(self, address: str | None, key_id: str | None) -> None:
        """Raises RateLimited after too many failures from this address, or with this key."""
        # Taking nothing fails only while there is a debt, so the failure that makes one is the last that is answered.
        self._take("sign_ins_per_address", address or "", 0, FAILED_SIGN_INS_PER_ADDRESS)
        if key_id is not None:
            self._take("sign_ins_per_key", key_id, 0, FAILED_SIGN_INS_PER_KEY)

    def charge_failed_sign_in(self, address: str | None, key_id: str | None) -> None:
        self._buckets.take(f"sign_ins_per_address {address or ''}", 1, FAILED_SIGN_INS_PER_ADDRESS, force=True)
        if key_id is not None:
            self._buckets.take(f"sign_ins_per_key {key_id}", 1, FAILED_SIGN_INS_PER_KEY, force=True)

    def _take(self, name: str, owner: str, amount: int, rate: Rate | None) -> None:
        if rate is None:
            return
        if wait := self._buckets.take(f"{name} {owner}", amount, rate):
            raise _refused(name, rate.amount, rate.seconds, math.ceil(wait))

    @contextmanager
    def _at_once(self, name: str, owner: str, limit: int | None) -> Iterator[None]:
        if limit is None:
            yield
            return
        if not self._buckets.enter(f"{name} {owner}", limit):
            raise _refused(name, limit, 0.0, _RETRY_UPLOAD_SECONDS)
        try:
            yield
        finally:
            self._buckets.leave(f"{name} {owner}")


def _refused(name: str, quantity: float, window: float, seconds: int) -> RateLimited:
    metrics.rate_limited.labels(name).inc()
    return RateLimited(name, quantity, window, retry_after=max(1, seconds))
