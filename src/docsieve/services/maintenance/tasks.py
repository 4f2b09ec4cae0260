"""The maintenance tasks: what each is called, what it does, and when it runs. Their handlers are in `jobs/maintenance`.

A new task is a class and a line of `TASKS` here, and a handler in `jobs/maintenance/registry.py`.
"""

from dataclasses import dataclass

from pydantic import Field

from docsieve.domain.jobs import JobArgs
from docsieve.domain.schedules.schedule import Every, Schedule, parse
from docsieve.errors import NotFound
from docsieve.errors.setup import InvalidSettings
from docsieve.settings import Settings


class MaintenanceArgs(JobArgs):
    """`dry_run` only counts; `limit` is the maximum number of things to delete or check."""

    queue = "maintenance"

    dry_run: bool = False
    limit: int | None = Field(None, ge=1)


class DeleteAbandonedBatches(MaintenanceArgs):
    job_type = "delete_abandoned_batches"


class DeleteOptOutData(MaintenanceArgs):
    job_type = "delete_opt_out_data"


class DeleteArchiveOriginals(MaintenanceArgs):
    job_type = "delete_archive_originals"


class DeleteExpired(MaintenanceArgs):
    job_type = "delete_expired"


class SweepBlobs(MaintenanceArgs):
    """The grace period keeps the sweep away from uploads whose row is about to be written."""

    job_type = "sweep_blobs"

    grace_seconds: float = 3600.0


class ResealBlobs(MaintenanceArgs):
    """The grace period is that of `SweepBlobs`, because a blob is written that may have been deleted meanwhile."""

    job_type = "reseal_blobs"

    seconds: float = 300.0
    grace_seconds: float = 3600.0


class DeleteAbandonedUploads(MaintenanceArgs):
    job_type = "delete_abandoned_uploads"


class PruneJobs(MaintenanceArgs):
    job_type = "prune_jobs"


class PruneIdempotencyKeys(MaintenanceArgs):
    job_type = "prune_idempotency_keys"


class PruneSessions(MaintenanceArgs):
    job_type = "prune_sessions"


class PruneProviderRecords(MaintenanceArgs):
    job_type = "prune_provider_records"


class PruneDeliveries(MaintenanceArgs):
    job_type = "prune_deliveries"


class RemoveTemporaryFiles(MaintenanceArgs):
    job_type = "remove_temporary_files"


class CheckFiles(MaintenanceArgs):
    job_type = "check_files"

    seconds: float = 60.0
    older_than_days: float = 7.0


@dataclass(frozen=True, slots=True)
class Task:
    args: type[MaintenanceArgs]
    schedule: Schedule
    description: str

    @property
    def name(self) -> str:
        return self.args.job_type


_QUARTER_HOUR, _HOUR = Every(900), Every(3600)

TASKS = (
    Task(
        DeleteAbandonedBatches,
        _HOUR,
        "Delete batches that were neither started nor changed for a week, with the documents uploaded into them.",
    ),
    Task(
        DeleteAbandonedUploads,
        _HOUR,
        "Delete direct uploads whose signed requests have expired, with what was stored of them.",
    ),
    Task(
        DeleteOptOutData,
        _QUARTER_HOUR,
        "Delete batches and documents with `persist_data: false` once their grace period is over.",
    ),
    Task(
        DeleteArchiveOriginals,
        _HOUR,
        "Delete the files of archives that were unpacked more than a day ago. Their contents stay.",
    ),
    Task(
        DeleteExpired,
        _HOUR,
        "Delete documents, uploaded files and results that are past the time their project or upload set.",
    ),
    Task(SweepBlobs, _HOUR, "Delete stored files that belong to no document."),
    Task(PruneJobs, _QUARTER_HOUR, "Delete finished jobs that are older than DOCSIEVE_KEEP_JOBS_DAYS."),
    Task(PruneIdempotencyKeys, _HOUR, "Forget idempotency keys that are older than a week."),
    Task(PruneSessions, _HOUR, "Delete dashboard sessions and sign-in links that have expired."),
    Task(
        PruneProviderRecords, _HOUR, "Delete cached responses older than 30 days and spending records older than 400."
    ),
    Task(
        PruneDeliveries,
        _HOUR,
        "Delete events older than a week, webhook deliveries older than 30 days, and secrets that were rotated out.",
    ),
    Task(
        RemoveTemporaryFiles,
        _HOUR,
        "Remove files that killed processes left on the machine of the worker that runs this.",
    ),
    Task(
        ResealBlobs,
        _QUARTER_HOUR,
        "Encrypt data keys with the newest master key, and stored files with their tenant's newest data key, for up "
        "to five minutes.",
    ),
    Task(CheckFiles, _HOUR, "Verify the checksums of stored files for a minute, least recently checked first."),
)

_BY_NAME = {each.name: each for each in TASKS}


def named(name: str) -> Task:
    """Raises NotFound."""
    if name not in _BY_NAME:
        raise NotFound(f"There is no maintenance task {name}. Known: {', '.join(sorted(_BY_NAME))}.")
    return _BY_NAME[name]


def schedules(settings: Settings) -> dict[str, Schedule | None]:
    """When each task runs, None for those that do not run by themselves. Raises InvalidSettings."""
    unknown = settings.schedules.keys() - _BY_NAME.keys()
    if unknown:
        raise InvalidSettings(f"DOCSIEVE_SCHEDULES: unknown task {min(unknown)}. Known: {', '.join(sorted(_BY_NAME))}.")
    try:
        changes = {name: parse(text) for name, text in settings.schedules.items()}
    except ValueError as error:
        raise InvalidSettings(f"DOCSIEVE_SCHEDULES: {error}.") from error
    return {each.name: each.schedule for each in TASKS} | changes
