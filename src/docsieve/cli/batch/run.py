"""`docsieve batch run`: from a folder or an archive to one table."""

import json
import secrets
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from docsieve.cli.batch.batches import BatchSettings, open_batch, pages, start, states
from docsieve.cli.batch.files import folder_groups, upload_missing
from docsieve.cli.batch.view import BatchView, summary
from docsieve.cli.console.exports import save_export
from docsieve.cli.console.failures import FAILED
from docsieve.cli.console.http import Server
from docsieve.cli.console.tables import show_table
from docsieve.cli.submit.remedies import explained
from docsieve.cli.submit.uploads import Outcome
from docsieve.cli.submit.walk import files_below
from docsieve.errors import Invalid
from docsieve.errors.setup import ServerProblem

TO_REVIEW = 3
_MAX_SHOWN = 20


class Grouping(StrEnum):
    document = "document"
    folder = "folder"
    all = "all"
    class_ = "class"
    pattern = "pattern"


class SplitOption(StrEnum):
    none = "none"
    auto = "auto"


@dataclass(frozen=True, slots=True)
class Run:
    """`upload` are further form fields of each upload; `export` are the parameters of the export."""

    source: Path
    settings: BatchSettings
    output: Path
    export: Mapping[str, str]
    upload: Mapping[str, str]

    @property
    def resume(self) -> str:
        """The command that goes on with this run."""
        options = {"--name": self.settings.name, "-o": str(self.output)}
        if isinstance(self.settings.schema, str):
            options["--schema"] = self.settings.schema
        if self.settings.by_local_folder or self.settings.mode != Grouping.document:
            options["--group-by"] = "folder" if self.settings.by_local_folder else self.settings.mode
        if pattern := self.settings.group_by.get("pattern"):
            options["--pattern"] = pattern
        words = ["docsieve", "batch", "run", str(self.source)]
        return shlex.join([*words, *(word for option in options.items() for word in option)])


def default_name(source: Path) -> str:
    """A new batch each time, as no name was asked for, also for two runs within a second."""
    return f"{source.resolve().name} {datetime.now().astimezone():%Y-%m-%d %H:%M:%S} {secrets.token_hex(2)}"


def schema_given(given: str | None) -> str | dict[str, Any] | None:
    """A name, or the content of a JSON file."""
    if given is None or not given.endswith(".json"):
        return given
    try:
        found = json.loads(Path(given).read_text("utf-8-sig"))
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{given} cannot be read as JSON", param_hint="--schema") from error
    if not isinstance(found, dict):
        raise typer.BadParameter(f"{given} is not a JSON Schema", param_hint="--schema")
    return found


def groups_of(grouping: Grouping, pattern: str | None) -> dict[str, str]:
    if (grouping is Grouping.pattern) != (pattern is not None):
        raise typer.BadParameter("--group-by pattern and --pattern belong together", param_hint="--pattern")
    return {"mode": grouping.value, **({"pattern": pattern} if pattern is not None else {})}


async def run_batch(server: Server, run: Run) -> tuple[dict[str, Any], Sequence[Outcome]]:
    """Upload, start, wait and export. Returns the batch as it ended, and what became of the files."""
    files = [path for path in files_below([run.source]) if path.resolve() != run.output.resolve()]
    if not files:
        raise Invalid("No files found.")
    batch = await open_batch(server, run.settings)
    print(f"batch {batch['id']}: {run.settings.name}", file=sys.stderr)
    outcomes = await upload_missing(server, batch["id"], files, fields=dict(run.upload))
    if not any(each.accepted for each in outcomes.values()):
        return batch, list(outcomes.values())
    await _start(server, run, batch, outcomes)
    with BatchView() as view:
        async for state in states(server, batch["id"]):
            batch = state
            view.show(state)
    if batch["error"] is not None:
        raise ServerProblem(batch["error"]["code"], batch["error"]["message"])
    await save_export(server, f"/batches/{batch['id']}/export", run.output, run.export)
    return batch, list(outcomes.values())


async def _start(server: Server, run: Run, batch: dict[str, Any], outcomes: dict[Path, Outcome]) -> None:
    if run.settings.by_local_folder:
        if batch["status"] == "pending_configuration":
            groups = {"mode": "explicit", "groups": folder_groups(run.source, outcomes)}
            await server.patch(f"/batches/{batch['id']}", {"group_by": groups})
        elif any(each.accepted and each.status != "present" for each in outcomes.values()):
            raise Invalid("Files cannot be added to folders of a batch that was started. Use another --name.")
    await start(server, batch)


async def show_end(server: Server, run: Run, batch: dict[str, Any], outcomes: Sequence[Outcome]) -> int:
    """Print what was not done, and a line about the rest; returns the exit code."""
    refused = [each for each in outcomes if not each.accepted]
    problems = [(each.file, each.status, explained(each.code, each.reason)) for each in refused[:_MAX_SHOWN]]
    if batch["progress"]["failed"]:
        async for each in pages(server, f"/batches/{batch['id']}/results", "results", status="failed"):
            error = each["error"] or {"code": "failed", "message": ""}
            problems.append((each["group"], each["status"], explained(error["code"], error["message"])))
            if len(problems) >= 2 * _MAX_SHOWN:
                break
    if problems:
        show_table(["file or group", "status", "reason"], problems, whole=["status"])
    if len(refused) == len(outcomes):
        print("No file was accepted.")
        return FAILED
    print(f"{summary(batch)}. Written to {run.output}.")
    counts = batch["progress"]
    if run.settings.by_local_folder and counts["total"] < counts["documents"]:
        print("A folder is one row, read as one document. For a row per file, leave out --group-by folder.")
    return FAILED if refused or batch["status"] == "cancelled" or batch["progress"]["failed"] else 0
