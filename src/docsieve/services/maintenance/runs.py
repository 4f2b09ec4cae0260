"""Requests to run a maintenance task now, and what each task did last."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from docsieve.db.access import tenants
from docsieve.db.audit.append import append
from docsieve.db.connection.driver import Connection
from docsieve.db.connection.session import Database, Session
from docsieve.db.queue import job_records, schedules
from docsieve.db.queue.job_records import JobRecord
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.audit import Action, Actor, NewEntry
from docsieve.domain.jobs import NewJob
from docsieve.domain.schedules.schedule import Schedule
from docsieve.domain.scope import SYSTEM_TENANT, Scope
from docsieve.services.access.tenants import DEFAULT
from docsieve.services.maintenance import tasks
from docsieve.services.maintenance.tasks import TASKS, MaintenanceArgs, Task
from docsieve.settings import Settings

REQUESTED_PRIORITY = 10
"""Someone waits for it, so it runs before scheduled runs."""

_SERVER = Scope(SYSTEM_TENANT)


@dataclass(frozen=True, slots=True)
class TaskState:
    """`current` is the unfinished job, if any; `last` the newest finished one that was not a dry run."""

    task: Task
    schedule: Schedule | None
    next_run_at: datetime | None
    current: JobRecord | None
    last: JobRecord | None


async def request(database: Database, task: Task, *, dry_run: bool, limit: int | None, by: Actor) -> JobRecord:
    """Enqueue a run of the task, or return the unfinished one that was asked for or scheduled with the same options.

    A run that is added is recorded in the audit log of the operator.
    """
    args = task.args(dry_run=dry_run, limit=limit)
    job = NewJob(args, priority=REQUESTED_PRIORITY, unique_key=args.unique_key())
    while True:
        async with database.system() as connection, connection.transaction():
            session = Session(connection, _SERVER)
            [added] = await enqueue(session, [job])
            job_id = added or await job_records.find_unfinished(session, args.job_type, args.unique_key())
            found = await job_records.find(session, job_id) if job_id is not None else None
            if added is not None:
                await _record(connection, task, args, added, by)
        if found is not None:
            database.waker.wake(session.woken)
            return found  # otherwise it ended in between


async def _record(connection: Connection, task: Task, args: MaintenanceArgs, job_id: UUID, by: Actor) -> None:
    operator = await tenants.find(connection, DEFAULT)
    if operator is not None:
        details = {"job": job_id, "dry_run": args.dry_run, "limit": args.limit}
        entry = NewEntry(Action.maintenance_started, "maintenance", task.name, None, details)
        await append(connection, operator.id, by, [entry])


async def states(database: Database, settings: Settings) -> list[TaskState]:
    planned = tasks.schedules(settings)
    async with database.system() as connection:
        due = await schedules.next_ticks(connection)
    async with database.tenant(_SERVER) as session:
        return [
            TaskState(
                each,
                planned[each.name],
                due.get(each.name) if planned[each.name] is not None else None,
                await job_records.newest_of_type(session, each.name, finished=False),
                await job_records.newest_of_type(session, each.name, finished=True),
            )
            for each in TASKS
        ]
