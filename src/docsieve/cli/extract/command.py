"""`docsieve extract`: extract fields from files without a server."""

import asyncio
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from docsieve import logs
from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.failures import FAILED
from docsieve.cli.console.interrupts import run_until_stopped
from docsieve.cli.extract.files import csv_content, json_text, workbook, write_whole
from docsieve.cli.extract.options import (
    Cache,
    Engine,
    Model,
    NoCache,
    Processes,
    Prompt,
    Threshold,
    cache_folder,
    prompt_in,
    schema_named,
)
from docsieve.cli.extract.outcomes import NEEDS_REVIEW, FileOutcome
from docsieve.cli.extract.progress import ExtractProgress
from docsieve.cli.extract.view import show_outcomes
from docsieve.cli.submit.walk import files_named
from docsieve.domain.extraction import DEFAULT_ENGINE, DEFAULT_THRESHOLD, ExtractionSpec
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import DocsieveError, Invalid
from docsieve.offline.session import OfflineSession, open_session
from docsieve.settings import Settings

app = typer.Typer(add_completion=False)

TO_REVIEW = 3


class Format(StrEnum):
    table = "table"
    json = "json"
    csv = "csv"
    xlsx = "xlsx"


@dataclass(frozen=True, slots=True)
class Target:
    """`path` is None for stdout."""

    format: Format
    path: Path | None


@app.command()
def extract(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files, folders (searched recursively) or glob patterns.")
    ],
    schema: Annotated[str, typer.Option(help="Name of a built-in schema, such as receipt, or a JSON file.")],
    engine: Engine = DEFAULT_ENGINE,
    model: Model = None,
    prompt: Prompt = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", help="File to write (.json, .csv or .xlsx), - for stdout, or a format to write to stdout."
        ),
    ] = None,
    format: Annotated[
        Format | None, typer.Option(help="Output format. Defaults to the extension of the output file.")
    ] = None,
    evidence: Annotated[
        bool, typer.Option("--evidence", help="Also show the page and position of each value.")
    ] = False,
    threshold: Threshold = DEFAULT_THRESHOLD,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 3 if a document needs review.")] = False,
    password: Annotated[
        str | None,
        typer.Option(
            envvar="DOCSIEVE_DOCUMENT_PASSWORD",
            help="Password for protected documents. Other users can see command-line arguments.",
        ),
    ] = None,
    processes: Processes = os.cpu_count() or 2,
    cache: Cache = None,
    no_cache: NoCache = False,
) -> None:
    """Extract fields from documents on this machine, without a server.

    Exits with 0 on success, 1 if a file failed, 2 for a usage error, and with --strict 3 if a document needs review.
    Pages are cached for a month, so that extracting with another schema does not read the documents again.
    """
    target = _target(output, format)
    _, wanted, warnings = schema_named(schema)
    for warning in warnings:
        print(f"schema: {warning}", file=sys.stderr)
    spec = ExtractionSpec(wanted, engine, threshold=threshold, model=model, prompt=prompt_in(prompt))
    paths = [path for path in files_named(files) if target.path is None or path.resolve() != target.path.resolve()]
    if not paths:
        raise Invalid("No files found.")
    kept = cache_folder(cache, no_cache=no_cache)
    settings = load_settings()
    logs.configure(settings, process="cli")  # stdout is for the values
    outcomes = run_until_stopped(_extract_all(settings, paths, spec, kept, processes, password))
    _hand_out(outcomes, wanted, target, threshold=spec.threshold, evidence=evidence)
    if any(outcome.result is None for outcome in outcomes):
        raise typer.Exit(FAILED)
    if strict and any(outcome.status == NEEDS_REVIEW for outcome in outcomes):
        raise typer.Exit(TO_REVIEW)


def _target(output: str | None, format: Format | None) -> Target:
    if output is None or output == "-":
        target = Target(format or Format.table, None)
    elif output in set(Format) and format is None:
        target = Target(Format(output), None)
    else:
        ending = Path(output).suffix.removeprefix(".").lower()
        if format is None and ending not in {"json", "csv", "xlsx"}:
            raise typer.BadParameter(
                "use the extension .json, .csv or .xlsx, or give a --format", param_hint="--output"
            )
        target = Target(format or Format(ending), Path(output))
    if target.format is Format.xlsx and target.path is None:
        raise typer.BadParameter("xlsx can only be written to a file: -o out.xlsx", param_hint="--output")
    if target.format is Format.table and target.path is not None:
        raise typer.BadParameter("a table can only be printed; use json, csv or xlsx for a file", param_hint="--format")
    if target.path is not None and not target.path.absolute().parent.is_dir():
        raise typer.BadParameter(f"folder {target.path.parent} does not exist", param_hint="--output")
    return target


async def _extract_all(
    settings: Settings,
    paths: Sequence[Path],
    spec: ExtractionSpec,
    cache: Path | None,
    processes: int,
    password: str | None,
) -> list[FileOutcome]:
    with ExtractProgress(len(paths)) as progress:
        async with open_session(settings, cache=cache, processes=processes, password=password) as session:
            work = (_extract(session, path, spec, progress) for path in paths)
            return list(await asyncio.gather(*work))


async def _extract(session: OfflineSession, path: Path, spec: ExtractionSpec, progress: ExtractProgress) -> FileOutcome:
    started = time.perf_counter()
    try:
        read = await session.read(path, lambda at: progress.show(path, at))
        outcome = await session.extract([read], spec, lambda at: progress.show(path, at))
    except DocsieveError as error:
        return FileOutcome(str(path), code=error.code, reason=error.detail)
    except OSError as error:
        return FileOutcome(str(path), code="unreadable_file", reason=f"{error.strerror}.")
    finally:
        progress.count_one()
    return FileOutcome(str(path), outcome.result, read.about.page_count, time.perf_counter() - started)


def _hand_out(
    outcomes: Sequence[FileOutcome], schema: Schema, target: Target, *, threshold: float, evidence: bool
) -> None:
    if target.format is Format.table or target.path is not None:
        show_outcomes(outcomes, schema, threshold=threshold, evidence=evidence and target.path is None)
    if target.format is Format.table:
        return
    if target.format is Format.xlsx:
        content = workbook(outcomes, schema, evidence=evidence)
    elif target.format is Format.csv:
        content = csv_content(outcomes, schema, evidence=evidence, bom=target.path is not None)
    else:
        content = json_text(outcomes, evidence=evidence).encode()
    if target.path is None:
        sys.stdout.buffer.write(content)
        return
    write_whole(target.path, [content])
    print(f"written to {target.path}", file=sys.stderr)
