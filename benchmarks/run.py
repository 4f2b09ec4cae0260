"""`python -m benchmarks.run`: measures, prints the tables and writes them to build/bench."""

import os
import platform
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer
import uvloop
from rich.console import Console

from benchmarks import (
    api,
    archives,
    batches,
    dashboard,
    direct_upload,
    events,
    exports,
    extraction,
    fairness,
    grounding,
    growth,
    latency,
    ocr,
    packets,
    queue,
    readers,
    reading,
    redis,
    search,
    snapshot,
    triggers,
    upload,
    webhooks,
)
from benchmarks.queues import MODULES
from benchmarks.report import Section, show, write
from benchmarks.server import BenchServer

BENCHMARKS: tuple[ModuleType, ...] = (
    queue,
    latency,
    redis,
    growth,
    snapshot,
    fairness,
    batches,
    webhooks,
    triggers,
    upload,
    direct_upload,
    api,
    archives,
    reading,
    readers,
    ocr,
    search,
    extraction,
    exports,
    grounding,
    packets,
    dashboard,
    events,
)
MIN_WIDTH = 150
REPORTED_PACKAGES = ("asyncpg", "uvloop", "uvicorn", "pgqueuer", "procrastinate", "psycopg")


def _short_name(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


async def _measure(modules: list[ModuleType], contenders: list[str], folder: Path, against: Path | None) -> None:
    console = Console(width=max(Console().width, MIN_WIDTH))
    sections: list[Section] = []
    async with BenchServer.running() as server:
        for module in modules:
            with console.status(f"measuring {_short_name(module)}"):
                run = partial(module.run, against=against) if module in (extraction, reading) else module.run
                measured = await run(server, contenders)
            for section in measured if isinstance(measured, list) else [measured]:
                show(console, section)
                sections.append(section)
        write(folder, _machine(server), sections)
    console.print(f"written to {folder / 'bench.md'}")


def _machine(server: BenchServer) -> dict[str, str]:
    packages = {package: version(package) for package in REPORTED_PACKAGES}
    return {
        "cores": str(os.cpu_count()),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "postgresql": f"{server.version} (fsync, synchronous_commit, full_page_writes on)",
        **packages,
    }


def main(
    only: Annotated[str, typer.Option(help="benchmarks to run, comma-separated; default: all")] = "",
    contenders: Annotated[str, typer.Option(help="queues to measure, comma-separated")] = ",".join(MODULES),
    out: Annotated[Path, typer.Option(help="folder for bench.md and bench.json")] = Path("build/bench"),
    against: Annotated[
        Path | None, typer.Option(exists=True, file_okay=False, help="another checkout, for `extraction` and `reading`")
    ] = None,
) -> None:
    known = {_short_name(module): module for module in BENCHMARKS}
    chosen = only.split(",") if only else list(known)
    queues = contenders.split(",")
    if unknown := {*chosen} - {*known} | {*queues} - {*MODULES}:
        raise typer.BadParameter(f"unknown: {', '.join(sorted(unknown))}")
    uvloop.run(_measure([known[name] for name in chosen], queues, out, against))


if __name__ == "__main__":
    typer.run(main)
