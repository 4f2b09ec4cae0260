"""`docsieve batch`: run, list, show, start, cancel, retry and export batches."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer

from docsieve.cli.batch import options
from docsieve.cli.batch.batches import BatchSettings, find
from docsieve.cli.batch.run import (
    TO_REVIEW,
    Grouping,
    Run,
    default_name,
    groups_of,
    run_batch,
    schema_given,
    show_end,
)
from docsieve.cli.batch.view import describe, summary
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.exports import export_parameters, save_export
from docsieve.cli.console.http import Server, open_server
from docsieve.cli.console.interrupts import run_until_stopped
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import console, show_empty, show_fields, show_table
from docsieve.domain.batches import BatchStatus
from docsieve.errors import NotFound

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    help="Extract from many documents at once through the API at DOCSIEVE_URL.",
)

T = TypeVar("T")

_MAX_SHOWN = 200


def _run(work: Callable[[Server], Awaitable[T]]) -> T:
    async def connect_and_work() -> T:
        async with open_server(load_settings()) as server:
            return await work(server)

    return asyncio.run(connect_and_work())


@app.command("run")
def run(
    source: options.Source,
    output: options.Output,
    schema: options.Schema = None,
    group_by: options.GroupBy = Grouping.document,
    pattern: options.Pattern = None,
    split: options.Split = None,
    name: options.Name = None,
    project: options.Project = None,
    engine: options.Engine = None,
    model: options.Model = None,
    prompt: options.Prompt = None,
    threshold: options.Threshold = None,
    priority: options.Priority = None,
    password: options.Password = None,
    lists: options.Lists = None,
    evidence: options.WithEvidence = False,
    strict: options.Strict = False,
) -> None:
    """Upload a folder or an archive, extract from it, and write one table.

    Exits with 0 on success, 1 if a file or a group failed, 2 for a usage error, and with --strict 3 if a row needs
    review. Interrupted, the batch goes on, and the command that resumes it is printed.
    """
    given = {
        "engine": engine,
        "model": model,
        "prompt": prompt,
        "threshold": threshold,
        "split": split.value if split is not None else None,
        "priority": priority,
    }
    settings = BatchSettings(
        name or default_name(source),
        schema_given(schema),
        groups_of(group_by, pattern),
        by_local_folder=group_by is Grouping.folder and source.is_dir(),
        project=project,
        options=tuple(given.items()),
    )
    upload = {"project": project, "password": password}
    wanted = Run(
        source,
        settings,
        output,
        export_parameters(output, lists=lists, evidence=evidence),
        {key: value for key, value in upload.items() if value is not None},
    )
    code, needs_review = run_until_stopped(_perform(wanted))
    if code or (strict and needs_review):
        raise typer.Exit(code or TO_REVIEW)


async def _perform(wanted: Run) -> tuple[int, bool]:
    try:
        async with open_server(load_settings()) as server:
            batch, outcomes = await run_batch(server, wanted)
            return await show_end(server, wanted, batch, outcomes), bool(batch["progress"]["needs_review"])
    except asyncio.CancelledError:
        print(f"What was started goes on. To resume:\n  {wanted.resume}", file=sys.stderr)
        raise


@app.command("list")
def list_batches(
    status: Annotated[BatchStatus | None, typer.Option(help="Only batches with this status.")] = None,
    project: Annotated[str | None, typer.Option(help="Only batches of this project.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=_MAX_SHOWN, help="Maximum number of batches.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List batches, newest first."""
    found = _run(lambda server: server.get("/batches", status=status, project=project, limit=limit))["batches"]
    if as_json:
        console().print_json(data=found)
    elif not found:
        show_empty("batches")
    else:
        rows = [(each["id"], each["name"], each["status"], each["progress"]["total"], summary(each)) for each in found]
        show_table(["id", "name", "status", "groups", "result"], rows, whole=["id", "status"])


@app.command("show")
def show_batch(batch: options.Named, as_json: AsJson = False) -> None:
    """Show a batch and how far it is."""
    found = _run(lambda server: _found(server, batch))
    if as_json:
        console().print_json(data=found)
        return
    counts = found["progress"]
    show_fields(
        {
            "id": found["id"],
            "name": found["name"],
            "status": found["status"],
            "schema": found["schema"],
            "grouped by": found["group_by"]["mode"],
            "documents": counts["documents"],
            **(
                {"not started": f"{counts['documents_new']}; see docsieve batch start"}
                if counts["documents_new"]
                else {}
            ),
            "groups": counts["total"],
            "result": summary(found),
            **({"now": describe(found)} if found["status"] == "running" else {}),
            **({"error": f"{found['error']['code']}: {found['error']['message']}"} if found["error"] else {}),
        }
    )


@app.command("start")
def start_batch(batch: options.Named) -> None:
    """Start the documents that were added since the last start, such as parts of packets that were cut afterwards."""
    print(describe(_change(batch, "start")))


@app.command("cancel")
def cancel_batch(batch: options.Named) -> None:
    """Cancel what is not finished. Results that exist are kept."""
    _change(batch, "cancel")
    print("Cancelled.")


@app.command("retry")
def retry_batch(batch: options.Named) -> None:
    """Queue the failed groups again."""
    print(f"{_change(batch, 'retry')['count']} queued again.")


@app.command("export")
def export_batch(
    batch: options.Named,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Table to write: .xlsx, .csv, .jsonl, .json or .parquet.")
    ],
    lists: options.Lists = None,
    evidence: options.WithEvidence = False,
) -> None:
    """Write the results so far as a table with one row per group, corrections applied."""
    parameters = export_parameters(output, lists=lists, evidence=evidence)

    async def work(server: Server) -> int:
        found = await _found(server, batch)
        return await save_export(server, f"/batches/{found['id']}/export", output, parameters)

    print(f"{output}: {_run(work):,} bytes.")


def _change(batch: str, action: str) -> dict[str, Any]:
    async def work(server: Server) -> dict[str, Any]:
        return await server.post(f"/batches/{(await _found(server, batch))['id']}/{action}")

    return _run(work)


async def _found(server: Server, named: str) -> dict[str, Any]:
    try:
        return await server.get(f"/batches/{UUID(named)}")
    except ValueError:
        found = await find(server, named, cancelled=True)
    if found is None:
        raise NotFound(f"There is no batch {named}.")
    return found
