"""Extracts from every document of a dataset and judges the results."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docsieve import __version__
from docsieve.domain.extraction import ExtractionOutcome, ExtractionSpec, LeafMetadata
from docsieve.domain.pages.page import Progress
from docsieve.domain.pages.pagefile import pages_in
from docsieve.domain.schemas.fields import Schema
from docsieve.errors import DocsieveError
from docsieve.evaluation.calibration import Rated
from docsieve.evaluation.datasets import Sample
from docsieve.evaluation.errors import error_of
from docsieve.evaluation.figures import Leaf, in_header
from docsieve.evaluation.runs import DocumentRun, Run
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import Judge, Outcome
from docsieve.evaluation.truth.boxes import grounding_iou, true_lines
from docsieve.evaluation.truth.places import look_for_truths
from docsieve.offline.page_cache import ReadFile
from docsieve.offline.session import OfflineSession

Step = Callable[[Sample, Progress | None], None]
"""Told how far a document is; None when it is done."""


@dataclass(frozen=True, slots=True)
class Plan:
    """`schemas` has one for each sample; `spec` is the rest, with the schema of the first.

    `lessons` may differ from document to document, so that none is judged by what it taught itself.
    """

    samples: Sequence[Sample]
    schemas: Sequence[Schema]
    spec: ExtractionSpec
    closed: bool = False
    ignore_spaces: bool = False
    lessons: Mapping[str, dict[str, Any]] | None = None

    def kind(self, sample: Sample, files: Sequence[ReadFile]) -> str:
        """What the document's figures are grouped by: its schema where they differ, else its class."""
        if sample.schema is not None and any(each is not self.schemas[0] for each in self.schemas):
            return sample.schema.stem
        return (files[0].about.document_class if files else None) or "no class"


async def evaluate(session: OfflineSession, plan: Plan, *, dataset: str, schema: str, step: Step) -> Run:
    """All documents, as many at once as the session has processes. One that fails counts as all missed."""
    started = time.perf_counter()
    sameness = Sameness(plan.schemas, [sample.truth for sample in plan.samples], ignore_spaces=plan.ignore_spaces)
    judges = [Judge(each, sameness, closed=plan.closed) for each in plan.schemas]
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_document(session, sample, judge, plan, step))
            for sample, judge in zip(plan.samples, judges, strict=True)
        ]
    run = Run(dataset, schema, plan.spec.engine, plan.spec.threshold, plan.spec.model, version=__version__)
    run.documents = [task.result() for task in tasks]
    run.seconds = time.perf_counter() - started
    run.not_asked = sum(judge.not_asked for judge in judges)
    return run


async def _document(session: OfflineSession, sample: Sample, judge: Judge, plan: Plan, step: Step) -> DocumentRun:
    lessons = (plan.lessons or {}).get(sample.name)
    spec = replace(plan.spec, schema=judge.schema)
    files: list[ReadFile] = []
    try:
        files = [await session.read(path, lambda progress: step(sample, progress)) for path in sample.paths]
        outcome = await session.extract(files, spec, lambda progress: step(sample, progress), lessons=lessons)
    except (DocsieveError, OSError) as error:
        code = error.code if isinstance(error, DocsieveError) else "unreadable_file"
        missed = [Leaf.of(each) for each in judge.judge(sample.truth, None)]
        for leaf in missed:
            leaf.error = error_of(leaf, judge.sameness, ())
        return DocumentRun(sample.name, missed, kind=plan.kind(sample, files), error=f"{code}: {error}")
    finally:
        step(sample, None)
    judged = await asyncio.to_thread(_judged, sample, judge, files, outcome)
    judged.kind = plan.kind(sample, files)
    places = await look_for_truths(session, files, judge.schema, judged.leaves, judge.sameness)
    for leaf in judged.leaves:
        leaf.error = error_of(leaf, judge.sameness, places.get(leaf.truth_path or "", ()))
    return judged


def _judged(sample: Sample, judge: Judge, files: Sequence[ReadFile], outcome: ExtractionOutcome) -> DocumentRun:
    result, page_count = outcome.result, sum(file.about.page_count for file in files)
    lines = true_lines(sample, list(pages_in(files[0].pages))) if page_count == 1 else []
    found = [Leaf.of(each) for each in judge.judge(sample.truth, result.value)]
    for leaf in found:
        if leaf.path is not None:
            _describe(leaf, result.metadata[leaf.path])
            if leaf.outcome is Outcome.right and leaf.truth_path is not None:
                leaf.iou = grounding_iou(sample, lines, leaf.truth_path, leaf.truth, leaf.evidence)
    return DocumentRun(
        sample.name,
        found,
        empty=_empty(judge, found, result.metadata),
        needs_review=result.needs_review,
        pages=page_count,
        reading_seconds=sum(file.seconds for file in files),
        extracting_seconds=outcome.seconds,
        cost=result.usage.cost,
    )


def _empty(judge: Judge, leaves: Sequence[Leaf], metadata: Mapping[str, LeafMetadata]) -> list[Rated]:
    missed = [leaf.pattern for leaf in leaves if leaf.outcome is Outcome.missed and in_header(leaf)]
    absent = [Rated(metadata[path].confidence, right=True) for path in judge.absent if path in metadata]
    return absent + [Rated(metadata[path].confidence, right=False) for path in missed if path in metadata]


def _describe(leaf: Leaf, metadata: LeafMetadata) -> None:
    leaf.confidence = metadata.confidence
    leaf.proven = metadata.grounded and bool(metadata.evidence)
    leaf.evidence = list(metadata.evidence)
    leaf.why = metadata.why
