"""`python -m benchmarks.calibration`: fits how sure an engine's values are, and says how well that holds.

Documents are split into folds; each is judged by a model that never saw it, and that is what the printed errors are
about. The model that is written in the end has seen all of them.
"""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from benchmarks.calibrations.fitting import Vector, calibration_error, fit, out_of_sample
from benchmarks.calibrations.records import Record, Records, records_of_set
from benchmarks.quality import SETS, Corpus, plan_of
from docsieve.domain.extraction import ExtractionSpec
from docsieve.engines.registry import local_engine
from docsieve.offline.session import open_session
from docsieve.settings import Settings

COEFFICIENTS = Path(__file__).parents[1] / "src" / "docsieve" / "analysis" / "confidence.json"
FOLDS = 5

UNLIKE = frozenset({"schema_extract_bench"})
"""Hardly anything of it is right, and what is wrong there says nothing about papers of other kinds."""


async def gather(chosen: list[Corpus], engine: str, cache: Path, console: Console) -> Records:
    everything = Records()
    async with open_session(Settings.from_environment(), cache=cache, processes=1) as session:
        for corpus in chosen:
            with console.status(f"extracting from {corpus.name}"):
                plan = plan_of(corpus, ExtractionSpec({}, engine))
                files = [await session.read(sample.path, lambda _: None) for sample in plan.samples]
                found = await asyncio.to_thread(records_of_set, corpus.name, plan, files, local_engine(engine))
            everything.records += found.records
            everything.nulls += found.nulls
    return everything


def report(console: Console, records: list[Record], sure: Vector) -> None:
    right = np.array([record.right for record in records], dtype=float)
    sets = np.array([record.dataset for record in records])
    table = Table("set", "values", "share right", "mean confidence", "calibration error, out of sample")
    for name in [*dict.fromkeys(sets), "all"]:
        inside = np.ones(len(sets), dtype=bool) if name == "all" else sets == name
        figures = (right[inside].mean(), sure[inside].mean(), calibration_error(sure[inside], right[inside]))
        table.add_row(str(name), str(inside.sum()), *(f"{figure:.3f}" for figure in figures))
    console.print(table)


def write_coefficients(engine: str, records: Records, prior: dict[str, Any]) -> None:
    model = fit(records.records, prior, records.absent).model
    data = json.loads(COEFFICIENTS.read_text())
    data["engines"][engine] = {
        "bias": model.bias,
        "weights": dict(model.weights),
        "curve": [list(point) for point in model.curve],
        "absent": asdict(model.absent),
        "values": len(records.records),
    }
    COEFFICIENTS.write_text(json.dumps(data, indent=1) + "\n")


def main(
    engine: Annotated[str, typer.Option(help="a local engine")] = "local",
    only: Annotated[str, typer.Option(help="sets to learn from, comma-separated; default: all but one")] = "",
    cache: Annotated[Path, typer.Option(help="where pages that were read are kept")] = Path("build/eval-pages"),
    write: Annotated[bool, typer.Option(help="write the coefficients into the package")] = False,
    curve: Annotated[Path, typer.Option(help="where the reliability curve goes")] = Path("build/eval/calibration.json"),
) -> None:
    console = Console()
    wanted = only.split(",") if only else [corpus.name for corpus in SETS if corpus.name not in UNLIKE]
    chosen = [corpus for corpus in SETS if corpus.name in wanted]
    found = asyncio.run(gather(chosen, engine, cache, console))
    prior = json.loads(COEFFICIENTS.read_text())["default"]
    sure = out_of_sample(found.records, prior, FOLDS)
    report(console, found.records, sure)
    console.print(f"{len(found.nulls)} empty fields of closed sets, sure that they are absent: {found.absent}")
    curve.parent.mkdir(parents=True, exist_ok=True)
    points = [
        {"set": record.dataset, "confidence": round(float(each), 4), "right": record.right}
        for record, each in zip(found.records, sure, strict=True)
    ]
    curve.write_text(json.dumps({"engine": engine, "folds": FOLDS, "values": points}) + "\n")
    if write:
        write_coefficients(engine, found, prior)
        console.print(f"written to {COEFFICIENTS}")


if __name__ == "__main__":
    typer.run(main)
