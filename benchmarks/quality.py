"""`make eval`: how well the sets in ../shared/corpora are extracted, in a few tables, with what had to be reached."""

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from evaluations.generated.make import kinds, load_kind, sets, write_kind
from rich.console import Console
from rich.progress import track

from benchmarks.quality_parts import learning, left_out
from benchmarks.quality_parts.ready_sets import INVOICE, RECEIPT, SHOP_RECEIPT, renamed
from benchmarks.quality_parts.recall import candidate_recall
from benchmarks.quality_parts.rows import ERRORS, PRINTED, QUALITY, empty_row, row, table
from benchmarks.quality_parts.targets import targets
from benchmarks.report import Row, Section, Target, show
from docsieve.domain.extraction import ExtractionSpec
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.ready import READY
from docsieve.evaluation.calibration import Bin, Calibration, reliability
from docsieve.evaluation.datasets import load_dataset
from docsieve.evaluation.evaluate import Plan, evaluate
from docsieve.evaluation.figures import rated
from docsieve.evaluation.report.curve import reliability_curve
from docsieve.evaluation.runs import Run, save_run
from docsieve.evaluation.schemas import load_schema, schemas_of
from docsieve.offline.session import OfflineSession, open_session
from docsieve.settings import Settings

ROOT = Path(__file__).parents[1]
CORPORA = ROOT.parent / "shared" / "corpora"
SCHEMAS = ROOT / "evaluations"
GENERATED = ROOT / "build" / "evaluations"
DOCUMENT = ROOT / "docs" / "quality.md"
METHOD = """Every document is read by our own parsers and OCR and extracted from in the sandbox. A value is right when
it equals the truth but for case, spaces and punctuation at the ends, and the way that dates and amounts are written. F1
is over all values together; rows of lists are paired so that they agree in as much as possible."""


class Group(StrEnum):
    """Each set is in one of them, and each has a table."""

    real = "Real documents"
    generated = "Generated documents"
    kept = "Generated documents kept out of tuning"
    ready = "Ready-made schemas"


@dataclass(frozen=True)
class Corpus:
    """`ready` names the ready-made schema that the set is measured with, if it is.

    With `names`, the set is the documents of `source` with a truth by the names of that schema.
    """

    name: str
    closed: bool = False
    ignore_spaces: bool = False
    folder: Path = CORPORA
    group: Group = Group.real
    ready: str | None = None
    source: str | None = None
    names: Mapping[str, str] | None = None

    @property
    def title(self) -> str:
        return f"{self.ready} ({self.name})" if self.group is Group.ready else self.name


SETS = (
    Corpus("kie_sroie"),
    Corpus("kie_zugferd"),
    Corpus("kie_adbuy"),
    Corpus("kie_wildreceipt", closed=True, ignore_spaces=True),
    Corpus("kie_invoice2data"),
    Corpus("kie_azure_tax"),
    Corpus("schema_docubench"),
    Corpus("schema_extract_bench"),
)


READY_SETS = (
    Corpus("kie_sroie-receipt", group=Group.ready, ready="receipt", source="kie_sroie", names=RECEIPT),
    Corpus(
        "kie_wildreceipt-receipt",
        ignore_spaces=True,
        group=Group.ready,
        ready="receipt",
        source="kie_wildreceipt",
        names=SHOP_RECEIPT,
    ),
    Corpus("kie_zugferd-invoice", group=Group.ready, ready="invoice", source="kie_zugferd", names=INVOICE),
)


def _own_set(kind: str, name: str) -> Corpus:
    """Nothing is tuned on sets that end in `-kept` or `-ready`."""
    content = load_kind(kind)
    is_ready = name.endswith("-ready") or "schema" not in content
    schema = content["ready"]["schema"] if is_ready else None
    group = Group.generated if name == kind else Group.ready if is_ready else Group.kept
    return Corpus(name, folder=GENERATED, group=group, ready=schema)


OWN_SETS = tuple(_own_set(kind, name) for kind in kinds() for name in sets(kind))
"""Generated from templates."""

ALL_SETS = (*SETS, *READY_SETS, *OWN_SETS)


@dataclass
class Measured:
    """The runs by set, and what belongs to none of them."""

    runs: dict[str, Run] = field(default_factory=dict)
    recalls: dict[str, float | None] = field(default_factory=dict)
    curves: dict[str, learning.Curve] = field(default_factory=dict)
    left_out: dict[str, Calibration] = field(default_factory=dict)

    @property
    def targets(self) -> list[Target]:
        found = targets(self.runs, [corpus.name for corpus in SETS])
        found += learning.learning_targets(self.runs, self.curves)
        return found + left_out.left_out_targets(self.left_out)

    def rows(self, group: Group) -> list[Row]:
        chosen = [corpus for corpus in ALL_SETS if corpus.group is group and corpus.name in self.runs]
        if group is Group.ready:
            chosen.sort(key=lambda each: each.title)
        return [row(corpus.title, self.runs[corpus.name], self.recalls.get(corpus.name)) for corpus in chosen]

    @property
    def empty_rows(self) -> list[Row]:
        """Single fields without a value, by set."""
        return [empty_row(name, run) for name, run in self.runs.items() if run.empty.values]


