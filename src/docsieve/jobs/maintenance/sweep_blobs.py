"""Removes blobs that no document owns: uploads that died before their row, and what a delete left behind."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

from docsieve.blobs.port import BlobInfo, BlobStore
from docsieve.domain.documents import BLOB_FOLDERS
from docsieve.jobs.maintenance.orphans import orphans_among
from docsieve.jobs.maintenance.run import TaskRun
from docsieve.services.maintenance.tasks import SweepBlobs

_SLICE = 500


async def sweep(run: TaskRun) -> None:
    assert isinstance(run.args, SweepBlobs)
    before = datetime.now(UTC) - timedelta(seconds=run.args.grace_seconds)
    resources = run.resources
    run.counts.update(checked=0, blobs=0, bytes=0)
    for prefix in BLOB_FOLDERS:
        async for batch in _old_batches(resources.blobs, prefix, before):
            orphans = (await orphans_among(resources.database, prefix, batch))[: run.left(_SLICE)]
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
