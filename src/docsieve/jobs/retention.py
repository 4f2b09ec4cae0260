"""Deletes what is past its time, once a day: documents, uploaded files and results."""

from pydantic import Field

from docsieve.domain.jobs import JobArgs
from docsieve.logs import get_logger
from docsieve.queue.kinds import Attempt
from docsieve.resources import Resources
from docsieve.services.retention.expiry import Expiry

log = get_logger()


class DeleteExpired(JobArgs):
    """`dry_run` only counts; `limit` is the maximum number of things to delete."""

    job_type = "delete_expired"
    queue = "maintenance"

    dry_run: bool = False
    limit: int | None = Field(None, ge=1)


class DeleteExpiredHandler:
    def __init__(self, resources: Resources) -> None:
        self._resources = resources

    async def __call__(self, args: DeleteExpired, attempt: Attempt) -> None:
        counts = await Expiry(self._resources, dry_run=args.dry_run, limit=args.limit).run()
        log.info("expired_deleted", dry_run=args.dry_run, **counts)
