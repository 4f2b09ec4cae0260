"""Candidate recall counts true values of single fields that the pages show."""

import pytest
from benchmarks.quality_parts.recall import is_offered, is_on_page

from docsieve.evaluation.figures import Leaf, OnPage
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import Outcome

SCHEMA = {"type": "object", "properties": {"date": {"type": "string", "format": "date"}, "total": {"type": "number"}}}


def leaf(outcome: Outcome, truth: object, *, field: str = "total", on_page: OnPage | None = None) -> Leaf:
    return Leaf(field, outcome, None, field, None, truth, exact=False, on_page=on_page)


@pytest.mark.parametrize(
    ("outcome", "on_page", "counts"),
    [
        (Outcome.right, None, True),
        (Outcome.wrong, "whole", True),
        (Outcome.missed, "whole", True),
        (Outcome.missed, "nearly", False),
        (Outcome.missed, "no", False),
        (Outcome.invented, None, False),
    ],
)
def test_only_values_that_the_pages_show_count(outcome: Outcome, on_page: OnPage | None, *, counts: bool) -> None:
    assert is_on_page(leaf(outcome, "9.00", on_page=on_page)) is counts


def test_a_candidate_is_right_in_any_notation() -> None:
    sameness = Sameness([SCHEMA], [])
    missed = leaf(Outcome.missed, 1200.5)
    assert is_offered(missed, ["Total", "EUR 1,200.50"], sameness)
    assert not is_offered(missed, ["EUR 1,200.60"], sameness)
    assert is_offered(leaf(Outcome.missed, "2026-03-12", field="date"), ["12 March 2026"], sameness)


def test_one_of_several_accepted_truths_is_enough() -> None:
    assert is_offered(leaf(Outcome.wrong, ["7.00", "9.00"]), ["9.00"], Sameness([SCHEMA], []))


def test_a_right_value_had_a_candidate() -> None:
    assert is_offered(leaf(Outcome.right, "EUR"), [], Sameness([SCHEMA], []))
