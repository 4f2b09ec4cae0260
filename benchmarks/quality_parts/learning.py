"""Learning curves: how well a set is extracted after some of its documents were corrected."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.report import Row, Target
from docsieve.domain.extraction import DEFAULT_ENGINE
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import leaves
from docsieve.evaluation.datasets import Sample
from docsieve.evaluation.evaluate import Plan, evaluate
from docsieve.evaluation.runs import Run
from docsieve.offline.session import OfflineSession, source_document
from docsieve.tasks.learn import LearnLessons, TeachingExample

LEARNT = ("kie_sroie", "kie_wildreceipt", "kie_adbuy", "lading", "bank")
COUNTS = (5, 10, 20)
COLUMNS = ("documents", "none", *(str(count) for count in COUNTS))
TOLERANCE = 0.005
_PARTS = 3

Curve = Mapping[int, Run]
"""By the number of documents that were corrected."""


async def learning_curve(session: OfflineSession, plan: Plan, name: str) -> dict[int, Run]:
    """Each third of the set is extracted with lessons from the first documents of the other two."""
    runs = {}
    for count in COUNTS:
        taught: dict[str, dict[str, Any]] = {}
        for part in range(_PARTS):
            others = [each for at, each in enumerate(plan.samples) if at % _PARTS != part]
            lessons = await _lessons(session, others[:count], plan.schemas[0])
            if lessons is not None:
                taught |= {sample.name: lessons for sample in plan.samples[part::_PARTS]}
        with_lessons = replace(plan, lessons=taught)
        runs[count] = await evaluate(session, with_lessons, dataset=name, schema=name, step=lambda *_: None)
    return runs


async def _lessons(session: OfflineSession, samples: Sequence[Sample], schema: Schema) -> dict[str, Any] | None:
    """As if a person had corrected every document to its truth, without drawing any box."""
    files = [await session.read(sample.path, lambda _: None) for sample in samples]
    examples = tuple(
        TeachingExample(
            (source_document(file),),
            schema,
            {path: value for path, value in leaves(sample.truth) if value is not None},
        )
        for file, sample in zip(files, samples, strict=True)
    )
    learned = await session.sandbox.run(LearnLessons(DEFAULT_ENGINE, examples))
    return learned.lessons if learned.trained > learned.untrained else None


def learning_rows(runs: Mapping[str, Run], curves: Mapping[str, Curve]) -> list[Row]:
    return [
        Row(
            name,
            {"documents": len(runs[name].documents), "none": runs[name].total.f1}
            | {str(count): run.total.f1 for count, run in curve.items()},
        )
        for name, curve in curves.items()
    ]


def learning_targets(runs: Mapping[str, Run], curves: Mapping[str, Curve]) -> list[Target]:
    found = []
    for name, curve in curves.items():
        least = min(run.total.f1 for run in curve.values())
        found.append(Target(f"{name}, lowest F1 after learning", runs[name].total.f1 - TOLERANCE, least))
    return found
