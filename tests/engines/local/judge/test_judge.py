"""The judge turns what is known about a candidate into a probability, without knowing which field it is for."""

import json
from importlib.resources import files
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.engines.local.engine import offer
from docsieve.engines.local.judge import judge as module
from docsieve.engines.local.judge.features import FALLING, FEATURES, RISING, features_of
from docsieve.engines.local.judge.judge import Judge, trained
from tests.engines.local.drawing import line, material, page, written

STORED: dict[str, Any] = json.loads(files(module.__package__).joinpath("model.json").read_text())
ROW = st.lists(st.floats(-1, 20), min_size=len(FEATURES), max_size=len(FEATURES))


def judged(text: str, **fields: str) -> dict[str, list[tuple[str, float]]]:
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "format": each} for name, each in fields.items()},
    }
    offered = offer(material(written(text)), schema)
    trained().judge(offered.single, offered.scene)
    return {
        target.field.pattern: sorted(((each.text, each.score) for each in candidates), key=lambda pair: -pair[1])
        for target, candidates in offered.single
    }


def one_by_one(row: list[float]) -> float:
    """The sum of the leaves, walking each tree by itself."""
    total = 0.0
    for at in STORED["roots"]:
        while STORED["nodes"][at][2] != at:
            feature, threshold, left, right, _ = STORED["nodes"][at]
            at = left if row[feature] <= threshold else right
        total += STORED["nodes"][at][4]
    return total


@given(ROW)
def test_all_trees_are_walked_at_once_to_the_leaves_that_each_has_for_itself(row: list[float]) -> None:
    assert trained().margins(np.array([row, row])) == pytest.approx([one_by_one(row)] * 2)


@pytest.mark.parametrize("name", sorted(RISING | FALLING))
@given(row=ROW, more=st.floats(0, 5))
def test_more_of_a_rising_feature_never_lowers_the_probability(name: str, row: list[float], more: float) -> None:
    at = FEATURES.index(name)
    larger = [value + more * (number == at) for number, value in enumerate(row)]
    before, after = trained().probabilities(np.array([row, larger]))
    assert after >= before - 1e-9 if name in RISING else after <= before + 1e-9


def test_a_model_of_other_features_is_refused() -> None:
    with pytest.raises(ValueError, match="make train"):
        Judge.load({**STORED, "features": [*STORED["features"][1:], "weather"]})


def test_a_plain_label_makes_a_value_likely_and_a_rival_label_does_not() -> None:
    amounts = "Bread  5.00\nMilk  2.50\nSubtotal: 7.50\nTotal: 7.95\nTotal GST: 0.45"
    (best, sure), *others = judged(amounts, total="amount")["total"]
    assert (best, sure > 0.8) == ("7.95", True)
    assert all(score < 0.4 for _, score in others)


def test_two_equal_candidates_are_less_likely_than_one() -> None:
    alone = judged("Delivery code: 4711", delivery_code="")["delivery_code"][0][1]
    twice = judged("Delivery code: 4711\n\n\nDelivery code: 4833", delivery_code="")["delivery_code"][0][1]
    assert twice < alone


def test_a_candidate_that_is_a_label_itself_is_unlikely() -> None:
    form = page([line(40, 40, "Policy holder"), line(160, 40, "Account number"), line(40, 200, "Ada Example")])
    offered = offer(material(form), {"type": "object", "properties": {"policy_holder": {"type": "string"}}})
    trained().judge(offered.single, offered.scene)
    [(_, candidates)] = offered.single
    assert {each.text: each.score < 0.35 for each in candidates}["Account number"]


def test_every_candidate_has_a_value_for_each_feature() -> None:
    schema = {"type": "object", "properties": {"total": {"type": "number"}, "note": {"type": "string"}}}
    offered = offer(material(written("Total: 5.00\nNote: paid")), schema)
    rows = features_of(offered.single, offered.scene)
    assert len(rows) == sum(len(candidates) for _, candidates in offered.single) > 1
    assert {len(row) for row in rows} == {len(FEATURES)}
    assert np.isfinite(np.array(rows)).all()


def test_a_document_without_candidates_needs_no_judgment() -> None:
    assert judged("", total="amount") == {"total": []}
