"""`docsieve jobs`: list, show, cancel and retry jobs."""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.failures import FAILED, complain
from docsieve.cli.console.http import Server, open_server
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import console, show_empty, show_fields, show_table, span
from docsieve.domain.jobs import JobStatus
from docsieve.errors.setup import ServerProblem

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Manage jobs through the API at DOCSIEVE_URL.")

T = TypeVar("T")

OfStatus = Annotated[JobStatus | None, typer.Option("--status", help="Only jobs with this status.")]
OfType = Annotated[str | None, typer.Option("--job-type", help="Only jobs of this type, such as process_document.")]
OfQueue = Annotated[str | None, typer.Option("--queue", help="Only jobs in this queue.")]
OfDocument = Annotated[UUID | None, typer.Option("--document", help="Only jobs of this document.")]
Ids = Annotated[
    list[UUID] | None,
    typer.Argument(metavar="ID", help="IDs of the jobs. Alternatively, select jobs with the options."),
]
Yes = Annotated[
    bool, typer.Option("--yes", "-y", help="Do not ask for confirmation before changing all matching jobs.")
]

_PAGE = 200
_ORDINARY, _WIDE = 100, 150


def _run(work: Callable[[Server], Awaitable[T]]) -> T:
    async def connect_and_work() -> T:
        async with open_server(load_settings()) as server:
            return await work(server)

    return asyncio.run(connect_and_work())


def _criteria(
    status: JobStatus | None, job_type: str | None, queue: str | None, document: UUID | None
) -> dict[str, str]:
    given = {"status": status, "job_type": job_type, "queue": queue, "document_id": document}
    return {name: str(value) for name, value in given.items() if value is not None}


@app.command("list")
def list_jobs(
    status: OfStatus = None,
    job_type: OfType = None,
    queue: OfQueue = None,
    document: OfDocument = None,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number of jobs to show.")] = 50,
    as_json: AsJson = False,
) -> None:
    """List jobs, newest first, with counts per status."""
    criteria = _criteria(status, job_type, queue, document)

    async def work(server: Server) -> dict[str, Any]:
        found = await server.get("/jobs", limit=min(limit, _PAGE), **criteria)
        while found["next_cursor"] is not None and (missing := limit - len(found["jobs"])) > 0:
            more = await server.get("/jobs", limit=min(missing, _PAGE), cursor=found["next_cursor"], **criteria)
            found = {**more, "jobs": found["jobs"] + more["jobs"]}
        return found

    found = _run(work)
    if as_json:
        print(json.dumps(found, indent=2))
        return
    if not found["jobs"]:
        show_empty("matching jobs" if criteria else "jobs")
    else:
        _show_list(found["jobs"])
    counts = ", ".join(f"{found[f'{each}_count']} {each}" for each in JobStatus)
    console().print(f"{len(found['jobs'])} of {found['total']} shown; total: {counts}", style="dim")


def _show_list(jobs: list[dict[str, Any]]) -> None:
    """Columns depend on the width: a wide terminal also shows document and error, a narrow one hides the type."""
    width = console().width
    columns: dict[str, Callable[[dict[str, Any]], object]] = {
        "id": lambda job: job["id"],
        "type": lambda job: job["job_type"],
        "status": lambda job: job["status"],
        "tries": lambda job: job["attempts"],
        "age": lambda job: _age(job["created_at"]),
        "document": lambda job: job["document_id"],
        "error": lambda job: job["error_message" if width >= _WIDE else "error_code"],
    }
    left_out = {"document"} if width < _WIDE else set()
    if width < _ORDINARY:
        left_out |= {"type", "tries"}
    shown = [name for name in columns if name not in left_out]
    rows = [[columns[name](job) for name in shown] for job in jobs]
    show_table(shown, rows, whole=["id", "type", "status", "age", "document"])


def _age(created_at: str) -> str:
    return span(max(0.0, (datetime.now(UTC) - datetime.fromisoformat(created_at)).total_seconds()))


@app.command("show")
def show_job(id: Annotated[UUID, typer.Argument(help="ID of the job.")], as_json: AsJson = False) -> None:
    """Show one job in detail."""
    job = _run(lambda server: server.get(f"/jobs/{id}"))
    if as_json:
        print(json.dumps(job, indent=2))
        return
    _show_job(job)


def _show_job(job: dict[str, Any]) -> None:
    shown: dict[str, object] = {}
    for name, value in job.items():
        if name.endswith("_at"):
            value = datetime.fromisoformat(value) if value is not None else None
        elif isinstance(value, dict):
            value = ", ".join(f"{key}: {each}" for key, each in value.items() if each is not None)
        shown[name.replace("_", " ")] = value
    show_fields(shown)


@app.command("cancel")
def cancel_jobs(
    ids: Ids = None,
    status: OfStatus = None,
    job_type: OfType = None,
    queue: OfQueue = None,
    document: OfDocument = None,
    yes: Yes = False,
) -> None:
    """Cancel pending and running jobs. Takes effect immediately."""
    criteria = _criteria(status, job_type, queue, document)
    _change("cancel", "cancelled", ids or [], criteria, (JobStatus.pending, JobStatus.processing), yes=yes)


@app.command("retry")
def retry_jobs(
    ids: Ids = None,
    status: OfStatus = None,
    job_type: OfType = None,
    queue: OfQueue = None,
    document: OfDocument = None,
    yes: Yes = False,
) -> None:
    """Retry failed jobs with a new set of attempts."""
    criteria = _criteria(status, job_type, queue, document)
    _change("retry", "queued again", ids or [], criteria, (JobStatus.failed,), yes=yes)


def _change(
    verb: str, done: str, ids: list[UUID], criteria: dict[str, str], touched: tuple[JobStatus, ...], *, yes: bool
) -> None:
    if bool(ids) == bool(criteria):
        raise typer.BadParameter("give either job IDs or at least one of --status, --job-type, --queue and --document")
    if ids:
        _change_each(verb, done, ids)
        return
    matching = _run(lambda server: _count(server, criteria, touched))
    if not matching:
        print(f"No matching job can be {done}.", file=sys.stderr)
        return
    if not yes:
        typer.confirm(f"{verb.capitalize()} {_jobs(matching)}?", abort=True, err=True)
    changed = _run(lambda server: server.post(f"/jobs/{verb}", dict(criteria)))
    print(f"{_jobs(changed['count'])} {done}.")


def _jobs(count: int) -> str:
    return f"{count} job" if count == 1 else f"{count} jobs"


async def _count(server: Server, criteria: dict[str, str], touched: tuple[JobStatus, ...]) -> int:
    """Number of jobs that would change. The API's counts ignore the status filter."""
    found = await server.get("/jobs", limit=1, **criteria)
    wanted = [status for status in touched if criteria.get("status", status) == status]
    return sum(int(found[f"{status}_count"]) for status in wanted)


def _change_each(verb: str, done: str, ids: list[UUID]) -> None:
    async def work(server: Server) -> bool:
        all_done = True
        for job_id in ids:
            try:
                await server.post(f"/jobs/{job_id}/{verb}")
                print(f"{job_id} {done}.")
            except ServerProblem as error:
                complain(error, about=str(job_id))
                all_done = False
        return all_done

    if not _run(work):
        raise typer.Exit(FAILED)
