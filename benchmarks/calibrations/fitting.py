"""Fitting of the confidence model: a logistic regression with known signs, and a rising curve over it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.calibrations.records import Record
from docsieve.analysis.proof.confidence import Absence, Model

Vector = NDArray[np.float64]

# Nothing may lower the confidence by being found more exactly, or raise it by failing a check.
RISING = frozenset(["score", "grounded", "match", "ocr", "unique", "label", "spotted", "confirmed"])
FALLING = frozenset(["failed"])

_STEPS = 4_000
_RATE = 0.5
_PRIOR = 4.0  # how many records the prior weights are worth
_KNOTS = 8


@dataclass(frozen=True, slots=True)
class Fitted:
    model: Model
    names: tuple[str, ...]

    def certainties(self, records: Sequence[Record]) -> Vector:
        return np.array([self.model.certainty(record.features) for record in records])


def weights_of(records: Sequence[Record]) -> Vector:
    """A document with a thousand rows counts more than a receipt, but not a thousand times as much."""
    sizes: dict[str, int] = {}
    for record in records:
        key = f"{record.dataset}/{record.document}"
        sizes[key] = sizes.get(key, 0) + 1
    return np.array([1.0 / np.sqrt(sizes[f"{record.dataset}/{record.document}"]) for record in records])


def fit(records: Sequence[Record], prior: dict[str, Any], absent: Absence) -> Fitted:
    names = tuple(records[0].features)
    rows = np.array([[record.features[name] for name in names] for record in records])
    right = np.array([record.right for record in records], dtype=float)
    weight = weights_of(records)
    start = np.array([prior["weights"].get(name, 0.0) for name in names])
    bias, slopes = _logistic(rows, right, weight, names, start, float(prior["bias"]))
    sure = 1.0 / (1.0 + np.exp(-np.clip(rows @ slopes + bias, -30, 30)))
    curve = _rising(sure, right, weight)
    stated = {name: round(float(slope), 4) for name, slope in zip(names, slopes, strict=True)}
    return Fitted(Model(round(float(bias), 4), stated, curve, absent), names)


def folds(records: Sequence[Record], count: int) -> list[list[int]]:
    """Documents go to folds in turn, so that none is judged by what it taught."""
    documents = sorted({(record.dataset, record.document) for record in records})
    number = {document: place % count for place, document in enumerate(documents)}
    parts: list[list[int]] = [[] for _ in range(count)]
    for place, record in enumerate(records):
        parts[number[record.dataset, record.document]].append(place)
    return [part for part in parts if part]


def out_of_sample(records: Sequence[Record], prior: dict[str, Any], count: int) -> Vector:
    sure = np.zeros(len(records))
    for part in folds(records, count):
        held = set(part)
        taught = [record for place, record in enumerate(records) if place not in held]
        sure[part] = fit(taught, prior, Absence(**prior["absent"])).certainties([records[place] for place in part])
    return sure


def _logistic(
    rows: Vector, right: Vector, weight: Vector, names: tuple[str, ...], prior: Vector, bias: float
) -> tuple[float, Vector]:
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


def _rising(sure: Vector, right: Vector, weight: Vector) -> list[tuple[float, float]]:
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


def calibration_error(sure: Vector, right: Vector, bins: int = 10) -> float:
    """The mean distance of confidence and share of right values, over equally wide bins."""
    place = np.minimum((sure * bins).astype(int), bins - 1)
    error = 0.0
    for number in range(bins):
        inside = place == number
        if inside.any():
            error += inside.sum() * abs(float(sure[inside].mean()) - float(right[inside].mean()))
    return error / len(sure)
