"""`docsieve eval`: measure extraction quality on documents with known values."""

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.interrupts import run_until_stopped
from docsieve.cli.console.tables import console
from docsieve.cli.extract.evaluate_view import show_comparison, show_run
from docsieve.cli.extract.files import write_whole
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
from docsieve.cli.extract.progress import ExtractProgress
from docsieve.domain.extraction import DEFAULT_ENGINE, DEFAULT_THRESHOLD, ExtractionSpec
from docsieve.domain.pages.page import Progress
from docsieve.domain.schemas.fields import Schema
from docsieve.evaluation.datasets import Sample, load_dataset
from docsieve.evaluation.evaluate import Plan, evaluate
from docsieve.evaluation.report.html import html_report
from docsieve.evaluation.report.page_images import PageImage, page_images, worst_first
from docsieve.evaluation.runs import Comparison, Run, compare, load_run, save_run
from docsieve.evaluation.schemas import schemas_of
from docsieve.offline.session import OfflineSession, open_session
from docsieve.settings import Settings

app = typer.Typer(add_completion=False)

NOT_GOOD_ENOUGH = 3

_MAX_SHOWN = 60


Dataset = Annotated[
    Path, typer.Argument(exists=True, file_okay=False, help="Folder with ground_truth.jsonl and the documents.")
]
SchemaName = Annotated[
    str | None,
    typer.Option(
        help="Name of a built-in schema, or a JSON file. Defaults to the schema of each document's ground truth."
    ),
]
Limit = Annotated[int | None, typer.Option(min=1, help="Only the first N documents.")]
Baseline = Annotated[
    Path | None, typer.Option(exists=True, dir_okay=False, help="Earlier run (--json) to compare with.")
]
FailBelow = Annotated[float | None, typer.Option(min=0.0, max=1.0, help="Exit with 3 if micro-F1 is lower than this.")]
Regression = Annotated[
    float, typer.Option(min=0.0, max=1.0, help="With --baseline: exit with 3 if micro-F1 dropped by more than this.")
]
IgnoreSpaces = Annotated[bool, typer.Option("--ignore-spaces", help="Ignore spaces, for ground truth without them.")]
Closed = Annotated[
    bool, typer.Option("--closed", help="Count values that the ground truth does not contain as errors.")
]
Report = Annotated[Path | None, typer.Option("-o", "--report", help="Write an HTML report with page images.")]
JsonPath = Annotated[Path | None, typer.Option("--json", help="Write all figures and values as JSON.")]


@app.command("eval")
def evaluate_dataset(
    dataset: Dataset,
    schema: SchemaName = None,
    engine: Engine = DEFAULT_ENGINE,
    model: Model = None,
    prompt: Prompt = None,
    threshold: Threshold = DEFAULT_THRESHOLD,
    limit: Limit = None,
    baseline: Baseline = None,
    fail_below: FailBelow = None,
    regression: Regression = 0.01,
    ignore_spaces: IgnoreSpaces = False,
    closed: Closed = False,
    report: Report = None,
    json_path: JsonPath = None,
    processes: Processes = os.cpu_count() or 2,
    cache: Cache = None,
    no_cache: NoCache = False,
) -> None:
    """Extract from every document of a dataset and compare the values with the ground truth.

    Exits with 0 on success, 1 if it could not run, 2 for a usage error, and 3 if the result is below --fail-below or
    worse than --baseline by more than --regression.
    """
    earlier = load_run(baseline) if baseline is not None else None
    name, samples, schemas = _samples(dataset, schema, limit)
    spec = ExtractionSpec(schemas[0], engine, threshold=threshold, model=model, prompt=prompt_in(prompt))
    plan = Plan(samples, schemas, spec, closed=closed, ignore_spaces=ignore_spaces)
    folder = cache_folder(cache, no_cache=no_cache)
    run = run_until_stopped(
        _run(load_settings(), plan, dataset.resolve().name, name, folder, processes, earlier, report)
    )
    if json_path is not None:
        save_run(run, json_path)
    compared = compare(earlier, run) if earlier is not None else None
    show_run(run)
    if compared is not None:
        show_comparison(compared)
    _judge(run, compared, fail_below, regression)


def _samples(dataset: Path, schema: str | None, limit: int | None) -> tuple[str, list[Sample], list[Schema]]:
    """The schema's name, the documents, and the schema of each."""
    default = dataset / "schema.json"
    named = schema or (str(default) if default.is_file() else None)
    name, given, _ = schema_named(named) if named is not None else ("per document", None, [])
    samples = load_dataset(dataset, limit=limit)
    return name, samples, schemas_of(samples, given)


async def _run(
    settings: Settings,
    plan: Plan,
    dataset: str,
    schema: str,
    cache: Path | None,
    processes: int,
    earlier: Run | None,
    report: Path | None,
) -> Run:
    async with open_session(settings, cache=cache, processes=processes) as session:
        with ExtractProgress(len(plan.samples)) as progress:

            def step(sample: Sample, at: Progress | None) -> None:
                progress.count_one() if at is None else progress.show(sample.path, at)

            run = await evaluate(session, plan, dataset=dataset, schema=schema, step=step)
        if report is not None:
            await _write_report(session, plan.samples, run, earlier, report)
    return run


async def _write_report(
    session: OfflineSession, samples: Sequence[Sample], run: Run, earlier: Run | None, report: Path
) -> None:
    by_name = {sample.name: sample for sample in samples}
    shown = worst_first(run.documents)[:_MAX_SHOWN]
    images: dict[str, list[PageImage]] = {}
    with ExtractProgress(len(shown)) as progress:
        for document in shown:
            images[document.file] = []
            if document.error is None:
                read = await session.read(by_name[document.file].path, lambda _: None)
                images[document.file] = await page_images(session, read, document)
            progress.count_one()
    compared = compare(earlier, run) if earlier is not None else None
    ordered = replace(run, documents=worst_first(run.documents))
    page = html_report(ordered, images, compared=compared, left_out=len(run.documents) - len(shown))
    write_whole(report, [page.encode()])


def _judge(run: Run, compared: Comparison | None, fail_below: float | None, regression: float) -> None:
    reasons = []
    if fail_below is not None and run.total.f1 < fail_below:
        reasons.append(f"micro-F1 {run.total.f1:.3f} is below {fail_below:g}")
    if compared is not None and compared.total.by < -regression:
        reasons.append(f"micro-F1 dropped by {-compared.total.by:.3f}, more than {regression:g}")
    for reason in reasons:
        console().print(f"not good enough: {reason}", style="red")
    if reasons:
        raise typer.Exit(NOT_GOOD_ENOUGH)
