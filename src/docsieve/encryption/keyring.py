"""The data keys of tenants, unwrapped and in memory for a few minutes."""

import asyncio
import os
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from docsieve import faults
from docsieve.blobs.sealed.port import KEY_BYTES, DataKey, DataKeys
from docsieve.db.access import data_keys
from docsieve.db.access.data_keys import WrappedKey
from docsieve.db.connection.driver import Connection
from docsieve.db.connection.outage import retry_through_outages
from docsieve.db.connection.session import Database
from docsieve.domain.ids import new_id
from docsieve.encryption.master_keys import MasterKey, MasterKeyFailed
from docsieve.errors.blobs import EncryptionKeyDeleted, EncryptionKeyUnavailable
from docsieve.errors.retention import TenantDeleted
from docsieve.logs import get_logger

log = get_logger()

T = TypeVar("T")


@dataclass(slots=True)
class _Kept:
    tenant_id: UUID
    key: DataKey
    checked_at: float


class Keyring(DataKeys):
    """Without master keys, new blobs are not sealed, and sealed ones cannot be read.

    An unwrapped key is in memory for `kept_seconds`, and is used for `checked_seconds` without a look at the database,
    where it may have been replaced or deleted. During an outage of the database, that look waits for `outage_seconds`.
    """

    def __init__(
        self,
        database: Database,
        masters: Sequence[MasterKey],
        *,
        kept_seconds: float = 300.0,
        checked_seconds: float = 10.0,
        outage_seconds: float = 0.0,
    ) -> None:
        self._database = database
        self._masters = masters
        self._kept_seconds = kept_seconds
        self._checked_seconds = checked_seconds
        self._outage_seconds = outage_seconds
        self._kept: dict[UUID, _Kept] = {}
        self._current: dict[UUID, tuple[UUID, float]] = {}
        self._existing: dict[UUID, tuple[bool, float]] = {}
        self._turns: defaultdict[UUID, asyncio.Lock] = defaultdict(asyncio.Lock)

    @property
    def enabled(self) -> bool:
        return bool(self._masters)

    @property
    def kept(self) -> frozenset[UUID]:
        """The ids of the keys in memory."""
        return frozenset(self._kept)

    async def current(self, tenant_id: UUID) -> DataKey:
        key_id, looked_up_at = self._current.get(tenant_id, (None, 0.0))
        if key_id is not None and self._is_recent(looked_up_at) and (kept := self._kept.get(key_id)) is not None:
            return kept.key
        async with self._turns[tenant_id]:
            row = await self._query(lambda connection: data_keys.current(connection, tenant_id))
            key = await self._unwrapped(row if row is not None else await self._create(tenant_id))
            self._current[tenant_id] = key.id, time.monotonic()
            return key

    async def find(self, tenant_id: UUID, key_id: UUID) -> DataKey:
        kept = self._kept.get(key_id)
        if kept is not None and kept.tenant_id == tenant_id and self._is_recent(kept.checked_at):
            return kept.key
        async with self._turns[tenant_id]:
            row = await self._query(lambda connection: data_keys.find(connection, tenant_id, key_id))
            if row is None:
                self._kept.pop(key_id, None)
                raise EncryptionKeyDeleted
            return await self._unwrapped(row)

    async def exist(self, tenant_id: UUID) -> bool:
        exist, looked_up_at = self._existing.get(tenant_id, (False, float("-inf")))
        if not self._is_recent(looked_up_at):
            exist = await self._query(lambda connection: data_keys.exist(connection, tenant_id))
            self._existing[tenant_id] = exist, time.monotonic()
        return exist

    async def rotate(self, tenant_id: UUID) -> UUID:
        """Give the tenant a new key. Its blobs keep theirs until the task `reseal_blobs` has encrypted them again.

        Raises TenantDeleted and EncryptionKeyUnavailable.
        """
        key_id, wrapped, master = await self._generate(tenant_id)
        async with self._database.system() as connection, connection.transaction():
            if not await data_keys.lock(connection, tenant_id):
                raise TenantDeleted
            await data_keys.retire(connection, tenant_id)
            await data_keys.add(connection, tenant_id, key_id, wrapped, master)
        self._current.pop(tenant_id, None)
        return key_id

    async def rewrap(self, row: WrappedKey) -> None:
        """Wrap a data key with the first master key. Raises EncryptionKeyUnavailable."""
        wrapped, master = await self._wrap(await self._unwrap(row))
        async with self._database.system() as connection:
            await data_keys.rewrap(connection, row, wrapped, master)

    async def newest_master(self) -> str:
        """The fingerprint of the first master key. Raises EncryptionKeyUnavailable."""
        try:
            return await self._masters[0].fingerprint()
        except MasterKeyFailed as error:
            raise _unavailable(error.reason) from error

    async def check(self) -> int:
        """Unwrap a data key of each master key, and return how many data keys there are.

        Raises EncryptionKeyUnavailable.
        """
        async with self._database.system() as connection:
            samples = await data_keys.one_per_master(connection)
            count = await data_keys.count(connection)
        for row in samples:
            await self._unwrap(row)
        if self.enabled:
            wrapped, _ = await self._wrap(bytes(KEY_BYTES))
            if await self._opened_by_any(wrapped) != bytes(KEY_BYTES):
                raise _unavailable("the master key does not unwrap what it wraps")
        return count

    def forget(self, tenant_id: UUID) -> None:
        """Drop the keys of a tenant from memory. Other processes do so when they next look at the database."""
        for key_id in [key_id for key_id, kept in self._kept.items() if kept.tenant_id == tenant_id]:
            del self._kept[key_id]
        for cache in (self._current, self._existing, self._turns):
            cache.pop(tenant_id, None)

    async def _query(self, query: Callable[[Connection], Awaitable[T]]) -> T:
        async def once() -> T:
            async with self._database.system() as connection:
                return await query(connection)

        return await retry_through_outages(once, seconds=self._outage_seconds)

    async def _create(self, tenant_id: UUID) -> WrappedKey:
        """The first key of a tenant. Of several processes that make one, all use the same."""
        key_id, wrapped, master = await self._generate(tenant_id)
        async with self._database.system() as connection:
            await data_keys.add(connection, tenant_id, key_id, wrapped, master)
            row = await data_keys.current(connection, tenant_id)
        if row is None:
            raise TenantDeleted
        return row

    async def _generate(self, tenant_id: UUID) -> tuple[UUID, bytes, str]:
        """A new key, wrapped together with its tenant and id, so that it opens nothing in another row."""
        key_id = new_id()
        wrapped, master = await self._wrap(tenant_id.bytes + key_id.bytes + os.urandom(KEY_BYTES))
        return key_id, wrapped, master

    async def _wrap(self, secret: bytes) -> tuple[bytes, str]:
        if not self._masters:
            raise _unavailable("DOCSIEVE_MASTER_KEY is not set")
        try:
            return await self._masters[0].wrap(secret), await self._masters[0].fingerprint()
        except MasterKeyFailed as error:
            raise _unavailable(error.reason) from error

    async def _unwrapped(self, row: WrappedKey) -> DataKey:
        kept = self._kept.get(row.id)
        if kept is None:
            key = DataKey(row.id, (await self._unwrap(row))[-KEY_BYTES:])
            kept = self._kept[row.id] = _Kept(row.tenant_id, key, 0.0)
            asyncio.get_running_loop().call_later(self._kept_seconds, self._drop, kept)
        kept.checked_at = time.monotonic()
        return kept.key

    def _drop(self, kept: _Kept) -> None:
        if self._kept.get(kept.key.id) is kept:
            del self._kept[kept.key.id]
            faults.signal("data_key.dropped", kept.key.id)

    async def _unwrap(self, row: WrappedKey) -> bytes:
        secret = await self._opened_by_any(row.wrapped)
        if len(secret) != 32 + KEY_BYTES or not secret.startswith(row.tenant_id.bytes + row.id.bytes):
            raise _unavailable(f"data key {row.id} belongs to another tenant or was altered")
        return secret

    def _is_recent(self, moment: float) -> bool:
        return time.monotonic() - moment < self._checked_seconds

    async def _opened_by_any(self, wrapped: bytes) -> bytes:
        reasons = []
        for master in self._masters:
            try:
                return await master.unwrap(wrapped)
            except MasterKeyFailed as error:
                reasons.append(error.reason)
        raise _unavailable("; ".join(reasons) or "DOCSIEVE_MASTER_KEY is not set")


def _unavailable(reason: str) -> EncryptionKeyUnavailable:
    """The reason is for the operator. Clients do not see it."""
    log.error("encryption_key_unavailable", reason=reason)
    return EncryptionKeyUnavailable(reason)
