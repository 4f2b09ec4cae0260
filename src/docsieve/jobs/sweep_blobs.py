"""Removes blobs that no document owns: uploads that died before their row, and what a delete left behind."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

from docsieve.blobs.port import BlobInfo
from docsieve.db.connection.session import Database
from docsieve.db.documents import deletion
from docsieve.domain.jobs import JobArgs
from docsieve.logs import get_logger
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources

log = get_logger()

_BATCH = 500


class SweepBlobs(JobArgs):
    """The grace keeps the sweep away from uploads whose row is about to be written."""

    job_type = "sweep_blobs"
    queue = "maintenance"

    grace_seconds: float = 3600.0


class SweepBlobsHandler:
    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def __call__(self, args: SweepBlobs, attempt: Attempt) -> None:
        before = datetime.now(UTC) - timedelta(seconds=args.grace_seconds)
        removed = 0
        for prefix in ("documents", "pages", "images"):
            async for batch in self._old_batches(prefix, before):
                for key in await _orphans(self._resources.database, prefix, batch):
                    await self._resources.blobs.delete(key)
                    removed += 1
        if removed:
            log.info("orphan_blobs_removed", count=removed)

    async def _old_batches(self, prefix: str, before: datetime) -> AsyncIterator[list[BlobInfo]]:
        batch: list[BlobInfo] = []
        async for blob in self._resources.blobs.list(prefix):
            if blob.modified < before:
                batch.append(blob)
            if len(batch) == _BATCH:
                yield batch
                batch = []
        if batch:
            yield batch


async def _orphans(database: Database, prefix: str, batch: list[BlobInfo]) -> list[str]:
    async with database.system() as connection:
        if prefix == "documents":
            owners = {blob.key: UUID(blob.key.rpartition("/")[2]) for blob in batch}
            known = await deletion.with_original(connection, list(owners.values()))
            return [key for key, owner in owners.items() if owner not in known]
        contents = {blob.key: _content(blob.key) for blob in batch}
        held = await deletion.known_contents(connection, list(set(contents.values())))
        return [key for key, content in contents.items() if content not in held]


def _content(key: str) -> tuple[UUID, str]:
    """The tenant and the hash in the key of pages, or of an image of a page."""
    _, tenant, _, name, *_ = key.split("/")
    return UUID(tenant), name.partition(".")[0]
