"""Fitting of the confidence of values: a logistic regression with known signs, and a rising curve over it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.judge.documents import Document
from benchmarks.judge.records import true_values
from benchmarks.judge.trees import logistic, weights_of
from docsieve.analysis.proof.confidence import DOUBTED, Absence, Model, doublings, features_of, logit
from docsieve.analysis.proof.results import Assessed, assess
from docsieve.domain.schemas.fields import fields_of
from docsieve.domain.schemas.shape import pattern_of
from docsieve.engines.local.engine import LocalFields
from docsieve.evaluation.scores import Judged, Outcome

Numbers = NDArray[np.float64]

# Nothing may lower the confidence by being found more exactly, or raise it by failing a check.
RISING = frozenset(["score", "row_score", "grounded", "match", "ocr", "unique", "label", "spotted", "confirmed"])
FALLING = frozenset(["failed", *DOUBTED])

_STEPS = 4_000
_RATE = 0.5
_PRIOR = 4.0  # how many values the prior weights are worth
_KNOTS = 8


@dataclass(frozen=True, slots=True)
class Value:
    """A value that was found, for a field whose true value is known."""

    kind: str
    dataset: str
    document: str
    path: str
    features: dict[str, float]
    right: bool


@dataclass(frozen=True, slots=True)
class Null:
    """A single field without a value, of a schema with that many; `labelled` where its label is on a page.

    It is right if the field is absent.
    """

    kind: str
    labelled: bool
    score: float
    fields: int
    right: bool


def values_of(document: Document, engine: LocalFields) -> tuple[list[Value], list[Null]]:
    proposal = engine.propose([document.material], document.schema)
    value, assessed = assess([document.material], document.schema, proposal.found)
    outcomes = document.judge.judge(document.sample.truth, value)
    fields = {field.pattern: field for field in fields_of(document.schema)}
    found = []
    for judged in outcomes:
        if judged.path is not None:
            leaf = assessed[judged.path]
            features = features_of(leaf.found, leaf.grounding, leaf.checks, fields.get(pattern_of(judged.path)))
            right = judged.outcome is Outcome.right
            found.append(Value(document.kind, document.dataset, document.sample.name, judged.path, features, right))
    return found, list(_nulls(document, assessed, outcomes, set(fields)))


def _nulls(
    document: Document, assessed: Mapping[str, Assessed], outcomes: Sequence[Judged], single: set[str]
) -> list[Null]:
    """Those whose truth says either that the field is absent or what its value is."""
    missed = {judged.truth_path for judged in outcomes if judged.outcome is Outcome.missed}
    found = []
    count = sum(field.group is None for field in fields_of(document.schema))
    for path, leaf in assessed.items():
        if path in single and leaf.found.value is None and leaf.found.score is not None:
            truths = true_values(document.sample.truth, path.split("."), closed=document.closed)
            if truths is not None and document.says_what_is_absent:
                labelled, right = leaf.grounding.label > 0, path not in missed
                found.append(Null(document.kind, labelled, leaf.found.score, count, right))
    return found


def fit(values: Sequence[Value], nulls: Sequence[Null], prior: Mapping[str, Any]) -> Model:
    names = tuple(values[0].features)
    rows = np.array([[value.features[name] for name in names] for value in values])
    right = np.array([value.right for value in values], dtype=float)
    weight = _weights(values)
    start = np.array([prior["weights"].get(name, 0.0) for name in names])
    bias, slopes = _logistic(rows, right, weight, names, start, float(prior["bias"]))
    sure = 1.0 / (1.0 + np.exp(-np.clip(rows @ slopes + bias, -30, 30)))
    stated = {name: round(float(slope), 4) for name, slope in zip(names, slopes, strict=True)}
    absent = fit_absence(nulls, float(prior["absent"]["unlabelled"]))
    return Model(round(float(bias), 4), stated, _rising(sure, right, weight), absent)


def fit_absence(nulls: Sequence[Null], unmeasured: float) -> Absence:
    """`unmeasured` is for nulls without a score, such as empty cells of a list."""
    plain = [null for null in nulls if not null.labelled]
    right = np.array([null.right for null in plain], dtype=float)
    scores = np.array([logit(null.score) for null in plain])
    widths = np.array([doublings(null.fields) for null in plain])
    bias, slope, wider = logistic(scores, right, weights_of([null.kind for null in plain]), widths)
    return Absence(_share_right([null for null in nulls if null.labelled]), unmeasured, bias, slope, wider)


def _share_right(nulls: Sequence[Null]) -> float:
    """Drawn towards a half while there are few."""
    return round((sum(null.right for null in nulls) + 1) / (len(nulls) + 2), 4)


def _weights(values: Sequence[Value]) -> Numbers:
    """A kind with many values, and a document with a thousand rows, count more, but by their roots only."""
    documents = [f"{value.dataset}/{value.document}" for value in values]
    _, at, sizes = np.unique(documents, return_inverse=True, return_counts=True)
    per_document = 1.0 / np.sqrt(sizes[at])
    kinds = [value.kind for value in values]
    _, at = np.unique(kinds, return_inverse=True)
    totals = np.bincount(at, weights=per_document)
    weights: Numbers = per_document / np.sqrt(totals[at])
    weights *= len(weights) / weights.sum()
    return weights


def _logistic(
    rows: Numbers, right: Numbers, weight: Numbers, names: tuple[str, ...], prior: Numbers, bias: float
) -> tuple[float, Numbers]:
    """Gradient descent that keeps each slope on its side of zero, drawn towards the prior."""
    slopes = prior.copy()
    low = np.array([0.0 if name in RISING else -np.inf for name in names])
    high = np.array([0.0 if name in FALLING else np.inf for name in names])
    total = weight.sum()
    for _ in range(_STEPS):
        sure = 1.0 / (1.0 + np.exp(-np.clip(rows @ slopes + bias, -30, 30)))
        error = weight * (sure - right)
        bias -= _RATE * float(error.sum()) / total
        slopes -= _RATE * (rows.T @ error + _PRIOR * 0.1 * (slopes - prior)) / total
        slopes = np.clip(slopes, low, high)
    return bias, slopes


def _rising(sure: Numbers, right: Numbers, weight: Numbers) -> list[tuple[float, float]]:
    """Isotonic regression over few equally filled bins, so that the curve follows no single value."""
    order = np.argsort(sure, kind="stable")
    shares = np.cumsum(weight[order]) / weight.sum()
    blocks: list[list[float]] = []
    for place in range(_KNOTS):
        inside = order[(shares > place / _KNOTS) & (shares <= (place + 1) / _KNOTS)]
        if not len(inside):
            continue
        heavy = float(weight[inside].sum())
        x = float((sure[inside] * weight[inside]).sum()) / heavy
        y = float((right[inside] * weight[inside]).sum() + 2 * x) / (heavy + 2)
        blocks.append([x * heavy, y * heavy, heavy])
        while len(blocks) > 1 and blocks[-2][1] / blocks[-2][2] >= blocks[-1][1] / blocks[-1][2]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    points = [(round(x / heavy, 4), round(y / heavy, 4)) for x, y, heavy in blocks]
    return [(0.0, 0.0), *points, (1.0, round(max(points[-1][1], 0.99), 4))]
