"""The handler of each maintenance task, by the arguments of its jobs."""

from collections.abc import Mapping

from docsieve.jobs.maintenance import (
    check_files,
    delete_abandoned_batches,
    delete_abandoned_uploads,
    delete_archive_originals,
    delete_expired,
    delete_opt_out_data,
    prune,
    remove_temporary_files,
    reseal_blobs,
    sweep_blobs,
)
from docsieve.jobs.maintenance.run import TaskFunction, TaskHandler
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.kinds import Kind, Kinds
from docsieve.queue.scheduler import Scheduled
from docsieve.resources import Resources
from docsieve.services.maintenance import tasks
from docsieve.services.maintenance.tasks import TASKS, MaintenanceArgs
from docsieve.settings import Settings


def _functions(workdirs: WorkDirs) -> Mapping[type[MaintenanceArgs], TaskFunction]:
    return {
        tasks.DeleteAbandonedBatches: delete_abandoned_batches.delete,
        tasks.DeleteAbandonedUploads: delete_abandoned_uploads.delete,
        tasks.DeleteOptOutData: delete_opt_out_data.delete,
        tasks.DeleteArchiveOriginals: delete_archive_originals.delete,
        tasks.DeleteExpired: delete_expired.delete,
        tasks.SweepBlobs: sweep_blobs.sweep,
        tasks.PruneJobs: prune.finished_jobs,
        tasks.PruneIdempotencyKeys: prune.idempotency_keys,
        tasks.PruneSessions: prune.sessions,
        tasks.PruneProviderRecords: prune.provider_records,
        tasks.PruneDeliveries: prune.deliveries,
        tasks.RemoveTemporaryFiles: remove_temporary_files.remover(workdirs),
        tasks.ResealBlobs: reseal_blobs.reseal,
        tasks.CheckFiles: check_files.check,
    }


def kinds(resources: Resources, workdirs: WorkDirs) -> Kinds:
    functions = _functions(workdirs)
    return {each.name: Kind(each.args, TaskHandler(resources, functions[each.args])) for each in TASKS}


def scheduled(settings: Settings) -> list[Scheduled]:
    """Raises InvalidSettings."""
    planned = tasks.schedules(settings)
    return [Scheduled(each.args(), when) for each in TASKS if (when := planned[each.name]) is not None]
