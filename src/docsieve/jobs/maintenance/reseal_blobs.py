"""Wraps data keys with the newest master key, and encrypts blobs again that are not encrypted with the newest data key.

Those are blobs from before encryption was switched on, and from before a tenant's key was rotated. They can be read all
the time. The folders of a tenant are searched one after the other, and their number is recorded, so that the next run
continues there.
"""

import time
from datetime import UTC, datetime, timedelta
from uuid import UUID

from docsieve.blobs.port import BlobInfo
from docsieve.db.access import data_keys
from docsieve.db.access.data_keys import Unsealed
from docsieve.domain.documents import BLOB_FOLDERS
from docsieve.errors import BlobMissing
from docsieve.errors.blobs import BlobSealBroken, EncryptionKeyDeleted, EncryptionKeyUnavailable
from docsieve.jobs.maintenance.orphans import orphans_among
from docsieve.jobs.maintenance.run import TaskRun
from docsieve.logs import get_logger
from docsieve.services.maintenance.tasks import ResealBlobs

_KEYS_AT_ONCE = 100
_BLOBS_AT_ONCE = 100

FOLDERS = [(folder, digit) for folder in BLOB_FOLDERS for digit in "0123456789abcdef"]

log = get_logger()


async def reseal(run: TaskRun) -> None:
    """Does nothing while encryption is off."""
    assert isinstance(run.args, ResealBlobs)
    run.counts.update(keys=0, checked=0, blobs=0, bytes=0)
    if not run.resources.keyring.enabled:
        return
    await _rewrap_keys(run)
    search = _Search(run, time.monotonic() + run.args.seconds, run.args.grace_seconds)
    last = None
    while not search.is_over:
        async with run.resources.database.system() as connection:
            tenant = await data_keys.next_unsealed(connection, len(FOLDERS), after=last)
        if tenant is None:
            return
        await search.tenant(tenant)
        last = tenant.tenant_id


async def _rewrap_keys(run: TaskRun) -> None:
    """A key that no master key opens does not keep the others."""
    keyring = run.resources.keyring
    newest, last = await keyring.newest_master(), None
    while True:
        async with run.resources.database.system() as connection:
            rows = await data_keys.wrapped_by_others(connection, newest, after=last, limit=_KEYS_AT_ONCE)
        for row in rows:
            if not run.dry_run:
                try:
                    await keyring.rewrap(row)
                except EncryptionKeyUnavailable:
                    run.counts["keys_not_opened"] += 1
                    continue
            run.counts["keys"] += 1
        if not rows:
            return
        run.count()
        last = rows[-1].id


class _Search:
    """Looks for blobs to encrypt until the time or the limit of the run is used up."""

    def __init__(self, run: TaskRun, until: float, grace_seconds: float) -> None:
        self._run = run
        self._until = until
        self._grace = timedelta(seconds=grace_seconds)
        self._blobs = run.resources.blobs
        self._database = run.resources.database

    @property
    def is_over(self) -> bool:
        return self._run.left() <= 0 or time.monotonic() > self._until

    async def tenant(self, tenant: Unsealed) -> None:
        key_id = tenant.key_id
        if not self._run.dry_run:
            key_id = (await self._run.resources.keyring.current(tenant.tenant_id)).id
        complete = not self._run.dry_run
        for number in range(tenant.resealed, len(FOLDERS)):
            folder, digit = FOLDERS[number]
            # Folders after one with something left are searched now, and again by the next run.
            complete &= await self._folder(folder, f"{folder}/{tenant.tenant_id}/{digit}", key_id)
            if self.is_over:
                return
            if complete and key_id is not None:
                async with self._database.system() as connection:
                    await data_keys.record_resealed(connection, key_id, number + 1)

    async def _folder(self, kind: str, folder: str, key_id: UUID | None) -> bool:
        """Whether nothing is left to do in this folder."""
        before = datetime.now(UTC) - self._grace
        complete, found = True, list[BlobInfo]()
        async for blob in self._blobs.list(folder):
            if self.is_over:
                complete = False
                break
            self._run.counts["checked"] += 1
            if not await self._is_unsealed(blob, key_id):
                continue
            if blob.modified >= before:
                complete = False  # its row may not have been written yet
                continue
            found.append(blob)
            if len(found) == self._run.left(_BLOBS_AT_ONCE):
                await self._reseal(kind, found)
                found = []
        await self._reseal(kind, found)
        return complete

    async def _is_unsealed(self, blob: BlobInfo, key_id: UUID | None) -> bool:
        try:
            return key_id is None or await self._blobs.sealed_with(blob.key) != key_id
        except (BlobMissing, BlobSealBroken):
            return False  # deleted meanwhile, or damaged, which `check_files` reports

    async def _reseal(self, kind: str, found: list[BlobInfo]) -> None:
        done = found if self._run.dry_run else [blob for blob in found if await self._reseal_one(blob)]
        if done and not self._run.dry_run:
            # A deletion removes rows before blobs, so what has no row now was deleted before it was written again.
            for orphan in await orphans_among(self._database, kind, done):
                await self._blobs.delete(orphan.key)
        self._run.count(towards_limit=len(done), blobs=len(done), bytes=sum(blob.size for blob in done))

    async def _reseal_one(self, blob: BlobInfo) -> bool:
        try:
            await self._blobs.put(blob.key, self._blobs.stream(blob.key))
        except BlobMissing:
            return False
        except (BlobSealBroken, EncryptionKeyDeleted) as error:
            self._run.counts["damaged"] += 1
            log.error("blob_not_resealed", key=blob.key, error=error.code)
            return False
        return True
