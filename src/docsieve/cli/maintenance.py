"""`docsieve maintenance`: list maintenance tasks and run one now."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Annotated, Any, TypeVar

import typer

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.failures import FAILED
from docsieve.cli.console.http import Server, open_server
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import show_fields, show_table

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Run maintenance tasks through the API at DOCSIEVE_URL."
)

T = TypeVar("T")

_POLL_SECONDS = 0.5
_UNFINISHED = ("pending", "processing")


def _run(work: Callable[[Server], Awaitable[T]]) -> T:
    async def connect_and_work() -> T:
        async with open_server(load_settings()) as server:
            return await work(server)

    return asyncio.run(connect_and_work())


@app.command("list")
def list_tasks(as_json: AsJson = False) -> None:
    """List tasks with their schedule, next run and last result."""
    found = _run(lambda server: server.get("/maintenance"))["tasks"]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    rows = [
        (
            each["name"],
            each["schedule"] or "off",
            _moment(each["next_run_at"]),
            _moment(each["last"]["completed_at"]) if each["last"] is not None else None,
            _outcome(each["last"]),
        )
        for each in found
    ]
    show_table(["task", "schedule", "next run", "last run", "last result"], rows, whole=["task", "schedule"])


@app.command("run")
def run_task(
    task: Annotated[str, typer.Argument(help="Name of the task, such as sweep_blobs.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only count what would be deleted.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of things to delete or check.")] = None,
    wait: Annotated[bool, typer.Option("--wait", help="Wait for the end and print the result.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a task now. A job with the same options that is not finished is shown instead."""
    query = {"dry_run": str(dry_run).lower(), **({"limit": str(limit)} if limit is not None else {})}
    path = f"/maintenance/{task}?" + "&".join(f"{name}={value}" for name, value in query.items())

    async def work(server: Server) -> dict[str, Any]:
        job = await server.post(path)
        while wait and job["status"] in _UNFINISHED:
            await asyncio.sleep(_POLL_SECONDS)
            job = await server.get(f"/jobs/{job['id']}")
        return job

    job = _run(work)
    if as_json:
        print(json.dumps(job, indent=2))
    else:
        show_fields({"job": job["id"], "task": job["job_type"], "status": job["status"], "result": _outcome(job)})
    if job["status"] in ("failed", "cancelled"):
        raise typer.Exit(FAILED)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text is not None else None


def _outcome(job: dict[str, Any] | None) -> str | None:
    """Counts of a completed job, otherwise its error."""
    if job is None or job["status"] in _UNFINISHED:
        return None
    if job["result"] is None:
        return str(job["error_message"] or job["status"])
    counts = [f"{number} {name.replace('_', ' ')}" for name, number in job["result"].items() if type(number) is int]
    notes = [name.replace("_", " ") for name, flag in job["result"].items() if flag is True]
    return ", ".join([*counts, *notes])
