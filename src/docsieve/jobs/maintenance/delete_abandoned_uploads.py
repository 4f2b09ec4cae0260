"""Deletes direct uploads whose signed requests have expired. Those that became documents are only forgotten."""

from docsieve.db.documents import uploads
from docsieve.jobs.maintenance.run import TaskRun
from docsieve.services.direct_uploads import delete_parts

_SLICE = 200


async def delete(run: TaskRun) -> None:
    run.counts.update(uploads=0)
    last = None
    while (limit := run.left(_SLICE)) > 0:
        async with run.resources.database.system() as connection:
            found = await uploads.abandoned(connection, after=last, limit=limit)
        if not found:
            return
        last = found[-1][1]
        if not run.dry_run:
            # files first: without its row, nothing but the slow sweep would find them
            for tenant_id, upload_id, parts in found:
                await delete_parts(run.resources.blobs, tenant_id, upload_id, parts)
            async with run.resources.database.system() as connection:
                await uploads.forget(connection, [upload_id for _, upload_id, _ in found])
        run.count(towards_limit=len(found), uploads=len(found))
