"""Removes blobs that no document owns: uploads that died before their row, and what a delete left behind."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from uuid import UUID

from docsieve.blobs.port import BlobInfo, BlobStore
from docsieve.db.connection.session import Database
from docsieve.db.documents import deletion, uploads
from docsieve.jobs.maintenance.run import TaskRun
from docsieve.services.maintenance.tasks import SweepBlobs

_SLICE = 500


async def sweep(run: TaskRun) -> None:
    assert isinstance(run.args, SweepBlobs)
    before = datetime.now(UTC) - timedelta(seconds=run.args.grace_seconds)
    resources = run.resources
    run.counts.update(checked=0, blobs=0, bytes=0)
    for prefix in ("documents", "uploads", "pages", "images"):
        async for batch in _old_batches(resources.blobs, prefix, before):
            orphans = (await _orphans(resources.database, prefix, batch))[: run.left(_SLICE)]
            if not run.dry_run:
                for blob in orphans:
                    await resources.blobs.delete(blob.key)
            size = sum(blob.size for blob in orphans)
            run.count(towards_limit=len(orphans), checked=len(batch), blobs=len(orphans), bytes=size)
            if not run.left():
                return


async def _old_batches(blobs: BlobStore, prefix: str, before: datetime) -> AsyncIterator[list[BlobInfo]]:
    batch: list[BlobInfo] = []
    async for blob in blobs.list(prefix):
        if blob.modified < before:
            batch.append(blob)
        if len(batch) == _SLICE:
            yield batch
            batch = []
    if batch:
        yield batch


async def _orphans(database: Database, prefix: str, batch: list[BlobInfo]) -> list[BlobInfo]:
    async with database.system() as connection:
        if prefix == "documents":
            owners = [UUID(blob.key.rpartition("/")[2]) for blob in batch]
            known = await deletion.with_original(connection, owners)
            return [blob for blob, owner in zip(batch, owners, strict=True) if owner not in known]
        if prefix == "uploads":
            senders = [UUID(blob.key.split("/")[3]) for blob in batch]
            sending = await uploads.unfinished(connection, senders)
            return [blob for blob, sender in zip(batch, senders, strict=True) if sender not in sending]
        contents = [_content(blob.key) for blob in batch]
        held = await deletion.known_contents(connection, list(set(contents)))
        return [blob for blob, content in zip(batch, contents, strict=True) if content not in held]


def _content(key: str) -> tuple[UUID, str]:
    """The tenant and the hash in the key of pages, or of an image of a page."""
    _, tenant, _, name, *_ = key.split("/")
    return UUID(tenant), name.partition(".")[0]
