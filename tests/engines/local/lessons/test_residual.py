"""What examples change about the judge."""

import json

import numpy as np

from docsieve.engines.local.judge.features import FEATURES
from docsieve.engines.local.lessons.residual import Residual, Row, fit
from docsieve.engines.local.lessons.traits import Traits

TRAITS: Traits = {"label": [], "around": [], "form": [], "text": [], "zone": []}


def _row(example: int, label: str, *, right: bool, judged: float = 0.4, pattern: str = "total") -> Row:
    return Row(example, pattern, [0.0] * len(FEATURES), judged, 0.0, {**TRAITS, "label": [label]}, right)


def _pairs(examples: int) -> list[Row]:
    """The judge takes both candidates of each example for equally likely."""
    return [_row(at, label, right=label == "net") for at in range(examples) for label in ("net", "gross")]


def _judged(residual: Residual, label: str, judged: float = 0.4) -> float:
    return residual.judged(judged, [0.0] * len(FEATURES), 0.0, {**TRAITS, "label": [label]})


def test_the_label_that_was_right_becomes_likelier_with_every_example() -> None:
    few, many = fit(_pairs(2))["total"], fit(_pairs(12))["total"]

    assert 0.4 < _judged(few, "net") < _judged(many, "net")
    assert 0.4 > _judged(few, "gross") > _judged(many, "gross")


def test_one_example_changes_little() -> None:
    assert abs(_judged(fit(_pairs(1))["total"], "net") - 0.4) < 0.1


def test_a_stored_residual_says_the_same_and_is_the_same_each_time() -> None:
    residual = fit(_pairs(6))["total"]
    stored = json.loads(json.dumps(residual.stored()))

    assert stored == json.loads(json.dumps(fit(_pairs(6))["total"].stored()))
    assert np.isclose(_judged(Residual.load(stored), "net"), _judged(residual, "net"), atol=1e-3)


def test_a_feature_that_the_judge_no_longer_has_is_left_out() -> None:
    stored = fit(_pairs(6))["total"].stored()
    stored["weights"].append(["height of the moon", 9.0, 0.0, 1.0])

    assert 0.4 < _judged(Residual.load(stored), "net") < 1.0


def test_a_label_that_is_right_in_one_field_says_nothing_about_another() -> None:
    other = [_row(at, "gross", right=True, pattern="gross") for at in range(6)]

    assert _judged(fit([*_pairs(6), *other])["total"], "gross") < 0.4
