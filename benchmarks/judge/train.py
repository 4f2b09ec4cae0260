"""`make train`: fits the judge of the local engine and the confidence of its values.

Each kind of document is left out in turn. The confidence is fitted on what judges made of kinds that they never saw,
because that is what users will send; and its error is printed for kinds that were left out of its own fit too. The
judge that is written in the end has seen all kinds. The same documents give the same files.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.judge import confidence, trees
from benchmarks.judge.confidence import Null, Numbers, Value
from benchmarks.judge.documents import Document, read_documents
from benchmarks.judge.records import Record, records_of
from docsieve.analysis.proof.confidence import Model
from docsieve.domain.extraction import DEFAULT_THRESHOLD
from docsieve.engines.local.engine import LocalFields
from docsieve.engines.local.judge.judge import Judge
from docsieve.offline.session import open_session
from docsieve.settings import Settings

PACKAGE = Path(__file__).parents[2] / "src" / "docsieve"
JUDGE = PACKAGE / "engines" / "local" / "judge" / "model.json"
CONFIDENCE = PACKAGE / "analysis" / "proof" / "confidence.json"
LEFT_OUT = Path("build/judge/left_out.json")


async def read(cache: Path, console: Console) -> list[Document]:
    async with open_session(Settings.from_environment(), cache=cache, processes=1) as session:
        with console.status("reading documents"):
            return [document async for document in read_documents(session)]


def judge_without(kind: str | None, records: Sequence[Record]) -> dict[str, Any]:
    return trees.fit([record for record in records if record.kind != kind])


def curve(stored: dict[str, dict[str, Any]], records: Sequence[Record]) -> tuple[float, float]:
    """From the sums of judges that have not seen the kind, which are less certain than those of one that has."""
    margins, right, kinds = [], [], []
    for kind, judge in stored.items():
        mine = [record for record in records if record.kind == kind]
        if mine:
            margins.append(Judge.load(judge).margins(np.array([record.features for record in mine])))
            right += [record.right for record in mine]
            kinds += [kind] * len(mine)
    weights = trees.weights_of(kinds)
    bias, slope = trees.logistic(np.concatenate(margins), np.array(right, dtype=float), weights)
    return bias, slope


def left_out(values: Sequence[Value], nulls: Sequence[Null], prior: dict[str, Any]) -> Numbers:
    """The confidence of each value, by a model that was fitted without its kind."""
    sure = np.zeros(len(values))
    for kind in dict.fromkeys(value.kind for value in values):
        taught = [value for value in values if value.kind != kind]
        model = confidence.fit(taught, [null for null in nulls if null.kind != kind], prior)
        for at, value in enumerate(values):
            if value.kind == kind:
                sure[at] = model.certainty(value.features)
    return sure


def report(console: Console, values: Sequence[Value], sure: Numbers) -> None:
    right = np.array([value.right for value in values], dtype=float)
    kinds = np.array([value.kind for value in values])
    table = Table("kind, left out", "values", "right", "mean confidence", "calibration error", "sure", "right if sure")
    for kind in [*dict.fromkeys(kinds), "all"]:
        inside = np.ones(len(kinds), dtype=bool) if kind == "all" else kinds == kind
        certain = inside & (sure >= DEFAULT_THRESHOLD)
        figures = (right[inside].mean(), sure[inside].mean(), calibration_error(sure[inside], right[inside]))
        of_certain = f"{right[certain].mean():.3f}" if certain.any() else ""
        table.add_row(
            str(kind), str(inside.sum()), *(f"{each:.3f}" for each in figures), str(certain.sum()), of_certain
        )
    console.print(table)


def calibration_error(sure: Numbers, right: Numbers, bins: int = 10) -> float:
    """The mean distance of confidence and share of right values, over equally wide bins."""
    place = np.minimum((sure * bins).astype(int), bins - 1)
    apart = [abs(float((sure[place == at] - right[place == at]).sum())) for at in range(bins)]
    return sum(apart) / len(sure)


def write(judge: dict[str, Any], model: Model, count: int) -> None:
    JUDGE.write_text(json.dumps(judge, separators=(",", ":")) + "\n")
    data = json.loads(CONFIDENCE.read_text())
    data["engines"]["local"] = {
        "bias": model.bias,
        "weights": dict(model.weights),
        "curve": [list(point) for point in model.curve],
        "absent": asdict(model.absent),
        "values": count,
    }
    CONFIDENCE.write_text(json.dumps(data, indent=1) + "\n")


def main(
    cache: Annotated[Path, typer.Option(help="where pages that were read are kept")] = Path("build/eval-pages"),
    check: Annotated[bool, typer.Option("--check", help="write nothing into the package")] = False,
) -> None:
    console = Console()
    documents = asyncio.run(read(cache, console))
    records = [record for document in track(documents, "finding candidates") for record in records_of(document)]
    kinds = list(dict.fromkeys(document.kind for document in documents))
    judges: dict[str, dict[str, Any]] = {kind: judge_without(kind, records) for kind in track(kinds, "leaving out")}
    bias, slope = curve(judges, records)
    values: list[Value] = []
    nulls: list[Null] = []
    for document in track(documents, "extracting"):
        judge = Judge.load({**judges[document.kind], "bias": bias, "slope": slope})
        found, absent = confidence.values_of(document, LocalFields(judge))
        values += found
        nulls += absent
    prior = json.loads(CONFIDENCE.read_text())["default"]
    sure = left_out(values, nulls, prior)
    report(console, values, sure)
    LEFT_OUT.parent.mkdir(parents=True, exist_ok=True)
    entries = [
        {"kind": value.kind, "confidence": round(float(each), 4), "right": value.right}
        for value, each in zip(values, sure, strict=True)
    ]
    LEFT_OUT.write_text(json.dumps(entries) + "\n")
    if not check:
        model = confidence.fit(values, nulls, prior)
        write({**judge_without(None, records), "bias": bias, "slope": slope}, model, len(values))
        console.print(f"written to {JUDGE} and {CONFIDENCE}")


if __name__ == "__main__":
    typer.run(main)
