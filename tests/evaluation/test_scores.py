"""Right, wrong, missed and invented, on cases small enough to count by hand."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docsieve.domain.schemas.fields import Schema
from docsieve.evaluation.alignment import align
from docsieve.evaluation.figures import Count, Leaf, count, count_by_field
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import Judge, Judged, Outcome

TEXT: Schema = {"type": "string"}
RECEIPT: Schema = {
    "type": "object",
    "properties": {
        "company": TEXT,
        "date": TEXT,
        "total": TEXT,
        "seller": {"type": "object", "properties": {"name": TEXT, "vat": TEXT}},
        "tags": {"type": "array", "items": TEXT},
        "items": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": TEXT, "price": {"type": "number"}}},
        },
    },
}


def judge(truth: dict[str, Any], value: Any, **options: Any) -> list[Judged]:
    ignore_spaces = options.pop("ignore_spaces", False)
    return Judge(RECEIPT, Sameness([RECEIPT], [truth], ignore_spaces=ignore_spaces), **options).judge(truth, value)


def counted(truth: dict[str, Any], value: Any, **options: Any) -> Count:
    return count(Leaf.of(each) for each in judge(truth, value, **options))


def test_f1_is_what_a_hand_counts() -> None:
    truth = {"company": "ACME", "date": "2024-03-01", "total": "9.00", "tags": ["a", "b"]}
    value = {"company": "Acme.", "date": "2024-03-02", "total": None, "tags": ["b", "c"]}
    found = counted(truth, value)
    # wanted: company, date, total, a, b; given: company, date, b, c; right: company, b
    assert (found.wanted, found.given, found.right, found.exact) == (5, 4, 2, 1)
    assert found.precision == 2 / 4
    assert found.recall == 2 / 5
    assert found.f1 == 4 / 9
    assert found.exact_f1 == 2 / 9


@pytest.mark.parametrize(
    ("truth", "value"),
    [
        ({"company": "ACME  Ltd."}, {"company": "acme ltd"}),
        ({"date": "03/05/2018 "}, {"date": "2018-05-03"}),
        ({"date": "28-04-18"}, {"date": "28/04/2018"}),
        ({"total": "RM 8.60"}, {"total": "8.60"}),
        ({"total": "$15,000.00"}, {"total": "15000"}),
        ({"items": [{"price": "1.0"}]}, {"items": [{"price": 1}]}),
        ({"items": [{"price": 4.10}]}, {"items": [{"price": 4.1}]}),
        ({"total": ["7.00", "$7.00"]}, {"total": "7.00"}),
    ],
)
def test_another_way_to_write_the_same_is_right(truth: dict[str, Any], value: Any) -> None:
    assert [each.outcome for each in judge(truth, value)] == [Outcome.right]


@pytest.mark.parametrize(
    ("truth", "value"),
    [
        ({"company": "ACME"}, {"company": "ACNE"}),
        ({"date": "2018-05-03"}, {"date": "2018-05-04"}),
        ({"total": "8.60"}, {"total": "86.0"}),
        ({"company": "007"}, {"company": "7"}),
        ({"total": "100"}, {"total": "-100"}),
    ],
)
def test_another_value_is_wrong(truth: dict[str, Any], value: Any) -> None:
    assert [each.outcome for each in judge(truth, value)] == [Outcome.wrong]


def test_the_whole_dataset_decides_which_number_of_a_date_is_the_day() -> None:
    truths = [{"date": "28/04/2018"}, {"date": "03/05/2018"}]
    sameness = Sameness([RECEIPT], truths)
    assert sameness.same("date", "03/05/2018", "2018-05-03")
    assert not sameness.same("date", "03/05/2018", "2018-03-05")


def test_truths_that_lost_their_spaces_are_compared_without() -> None:
    truth, value = {"company": "BOBSSTEAK"}, {"company": "Bobs Steak"}
    assert counted(truth, value).right == 0
    assert counted(truth, value, ignore_spaces=True).right == 1


def test_null_is_known_not_to_be_there_and_an_absent_field_is_not_known() -> None:
    value = {"company": "ACME", "total": "9"}
    assert [(each.pattern, each.outcome) for each in judge({"company": None}, value)] == [("company", Outcome.invented)]
    assert [each.pattern for each in judge({}, value, closed=True)] == ["company", "total"]


def test_null_for_null_counts_nowhere() -> None:
    assert judge({"company": None, "seller": None, "tags": []}, {"company": None, "tags": []}) == []


def test_single_fields_that_are_neither_there_nor_given_are_known_to_be_absent() -> None:
    truth = {"company": None, "total": "9", "items": [{"name": "Tea", "price": None}], "seller": {"name": None}}
    one = Judge(RECEIPT, Sameness([RECEIPT], [truth]))
    one.judge(truth, {"company": None, "date": None, "items": [{"name": "Tea", "price": None}], "seller": {"vat": "1"}})
    assert one.absent == ["company", "seller.name"]


def test_an_object_that_is_not_there_makes_each_of_its_values_an_invention() -> None:
    (only,) = judge({"seller": None}, {"seller": {"name": "X", "vat": None}})
    assert (only.pattern, only.outcome, only.path) == ("seller.name", Outcome.invented, "seller.name")


def test_rows_find_their_partners_in_any_order() -> None:
    truth = {"items": [{"name": "Tea", "price": "1"}, {"name": "Cake", "price": "2"}, {"name": "Pie", "price": "3"}]}
    value = {"items": [{"name": "Pie", "price": 3}, {"name": "Tea", "price": 9}]}
    judged = {each.truth_path or each.path: each for each in judge(truth, value)}
    assert judged["items[2].name"].path == "items[0].name"
    assert judged["items[2].price"].outcome is Outcome.right
    assert judged["items[0].price"].outcome is Outcome.wrong
    assert [judged[path].outcome for path in ("items[1].name", "items[1].price")] == [Outcome.missed] * 2
    by_field = count_by_field(Leaf.of(each) for each in judged.values())
    assert (by_field["items[].name"].right, by_field["items[].price"].right) == (2, 1)


def test_rows_that_are_not_in_the_truth_count_as_invented() -> None:
    truth = {"items": [{"name": "Tea", "price": 1}]}
    value = {"items": [{"name": "TOTAL", "price": 1.5}, {"name": "Tea", "price": 1}]}
    assert [(each.path, each.outcome) for each in judge(truth, value)] == [
        ("items[1].name", Outcome.right),
        ("items[1].price", Outcome.right),
        ("items[0].name", Outcome.invented),
        ("items[0].price", Outcome.invented),
    ]


def test_truths_without_a_field_are_told_and_not_judged() -> None:
    truth = {
        "company": "ACME",
        "color": "red",
        "seller": {"name": "X", "fax": "1"},
        "items": [{"sku": 1}],
        "tags": {"kind": ["a", "b"]},
    }
    one = Judge(RECEIPT, Sameness([RECEIPT], [truth]))
    judged = one.judge(truth, {"company": "ACME", "items": [{"name": None, "price": None}], "tags": ["a"]})
    assert [each.pattern for each in judged] == ["company", "seller.name"]
    assert one.not_asked == 5


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.integers(0, 5), min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_alignment_is_the_best_of_all(weights: list[list[int]]) -> None:
    from itertools import permutations

    rows, columns = range(len(weights)), range(3)
    longer, shorter = (columns, rows) if len(rows) <= 3 else (rows, columns)
    best = max(
        sum(weights[a][b] if shorter is rows else weights[b][a] for a, b in zip(shorter, chosen, strict=True))
        for chosen in permutations(longer, len(shorter))
    )
    pairs = align(list(rows), list(columns), lambda one, other: weights[one][other])
    assert sum(weights[one][other] for one, other in pairs) == best
    assert len({one for one, _ in pairs}) == len({other for _, other in pairs}) == len(pairs)


def test_long_lists_are_aligned_in_their_order_where_rows_repeat() -> None:
    rows = [number % 7 for number in range(400)]
    pairs = align(rows, rows, lambda one, other: float(one == other))
    assert pairs == [(number, number) for number in range(400)]
