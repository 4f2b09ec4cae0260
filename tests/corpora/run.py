"""`python -m tests.corpora.run`: every file of the corpora through the real service, and a table of how each ended."""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from tests.corpora.manifest import CORPORA, SETS, sample, specimens
from tests.corpora.outcomes import is_good, show
from tests.corpora.passage import send_through
from tests.service import Service

MIN_WIDTH = 150


@contextmanager
def running_service(**settings: str) -> Iterator[Service]:
    """`docsieve up` in a fresh folder, with its embedded database; gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="docsieve-corpora-"))
    folder.chmod(0o755)  # the database's account must be able to enter
    service = Service(folder, settings)
    try:
        service.wait_ready(service.run("up"))
        yield service
    finally:
        service.stop()
        shutil.rmtree(folder, ignore_errors=True)


def main(
    sets: Annotated[str, typer.Option(help="sets to send, comma-separated")] = ",".join(SETS),
    of_each: Annotated[int, typer.Option("--sample", help="only so many files of each type; 0: all")] = 0,
    out: Annotated[Path | None, typer.Option("--json", help="file for every outcome as JSON")] = None,
) -> None:
    chosen = sets.split(",")
    if unknown := {*chosen} - {*SETS}:
        raise typer.BadParameter(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(SETS)}")
    console = Console(width=max(Console().width, MIN_WIDTH))
    if not CORPORA.is_dir():
        console.print("the test corpora are not next to the repository")
        raise typer.Exit(2)
    files = list(specimens(chosen))
    files = sample(files, of_each) if of_each else files
    with running_service() as service, Progress(console=console, transient=True) as progress:
        bar = progress.add_task("documents final", total=len(files))
        outcomes, neighbors = send_through(service, files, lambda _: progress.advance(bar))
    outcomes.sort(key=lambda outcome: (outcome.specimen.set, outcome.specimen.type, outcome.specimen.name))
    show(console, outcomes, neighbors)
    if out is not None:
        out.write_text(json.dumps([outcome.as_json() for outcome in outcomes], indent=1))
    sys.exit(0 if is_good(outcomes, neighbors) else 1)


if __name__ == "__main__":
    typer.run(main)
