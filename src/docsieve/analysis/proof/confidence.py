"""Computes confidence, calibrated on documents with known values.

A logistic model weighs the features of a field, and a monotone curve corrects it, so that about nine in ten values with
a confidence of 0.9 are correct, also in documents of a kind that nothing was fitted on. `make train` fits the
coefficients for `local`; engines without a measurement use defaults based on grounding and checks.
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

DOUBTED = {
    "rivalled": frozenset(["two_candidates"]),
    "unlabeled": frozenset(["no_label"]),
    "misplaced": frozenset(["distant_label", "other_label_between", "weak_label"]),
    "like_label": frozenset(["looks_like_label"]),
}
"""Doubts of the engine about a value, which are worse signs in kinds of documents that nothing was fitted on."""

TYPICAL_FIELDS = 10
_TYPICAL_OCR = 0.97
_UNKNOWN_SCORE = 0.5
_LEAST = 1e-4
_FAR = 30.0
_ANY = ""
"""An engine without a measurement."""


@dataclass(frozen=True, slots=True)
class Absence:
    """How sure it is that a document does not contain a field for which nothing was found.

    Without a score from the engine, that is the share of absent fields, `labelled` if the field's label is
    on a page. Otherwise `bias` and `slope` correct the engine's score on the logistic scale, for a schema with
    `TYPICAL_FIELDS`, and `wider` raises it for each doubling: a schema of forty fields is made for documents that each
    show some of them, one of five fields for documents that show all.
    """

    labelled: float
    unlabelled: float
    bias: float = 0.0
    slope: float = 1.0
    wider: float = 0.0

    def certainty(self, *, labelled: bool, score: float | None, fields: int) -> float:
        sure = self.unlabelled
        if score is not None:
            sure = logistic(self.bias + self.slope * logit(score) + self.wider * doublings(fields))
        return min(self.labelled, sure) if labelled else sure


@dataclass(frozen=True, slots=True)
class Model:
    bias: float
    weights: Mapping[str, float]
    curve: Sequence[tuple[float, float]]
    absent: Absence

    def certainty(self, features: Mapping[str, float]) -> float:
        score = self.bias + sum(self.weights.get(name, 0.0) * value for name, value in features.items())
        return interpolated(self.curve, logistic(score))


def confidence(
    engine: str,
    found: Found,
    grounding: Grounding,
    checks: Sequence[Check],
    field: SchemaField | None = None,
    *,
    fields: int = TYPICAL_FIELDS,
) -> float:
    """From 0 to 1. For a null value: the confidence that the document does not contain it.

    `fields` is how many single fields the schema has.
    """
    model = model_of(engine)
    if found.value is None:
        return round(model.absent.certainty(labelled=grounding.label > 0, score=found.score, fields=fields), 4)
    if not grounding.evidence:
        model = model_of(_ANY)  # engines that were measured give no such values
    return round(model.certainty(features_of(found, grounding, checks, field)), 4)


def features_of(
    found: Found, grounding: Grounding, checks: Sequence[Check], field: SchemaField | None = None
) -> dict[str, float]:
    """The features of the model, each from about 0 to 1."""
    grounded = 1.0 if grounding.evidence else 0.0
    words = len(str(found.value).split())
    score = found.score if found.score is not None else _UNKNOWN_SCORE
    in_row = field is not None and field.group is not None
    return {
        "score": score,
        "row_score": score if in_row else 0.0,
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
        "item": 1.0 if in_row else 0.0,
        **{name: 1.0 if codes & {doubt.code for doubt in found.doubts} else 0.0 for name, codes in DOUBTED.items()},
    }


def doublings(fields: int) -> float:
    """From a schema of `TYPICAL_FIELDS` to one of that many fields."""
    return math.log2(max(fields, 1) / TYPICAL_FIELDS)


def logistic(margin: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(min(margin, _FAR), -_FAR)))


def logit(share: float) -> float:
    share = min(max(share, _LEAST), 1.0 - _LEAST)
    return math.log(share / (1.0 - share))


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
