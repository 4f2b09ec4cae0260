"""Confidence moves with what it rests on, and stays between nothing and certainty."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.analysis.proof.confidence import confidence, interpolated, model_of
from docsieve.analysis.proof.grounding.ground import Grounding
from docsieve.domain.extraction import Check, Evidence, Found

PLACE = Evidence("d", 1, 600, 800, (0, 0, 10, 10), "5.50")
GROUNDED = Grounding([PLACE], match=1.0, ocr=0.98, occurrences=1, label=0.5)
ENGINES = ["local", "llm", "azure-document-intelligence", "never heard of"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_grounded_value_has_a_higher_confidence_than_an_ungrounded_one(engine: str) -> None:
    found = Found("5.50", 0.7)
    assert confidence(engine, found, GROUNDED, []) > confidence(engine, found, Grounding(), []) + 0.2


@pytest.mark.parametrize("engine", ENGINES)
def test_a_failed_check_makes_less_sure_and_a_kept_sum_not_less(engine: str) -> None:
    found = Found("5.50", 0.7)
    plain = confidence(engine, found, GROUNDED, [])
    assert confidence(engine, found, GROUNDED, [Check("sum", False)]) < plain
    assert confidence(engine, found, GROUNDED, [Check("sum", True)]) >= plain
    assert confidence(engine, found, GROUNDED, [Check("type", True)]) == plain


@pytest.mark.parametrize("engine", ENGINES)
def test_a_surer_engine_never_makes_less_sure(engine: str) -> None:
    sure = [confidence(engine, Found("x", score / 10), GROUNDED, []) for score in range(11)]
    assert sure == sorted(sure)


def test_a_null_is_as_sure_as_the_engine_says_or_as_it_was_measured() -> None:
    assert confidence("llm", Found(None, 0.8), Grounding(), []) == 0.8
    assert confidence("local", Found(None), Grounding(), []) == model_of("local").absent.unlabelled


def test_a_null_is_surer_in_a_schema_with_more_fields() -> None:
    few, some, many = (confidence("local", Found(None, 0.45), Grounding(), [], fields=n) for n in (4, 10, 40))
    assert few < 0.5 < many
    assert few < some < many


@pytest.mark.parametrize("engine", ENGINES)
def test_a_null_is_less_sure_where_the_label_of_its_field_was_seen(engine: str) -> None:
    assert confidence(engine, Found(None), Grounding(label=1.0), []) < confidence(engine, Found(None), Grounding(), [])


@pytest.mark.parametrize("engine", ENGINES)
def test_the_curve_of_every_engine_rises_within_bounds(engine: str) -> None:
    curve = model_of(engine).curve
    assert list(curve) == sorted(curve)
    assert [y for _, y in curve] == sorted(y for _, y in curve)
    assert all(0 <= x <= 1 and 0 <= y <= 1 for x, y in curve)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.integers(0, 10_000), st.floats(0, 1))
def test_confidence_is_always_between_nothing_and_certainty(
    score: float, match: float, ocr: float, occurrences: int, label: float
) -> None:
    grounding = Grounding([PLACE], match, ocr, occurrences, label)
    assert 0.0 <= confidence("local", Found("x", score), grounding, []) <= 1.0


def test_between_points_of_a_curve_is_a_straight_line() -> None:
    curve = [(0.0, 0.0), (0.5, 0.2), (1.0, 1.0)]
    assert [interpolated(curve, x) for x in (-1, 0.25, 0.5, 0.75, 2)] == pytest.approx([0, 0.1, 0.2, 0.6, 1])
