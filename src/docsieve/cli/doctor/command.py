"""`docsieve doctor`: find problems with this installation and suggest fixes."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import asyncpg
import typer
from rich.table import Table
from rich.text import Text

from docsieve import logs
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.failures import FAILED
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import console
from docsieve.cli.doctor import (
    database_checks,
    dispatch_checks,
    encryption_checks,
    machine_checks,
    ocr_checks,
    stored_files_checks,
)
from docsieve.cli.doctor.findings import Finding, bad, doubtful, good
from docsieve.cli.server.database import connect, database_url
from docsieve.db.server.account import locate_cluster
from docsieve.db.server.embedded import running_url
from docsieve.errors import DocsieveError
from docsieve.errors.setup import DatabaseUnreachable, DirectoryInUse, InvalidSettings
from docsieve.settings import Settings

app = typer.Typer(add_completion=False)

_SIGNS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


Deep = Annotated[
    bool,
    typer.Option("--deep", help="Also read every stored file. Documents with damaged pages are queued to be re-read."),
]


@app.command()
def doctor(as_json: AsJson = False, deep: Deep = False) -> None:
    """Check settings, database, queue, blob store, encryption, disk, API, sandbox, OCR and engines.

    Exits with 1 on a problem.
    """
    findings = _examine(deep=deep)
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings], indent=2))
    else:
        _show(findings)
    if any(finding.level == "problem" for finding in findings):
        raise typer.Exit(FAILED)


def _examine(*, deep: bool) -> list[Finding]:
    try:
        settings = load_settings()
    except InvalidSettings as error:
        return [bad("settings", error.detail, "Fix or unset the variable. Nothing else was checked.")]
    logs.configure(settings.model_copy(update={"log_level": "error"}), process="doctor")
    return [
        good("settings", "all DOCSIEVE_* variables are valid"),
        *_database(settings, deep=deep),
        *asyncio.run(_outside(settings)),
        *dispatch_checks.examine(settings),
        machine_checks.disk(settings),
        machine_checks.secret_key(settings),
        machine_checks.api_key(settings),
        machine_checks.open_files(),
        machine_checks.engines(),
    ]


async def _outside(settings: Settings) -> list[Finding]:
    found = await asyncio.gather(machine_checks.blob_store(settings), machine_checks.api(settings))
    # Last, because it is timed.
    return [*found, await machine_checks.sandbox(settings), await ocr_checks.ocr(settings)]


def _database(settings: Settings, *, deep: bool) -> list[Finding]:
    if settings.database_url is None and running_url(settings.data_dir) is None:
        data_dir = settings.data_dir.resolve()
        if not (locate_cluster(data_dir) / "PG_VERSION").exists():
            return [doubtful("database", f"there is none under {data_dir} yet", "Run `docsieve up`, which creates it.")]
    try:
        with database_url(settings) as url:
            findings = asyncio.run(_examine_database(url))
            if all(finding.level != "problem" for finding in findings):
                findings.append(asyncio.run(encryption_checks.examine(settings, url)))
            if deep and all(finding.level != "problem" for finding in findings):
                findings += asyncio.run(stored_files_checks.examine(settings, url))
            return findings
    except DatabaseUnreachable as error:
        return [bad("database", error.reason, error.remedy)]
    except asyncpg.PostgresError as error:
        return [bad("database", str(error), "Does the user of DOCSIEVE_DATABASE_URL own the tables?")]
    except DirectoryInUse as error:
        return [bad("database", error.detail, "Wait until it has started or stopped, or end it; then run this again.")]
    except DocsieveError as error:
        return [bad("database", error.detail, f"Check {settings.data_dir / 'postgres.log'}.")]


async def _examine_database(url: str) -> list[Finding]:
    connection = await connect(url)
    try:
        return [finding async for finding in database_checks.examine(connection)]
    finally:
        await connection.close()


def _show(findings: Sequence[Finding]) -> None:
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for finding in findings:
        sign, style = _SIGNS[finding.level]
        said = Text(finding.reason)
        if finding.remedy is not None:
            said.append(f"\n→ {finding.remedy}", style=style)
        table.add_row(Text(sign, style=style), finding.check, said)
    output = console()
    output.print(table)
    counts = {level: sum(finding.level == level for finding in findings) for level in ("problem", "warning")}
    found = [f"{count} {level}{'s' if count > 1 else ''}" for level, count in counts.items() if count]
    output.print(f"\n{len(findings)} checks: {', '.join(found) or 'all passed'}.")
