"""`make eval`: how well the sets in ../shared/corpora are extracted, in one table, with what had to be reached."""

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from evaluations.generated.make import kinds, sets, write_kind
from rich.console import Console
from rich.progress import track

from benchmarks.extractions.lessons import halves
from benchmarks.report import Row, Section, Target, show
from docsieve.domain.extraction import ExtractionSpec
from docsieve.domain.schemas.fields import Schema
from docsieve.evaluation.datasets import load_dataset
from docsieve.evaluation.evaluate import Plan, evaluate
from docsieve.evaluation.figures import Bin, calibration_error, reliability
from docsieve.evaluation.report_curve import reliability_curve
from docsieve.evaluation.runs import Run, save_run
from docsieve.evaluation.schemas import load_schema, schemas_of
from docsieve.offline.session import OfflineSession, open_session
from docsieve.settings import Settings

ROOT = Path(__file__).parents[1]
CORPORA = ROOT.parent / "shared" / "corpora"
SCHEMAS = ROOT / "evaluations"
GENERATED = ROOT / "build" / "evaluations"
DOCUMENT = ROOT / "docs" / "quality.md"
EVIDENCE, OVERLAP, CALIBRATION = 0.95, 0.90, 0.10
COLUMNS = (
    "documents", "F1", "precision", "recall", "single fields", "rows", "to the letter", "evidence", "overlap",
    "calibration error", "sure precision", "sure share", "not found", "misread", "not on page", "seconds",
)  # fmt: skip
QUOTED = (
    "documents", "F1", "precision", "recall", "single fields", "rows", "to the letter", "evidence", "overlap",
    "calibration error", "not found", "misread", "not on page",
)  # fmt: skip
METHOD = """Every document is read by our own parsers and OCR and extracted from in the sandbox. A value is right when
it equals the truth but for case, spaces and punctuation at the ends, and the way that dates and amounts are written. F1
is over all values together; rows of lists are paired so that they agree in as much as possible."""


@dataclass(frozen=True)
class Corpus:
    """`wanted` is the least F1, of its single fields only where `single` says so; without it the set is reported."""

    name: str
    wanted: float | None = None
    single: bool = False
    closed: bool = False
    ignore_spaces: bool = False
    folder: Path = CORPORA


SETS = (
    Corpus("kie_sroie", 0.80),
    Corpus("kie_zugferd", 0.85, single=True),
    Corpus("kie_adbuy", 0.70),
    Corpus("kie_wildreceipt", closed=True, ignore_spaces=True),
    Corpus("kie_invoice2data"),
    Corpus("kie_azure_tax"),
    Corpus("schema_docubench"),
    Corpus("schema_extract_bench"),
)
OWN_SETS = tuple(Corpus(name, folder=GENERATED) for kind in kinds() for name in sets(kind))
"""Generated from templates. Nothing is tuned on those that end in `-kept`."""

LEARNT = SETS[0]


def plan_of(corpus: Corpus, spec: ExtractionSpec, *, limit: int | None = None, reasons: bool = False) -> Plan:
    samples = load_dataset(corpus.folder / corpus.name, limit=limit)
    path = SCHEMAS / f"{corpus.name}.json"
    given: Schema | None = load_schema(str(path))[1] if path.is_file() else None
    schemas = schemas_of(samples, given)
    return Plan(samples, schemas, spec, closed=corpus.closed, ignore_spaces=corpus.ignore_spaces, reasons=reasons)


async def measure(session: OfflineSession, corpus: Corpus, spec: ExtractionSpec) -> Run:
    return await evaluate(
        session, plan_of(corpus, spec, reasons=True), dataset=corpus.name, schema=corpus.name, step=lambda *_: None
    )


async def measure_learnt(session: OfflineSession, corpus: Corpus, spec: ExtractionSpec) -> Run:
    """Each half with what the other has taught."""
    plan = plan_of(corpus, spec, reasons=True)
    taught = replace(plan, lessons=await halves(session, plan.samples, plan.schemas[0]))
    return await evaluate(session, taught, dataset=corpus.name, schema=corpus.name, step=lambda *_: None)


def row(name: str, run: Run) -> Row:
    total, figures = run.total, run.figures()
    measured = {
        "documents": len(run.documents),
        "F1": total.f1,
        "precision": total.precision,
        "recall": total.recall,
        "single fields": run.header.f1,
        "rows": run.rows.f1 if run.rows.wanted else None,
        "to the letter": total.exact_f1,
        "evidence": total.evidence,
        "overlap": total.overlap,
        "calibration error": figures["calibration_error"],
        "sure precision": figures["precision_at_threshold"],
        "sure share": figures["share_at_threshold"],
        "not found": figures["not_found"],
        "misread": figures["nearly_on_page"],
        "not on page": figures["not_on_page"],
        "seconds": run.seconds,
    }
    return Row(name, {column: value for column, value in measured.items() if value is not None})


