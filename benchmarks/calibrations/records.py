"""What a model of confidence learns from: the features of each value, and whether it was right."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from docsieve.analysis.proof.confidence import Absence, features_of
from docsieve.analysis.proof.results import Assessed, assess
from docsieve.domain.extraction import Material
from docsieve.domain.pages.pagefile import pages_in
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.domain.schemas.shape import pattern_of
from docsieve.engines.port import LocalEngine
from docsieve.evaluation.evaluate import Plan
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import Judge, Outcome
from docsieve.offline.page_cache import ReadFile


@dataclass(frozen=True, slots=True)
class Record:
    dataset: str
    document: str
    path: str
    features: dict[str, float]
    right: bool


@dataclass(frozen=True, slots=True)
class NullRecord:
    """A single field without a value, of which the engine says nothing; `labelled` where its label is on a page."""

    labelled: bool
    right: bool


@dataclass(slots=True)
class Records:
    """`nulls` are of closed sets only: other truths name hardly any field that the document does not have."""

    records: list[Record] = field(default_factory=list)
    nulls: list[NullRecord] = field(default_factory=list)

    @property
    def absent(self) -> Absence:
        return Absence(labelled=self._share_right(labelled=True), unlabelled=self._share_right(labelled=False))

    def _share_right(self, *, labelled: bool) -> float:
        """Drawn towards a half while there are few."""
        right = [each.right for each in self.nulls if each.labelled is labelled]
        return round((sum(right) + 1) / (len(right) + 2), 4)


def records_of_set(dataset: str, plan: Plan, files: Sequence[ReadFile], engine: LocalEngine) -> Records:
    sameness = Sameness(plan.schemas, [sample.truth for sample in plan.samples], ignore_spaces=plan.ignore_spaces)
    found = Records()
    for sample, schema, file in zip(plan.samples, plan.schemas, files, strict=True):
        about = file.about
        pages = list(pages_in(Path(file.pages)))
        material = Material(sample.name, pages, about.language, about.document_class)
        proposal = engine.propose([material], schema, lessons=None)
        value, assessed = assess([material], schema, proposal.found)
        judge = Judge(schema, sameness, closed=plan.closed)
        _add(found, dataset, sample.name, schema, judge, sample.truth, value, assessed)
    return found


def _add(
    found: Records,
    dataset: str,
    document: str,
    schema: Schema,
    judge: Judge,
    truth: dict[str, Any],
    value: Any,
    assessed: dict[str, Assessed],
) -> None:
    fields = {each.pattern: each for each in fields_of(schema)}
    outcomes = judge.judge(truth, value)
    if judge.closed:
        missed = {judged.truth_path for judged in outcomes if judged.outcome is Outcome.missed}
        found.nulls += [
            NullRecord(leaf.grounding.label > 0, path not in missed)
            for path, leaf in assessed.items()
            if path in fields and leaf.found.value is None and leaf.found.score is None
        ]
    for judged in outcomes:
        if judged.path is None:
            continue
        leaf = assessed[judged.path]
        features = features_of(leaf.found, leaf.grounding, leaf.checks, fields.get(pattern_of(judged.path)))
        found.records.append(Record(dataset, document, judged.path, features, judged.outcome is Outcome.right))
