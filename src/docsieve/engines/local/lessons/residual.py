"""What the examples of a schema change about the judge: a small linear model for each field, over its log-odds.

The weights are drawn to zero, so that few examples change little. All fields of a schema are fitted together first,
and each field is then drawn to what they have in common.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from docsieve.engines.local.judge.features import FEATURES
from docsieve.engines.local.lessons.traits import TRAITS, Traits

Numbers = NDArray[np.float64]

LEARNED = ("any", "near", *TRAITS)
"""The features that only lessons know, before those of the judge."""

_SPREAD = np.array([1.0] * len(LEARNED) + [0.15] * len(FEATURES))
"""How far a weight goes from what it is drawn to."""

_DRAWN_TO_SCHEMA = 0.5
_MIN_LIKELY = 0.03
_STEPS = 25
_PRIOR = 1.0
_TINY = 1e-6

Counts = dict[str, dict[str, list[int]]]
"""By kind of trait and its fingerprint: how many right and how many wrong candidates had it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate of an example: `judged` is the probability that the judge gives it."""

    example: int
    pattern: str
    features: Sequence[float]
    judged: float
    near: float
    traits: Traits
    right: bool


@dataclass(frozen=True)
class Residual:
    weights: Numbers
    means: Numbers
    scales: Numbers
    counts: Counts
    share: float

    @classmethod
    def load(cls, stored: Mapping[str, Any]) -> "Residual":
        """Features that the judge no longer has are left out."""
        by_name = {name: each for name, *each in stored["weights"]}
        weights, means, scales = np.array([by_name.get(name, (0.0, 0.0, 1.0)) for name in (*LEARNED, *FEATURES)]).T
        return cls(weights, means, scales, stored["counts"], stored["share"])

    def stored(self) -> dict[str, Any]:
        columns = zip((*LEARNED, *FEATURES), self.weights, self.means, self.scales, strict=True)
        weights = [[name, *(round(float(each), 4) for each in numbers)] for name, *numbers in columns if numbers[0]]
        return {"weights": weights, "counts": self.counts, "share": round(self.share, 4)}

    def judged(self, probability: float, features: Sequence[float], near: float, traits: Traits) -> float:
        row = np.array([*_learned(near, traits, self.counts, self.share), *features])
        return logistic(_odds(probability) + float(((row - self.means) / self.scales) @ self.weights))


def fit(rows: Sequence[Row]) -> dict[str, Residual]:
    """By field. Each row is seen as if its own example had not been counted."""
    by_field: dict[str, list[Row]] = {}
    for row in rows:
        by_field.setdefault(row.pattern, []).append(row)
    counts = {pattern: counted(mine) for pattern, mine in by_field.items()}
    shares = {
        pattern: (sum(row.right for row in mine) + _PRIOR) / (len(mine) + 2 * _PRIOR)
        for pattern, mine in by_field.items()
    }
    inputs = {pattern: _inputs(mine, counts[pattern], shares[pattern]) for pattern, mine in by_field.items()}
    if not inputs:
        return {}
    every = np.concatenate(list(inputs.values()))
    means, scales = every.mean(axis=0), every.std(axis=0)
    means[: len(LEARNED)], scales[: len(LEARNED)] = 0.0, 1.0
    constant = scales < 1e-6
    scales[constant] = 1.0
    spread = np.where(constant, 1e-6, _SPREAD)

    def fitted(inside: Numbers, mine: Sequence[Row], start: Numbers, spread: Numbers) -> Numbers:
        odds = np.array([_odds(row.judged) for row in mine])
        right = np.array([float(row.right) for row in mine])
        return _rising((inside - means) / scales, odds, right, start, spread)

    common = fitted(every, [row for mine in by_field.values() for row in mine], np.zeros(every.shape[1]), spread)
    return {
        pattern: Residual(
            fitted(inputs[pattern], mine, common, spread * _DRAWN_TO_SCHEMA), means, scales, counts[pattern],
            shares[pattern],
        )
        for pattern, mine in by_field.items()
    }  # fmt: skip


def counted(rows: Sequence[Row]) -> Counts:
    counts: Counts = {}
    for row in rows:
        for kind, keys in row.traits.items():
            for key in keys:
                both = counts.setdefault(kind, {}).setdefault(key, [0, 0])
                both[0 if row.right else 1] += 1
    return counts


def logistic(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(min(odds, 30.0), -30.0)))


def _odds(probability: float) -> float:
    inside = min(max(probability, _MIN_LIKELY), 1 - 1e-4)
    return math.log(inside / (1 - inside))


def _inputs(rows: Sequence[Row], counts: Counts, share: float) -> Numbers:
    own: dict[int, Counts] = {}
    for row in rows:
        if row.example not in own:
            own[row.example] = counted([each for each in rows if each.example == row.example])
    return np.array([[*_learned(row.near, row.traits, counts, share, own[row.example]), *row.features] for row in rows])


def _learned(near: float, traits: Traits, counts: Counts, share: float, without: Counts | None = None) -> list[float]:
    told = [
        max((_told(counts, without, kind, key, share) for key in traits[kind]), key=abs, default=0.0) for kind in TRAITS
    ]
    return [1.0, near, *told]


def _told(counts: Counts, without: Counts | None, kind: str, key: str, share: float) -> float:
    """How much more often than others candidates with the trait were right, on the logistic scale."""
    right, wrong = counts.get(kind, {}).get(key, (0, 0))
    if without is not None:
        less = without[kind][key]
        right, wrong = right - less[0], wrong - less[1]
    told = math.log((right + _PRIOR * share) / (wrong + _PRIOR * (1 - share)))
    return told - math.log(share / (1 - share))


def _rising(inputs: Numbers, odds: Numbers, right: Numbers, drawn_to: Numbers, spread: Numbers) -> Numbers:
    """Weights by which a trait of right values makes a candidate less likely are artifacts, and left out."""
    weights = _fitted(inputs, odds, right, drawn_to, spread)
    against = np.zeros(len(weights), dtype=bool)
    against[1 : len(LEARNED)] = weights[1 : len(LEARNED)] < 0
    if against.any():
        start, spread = np.where(against, 0.0, drawn_to), np.where(against, _TINY, spread)
        weights = np.maximum(_fitted(inputs, odds, right, start, spread), np.where(against, 0.0, -np.inf))
    return weights


def _fitted(inputs: Numbers, odds: Numbers, right: Numbers, drawn_to: Numbers, spread: Numbers) -> Numbers:
    """Newton steps to the most likely weights, each halved until it is an improvement."""
    weights, pull = drawn_to, 1 / spread**2

    def cost(tried: Numbers) -> float:
        sums = odds + inputs @ tried
        return float((np.logaddexp(0.0, sums) - right * sums).sum() + 0.5 * (pull * (tried - drawn_to) ** 2).sum())

    now = cost(weights)
    for _ in range(_STEPS):
        likely = 1 / (1 + np.exp(-np.clip(odds + inputs @ weights, -30, 30)))
        slope = inputs.T @ (right - likely) - pull * (weights - drawn_to)
        bend = (inputs * (likely * (1 - likely))[:, None]).T @ inputs + np.diag(pull)
        step = np.linalg.solve(bend, slope)
        while (then := cost(weights + step)) > now and float(np.abs(step).max()) > _TINY:
            step = step / 2
        if now - then < _TINY:
            break
        weights, now = weights + step, then
    return weights