def targets(runs: dict[str, Run], learnt: Run | None) -> list[Target]:
    found = []
    for corpus in SETS:
        if corpus.wanted is not None and corpus.name in runs:
            run = runs[corpus.name]
            what = f"{corpus.name}, F1 of its single fields" if corpus.single else f"{corpus.name}, F1"
            found.append(Target(what, corpus.wanted, run.header.f1 if corpus.single else run.total.f1))
    everything = Run("all", "", "", 0.0, documents=[each for run in runs.values() for each in run.documents])
    if everything.total.evidence is not None:
        found.append(Target("right values with evidence, all sets", EVIDENCE, everything.total.evidence))
    if everything.total.overlap is not None:
        found.append(Target("evidence upon the true place", OVERLAP, everything.total.overlap))
    error = calibration_error(reliability(everything.leaves))
    if error is not None:
        found.append(Target("calibration error, all sets", CALIBRATION, error, at_most=True))
    if learnt is not None and LEARNT.name in runs:
        found.append(Target(f"{LEARNT.name}, F1 after learning", runs[LEARNT.name].total.f1, learnt.total.f1))
    return found


async def _measure(
    chosen: list[Corpus], cache: Path, engine: str, processes: int, out: Path, *, learn: bool, docs: bool
) -> bool:
    console = Console(width=max(Console().width, 200))
    spec = ExtractionSpec({}, engine)
    runs: dict[str, Run] = {}
    learnt: Run | None = None
    out.mkdir(parents=True, exist_ok=True)
    async with open_session(Settings.from_environment(), cache=cache, processes=processes) as session:
        for corpus in track(chosen, "measuring", console=console, transient=True):
            runs[corpus.name] = await measure(session, corpus, spec)
            save_run(runs[corpus.name], out / f"{corpus.name}.json")
        if learn and LEARNT.name in runs:
            learnt = await measure_learnt(session, LEARNT, spec)
    rows = [row(name, run) for name, run in runs.items()]
    if learnt is not None:
        rows.append(row(f"{LEARNT.name}, each half taught by the other", learnt))
    section = Section("Extraction", METHOD, COLUMNS, rows, targets(runs, learnt))
    show(console, section)
    _write(out, section, runs, docs=docs)
    console.print(f"written to {out}")
    return all(target.met for target in section.targets)


def _write(out: Path, section: Section, runs: dict[str, Run], *, docs: bool) -> None:
    bins = reliability(leaf for run in runs.values() for leaf in run.leaves)
    figures = {name: run.figures() for name, run in runs.items()}
    (out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    if docs:
        (DOCUMENT.parent / "reliability.svg").write_text(reliability_curve(bins) + "\n")
        parts = {"figures": _figures(section), "targets": _targets(section), "reliability": _bins(bins)}
        DOCUMENT.write_text(quoted(DOCUMENT.read_text(), parts))


def quoted(text: str, parts: Mapping[str, Sequence[str]]) -> str:
    """The text with each part between `<!-- name -->` and `<!-- end of name -->`."""
    for name, lines in parts.items():
        first, last = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(first)
        _, found, after = rest.partition(last)
        if not found:
            raise typer.BadParameter(f"the document has no place for {name}")
        text = f"{before}{first}\n" + "\n".join(lines) + f"\n\n{last}{after}"
    return text


def _figures(section: Section) -> list[str]:
    head = ["| set | " + " | ".join(QUOTED) + " |", "|---" + "|---:" * len(QUOTED) + "|"]
    return head + [
        f"| {each.name} | " + " | ".join(_cell(each, name) for name in QUOTED) + " |" for each in section.rows
    ]


def _bins(bins: Sequence[Bin]) -> list[str]:
    head = ["| confidence | values | mean confidence | share right |", "|---|---:|---:|---:|"]
    return head + [
        f"| {each.low:.1f} to {each.high:.1f} | {each.values} | {each.confidence:.2f} | {each.right:.2f} |"
        for each in bins
    ]


def _targets(section: Section) -> list[str]:
    return [f"- {_verdict(target)}" for target in section.targets]


def _cell(each: Row, column: str) -> str:
    value = each.figures.get(column)
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _verdict(target: Target) -> str:
    relation = "at most" if target.at_most else "at least"
    verdict = "met" if target.met else "**missed**"
    return f"{target.what}: {target.measured:.3f}, wanted {relation} {target.wanted:.3f}: {verdict}"


def main(
    only: Annotated[str, typer.Option(help="sets to measure, comma-separated; default: all")] = "",
    engine: Annotated[str, typer.Option(help="the engine to measure")] = "local",
    cache: Annotated[Path, typer.Option(help="where pages that were read are kept")] = Path("build/eval-pages"),
    processes: Annotated[int, typer.Option(min=1, help="documents at once")] = os.cpu_count() or 2,
    out: Annotated[Path, typer.Option(help="folder for figures and runs")] = Path("build/eval"),
    learn: Annotated[bool, typer.Option(help="also measure what corrections teach")] = True,
    docs: Annotated[bool, typer.Option("--docs", help="write the figures into docs/quality.md")] = False,
) -> None:
    """Exits 1 where a target was missed."""
    known = {corpus.name: corpus for corpus in (*SETS, *OWN_SETS)}
    names = only.split(",") if only else list(known)
    if unknown := {*names} - {*known}:
        raise typer.BadParameter(f"unknown: {', '.join(sorted(unknown))}")
    chosen = [known[name] for name in names]
    if not CORPORA.is_dir() and any(corpus.folder == CORPORA for corpus in chosen):
        raise typer.BadParameter(f"there is no {CORPORA}")
    for kind in kinds():
        if {*sets(kind)} & {*names}:
            write_kind(kind, GENERATED)
    if not asyncio.run(_measure(chosen, cache, engine, processes, out, learn=learn, docs=docs)):
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