def plan_of(corpus: Corpus, spec: ExtractionSpec, *, limit: int | None = None) -> Plan:
    samples = load_dataset(corpus.folder / (corpus.source or corpus.name), limit=limit)
    path = SCHEMAS / f"{corpus.name}.json"
    given: Schema | None = load_schema(str(path))[1] if path.is_file() else None
    if corpus.names is not None and corpus.ready is not None:
        samples, given = [renamed(sample, corpus.names) for sample in samples], READY[corpus.ready]
    schemas = schemas_of(samples, given)
    return Plan(samples, schemas, spec, closed=corpus.closed, ignore_spaces=corpus.ignore_spaces)


async def measure(session: OfflineSession, corpus: Corpus, spec: ExtractionSpec) -> Run:
    plan = plan_of(corpus, spec)
    return await evaluate(session, plan, dataset=corpus.name, schema=corpus.name, step=lambda *_: None)


async def _measure(
    chosen: list[Corpus], cache: Path, engine: str, processes: int, out: Path, *, learn: bool, docs: bool
) -> bool:
    console = Console(width=max(Console().width, 190))
    spec = ExtractionSpec({}, engine)
    found = Measured(left_out=left_out.load_left_out(ROOT / left_out.PATH))
    out.mkdir(parents=True, exist_ok=True)
    async with open_session(Settings.from_environment(), cache=cache, processes=processes) as session:
        for corpus in track(chosen, "measuring", console=console, transient=True):
            found.runs[corpus.name] = await measure(session, corpus, spec)
            found.recalls[corpus.name] = await candidate_recall(session, plan_of(corpus, spec), found.runs[corpus.name])
            save_run(found.runs[corpus.name], out / f"{corpus.name}.json")
            if learn and corpus.name in learning.LEARNT:
                plan = plan_of(corpus, spec)
                found.curves[corpus.name] = await learning.learning_curve(session, plan, corpus.name)
    _show(console, found)
    _write(out, found, docs=docs)
    console.print(f"written to {out}")
    return all(target.met for target in found.targets)


def _show(console: Console, found: Measured) -> None:
    for group in Group:
        if rows := found.rows(group):
            show(console, Section(group, METHOD, PRINTED, rows))
            show(console, Section(f"{group}: errors", METHOD, ERRORS, rows))
    if found.curves:
        rows = learning.learning_rows(found.runs, found.curves)
        show(console, Section("Learning", METHOD, learning.COLUMNS, rows))
    show(console, Section("Empty fields", METHOD, left_out.COLUMNS, found.empty_rows))
    if found.left_out:
        show(console, Section("Kinds left out", METHOD, left_out.COLUMNS, left_out.left_out_rows(found.left_out)))
    else:
        console.print(f"Kinds left out: not measured, {left_out.PATH} does not exist")
    show(console, Section("Targets", METHOD, (), [], found.targets))


def _write(out: Path, found: Measured, *, docs: bool) -> None:
    figures = {name: {**run.figures(), "candidate_recall": found.recalls.get(name)} for name, run in found.runs.items()}
    (out / "figures.json").write_text(json.dumps(figures, indent=1) + "\n")
    if docs:
        real = [found.runs[corpus.name] for corpus in SETS if corpus.name in found.runs]
        bins = reliability(rated(leaf for run in real for leaf in run.leaves))
        (DOCUMENT.parent / "reliability.svg").write_text(reliability_curve(bins) + "\n")
        DOCUMENT.write_text(quoted(DOCUMENT.read_text(), parts_of(found, bins)))


def parts_of(found: Measured, bins: Sequence[Bin]) -> dict[str, list[str]]:
    real, own = found.rows(Group.real), [*found.rows(Group.generated), *found.rows(Group.kept)]
    ready = found.rows(Group.ready)
    return {
        "real": table("set", QUALITY, real),
        "generated": table("set", QUALITY, found.rows(Group.generated)),
        "kept": table("set", QUALITY, found.rows(Group.kept)),
        "ready": table("schema (set)", QUALITY, ready),
        "targets": [f"- {_verdict(target)}" for target in found.targets],
        "errors": table("set", ERRORS, [*real, *own, *ready]),
        "learning": table("set", learning.COLUMNS, learning.learning_rows(found.runs, found.curves)),
        "rows": _row_kinds(found),
        "left out": table("kind", left_out.COLUMNS, left_out.left_out_rows(found.left_out)),
        "reliability": _bins(bins),
        "empty": table("set", left_out.COLUMNS, found.empty_rows),
    }


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


def _row_kinds(found: Measured) -> list[str]:
    theirs, ours = (
        Run("", "", "", 0.0, documents=[each for name in names for each in found.runs[name].documents]).rows_by_kind
        for names in ([each.name for each in group if each.name in found.runs] for group in (SETS, OWN_SETS))
    )
    rows = []
    for kind in dict.fromkeys((*theirs, *ours)):
        measured: dict[str, float] = {}
        for whose, counts in (("real", theirs), ("generated", ours)):
            if kind in counts:
                measured |= {f"{whose}: F1": counts[kind].f1, f"{whose}: true values": counts[kind].wanted}
        rows.append(Row(kind, measured))
    columns = ("real: F1", "real: true values", "generated: F1", "generated: true values")
    return table("read from", columns, rows)


def _bins(bins: Sequence[Bin]) -> list[str]:
    head = ["| confidence | values | mean confidence | share right |", "|---|---:|---:|---:|"]
    return head + [
        f"| {each.low:.1f} to {each.high:.1f} | {each.values} | {each.confidence:.2f} | {each.right:.2f} |"
        for each in bins
    ]


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
    known = {corpus.name: corpus for corpus in ALL_SETS}
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
