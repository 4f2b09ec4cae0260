"""Computes confidence, calibrated on documents with known values.

A logistic model weighs the features of a field, and a monotone curve corrects it, so that about nine in ten values with
a confidence of 0.9 are correct. `python -m benchmarks.calibration` fits the coefficients for each engine; engines
without a measurement use defaults based on grounding and checks.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from docsieve.analysis.proof.grounding.ground import Grounding
from docsieve.domain.extraction import Check, Found
from docsieve.domain.schemas.fields import SchemaField

CONFIRMING = frozenset(["sum", "date_order", "rule", "iban"])
"""Checks that a wrong value is unlikely to pass by accident."""

_TYPICAL_OCR = 0.97
_UNKNOWN_SCORE = 0.5


@dataclass(frozen=True, slots=True)
class Absence:
    """Confidence that a document does not contain a field for which nothing was found."""

    labelled: float
    """if its label appears on a page"""
    unlabelled: float


@dataclass(frozen=True, slots=True)
class Model:
    bias: float
    weights: Mapping[str, float]
    curve: Sequence[tuple[float, float]]
    absent: "Absence"

    def certainty(self, features: Mapping[str, float]) -> float:
        score = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return interpolated(self.curve, 1.0 / (1.0 + math.exp(-max(min(score, 30.0), -30.0))))


def confidence(
    engine: str, found: Found, grounding: Grounding, checks: Sequence[Check], field: SchemaField | None = None
) -> float:
    """From 0 to 1. For a null value: the confidence that the document does not contain it.

    That is the engine's own score, if it gives one; otherwise the measured share of its nulls that were correct,
    separately for fields whose label was seen.
    """
    model = model_of(engine)
    if found.value is None:
        absent = model.absent.labelled if grounding.label else model.absent.unlabelled
        return round(found.score if found.score is not None else absent, 4)
    return round(model.certainty(features_of(found, grounding, checks, field)), 4)


def features_of(
    found: Found, grounding: Grounding, checks: Sequence[Check], field: SchemaField | None = None
) -> dict[str, float]:
    """The features of the model, each from about 0 to 1."""
    grounded = 1.0 if grounding.evidence else 0.0
    words = len(str(found.value).split())
    return {
        "score": found.score if found.score is not None else _UNKNOWN_SCORE,
        "grounded": grounded,
        "match": grounding.match * grounded,
        "ocr": grounded * ((grounding.ocr if grounding.ocr is not None else 1.0) - _TYPICAL_OCR) * 10,
        "unique": grounded / max(grounding.occurrences, 1),
        "label": grounding.label,
        "spotted": 1.0 if grounding.spotted else 0.0,
        "failed": 1.0 if any(not check.passed for check in checks) else 0.0,
        "confirmed": 1.0 if any(check.passed and check.name in CONFIRMING for check in checks) else 0.0,
        "number": 1.0 if isinstance(found.value, int | float) else 0.0,
        "words": min(words, 12) / 12,
        "item": 1.0 if field is not None and field.group is not None else 0.0,
    }


def interpolated(curve: Sequence[tuple[float, float]], place: float) -> float:
    """Linear interpolation of a curve that rises in both coordinates."""
    if place <= curve[0][0]:
        return curve[0][1]
    for (x0, y0), (x1, y1) in pairwise(curve):
        if place <= x1:
            return y1 if x1 == x0 else y0 + (y1 - y0) * (place - x0) / (x1 - x0)
    return curve[-1][1]


@lru_cache(maxsize=64)
def model_of(engine: str) -> Model:
    data = _data()
    stated = data["engines"].get(engine, data["default"])
    return Model(stated["bias"], stated["weights"], [(x, y) for x, y in stated["curve"]], Absence(**stated["absent"]))


@lru_cache(maxsize=1)
def _data() -> dict[str, Any]:
    text = files(__package__).joinpath("confidence.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)
    return data
