"""Each error is exactly one of six kinds."""

from typing import Any

import pytest

from docsieve.domain.extraction import Evidence
from docsieve.evaluation.errors import count_errors, error_of
from docsieve.evaluation.figures import Leaf
from docsieve.evaluation.sameness import Sameness
from docsieve.evaluation.scores import ErrorKind, Judge, Outcome

SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string"},
        "total": {"type": "number"},
        "seller": {"type": "object", "properties": {"tags": {"type": "array", "items": {"type": "string"}}}},
        "items": {
            "type": "array",
            "items": {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}},
        },
    },
}
HERE = [Evidence("d", 1, 600, 800, (100, 100, 200, 110), "")]
NEXT_TO_IT = [Evidence("d", 1, 600, 800, (150, 100, 260, 110), "")]
ELSEWHERE = [Evidence("d", 1, 600, 800, (100, 300, 200, 310), "")]


def judged(truth: dict[str, Any], value: dict[str, Any]) -> list[Leaf]:
    return [Leaf.of(each) for each in Judge(SCHEMA, Sameness([SCHEMA], [truth])).judge(truth, value)]


def kind(
    truth: dict[str, Any],
    value: dict[str, Any],
    *,
    read: list[Evidence] = HERE,
    true_place: list[Evidence] | None = None,
) -> ErrorKind | None:
    (leaf,) = judged(truth, value)
    leaf.evidence, leaf.proven = read, bool(read)
    return error_of(leaf, Sameness([SCHEMA], [truth]), true_place or [])


def test_a_right_value_is_not_an_error() -> None:
    assert kind({"name": "Acme"}, {"name": "ACME"}) is None


def test_a_true_value_without_an_answer_is_unfound_wherever_it_is() -> None:
    assert kind({"name": "Acme"}, {"name": None}, read=[], true_place=HERE) is ErrorKind.unfound
    assert kind({"name": "Acme"}, {"name": None}, read=[]) is ErrorKind.unfound


@pytest.mark.parametrize("truth", ["Acme", None])
def test_a_value_that_no_page_shows_is_fabricated(truth: str | None) -> None:
    assert kind({"name": truth}, {"name": "Acne"}, read=[], true_place=HERE) is ErrorKind.fabricated


def test_a_wrong_value_from_the_place_of_the_truth_is_misread() -> None:
    assert kind({"name": "Acme"}, {"name": "Ltd"}, read=NEXT_TO_IT, true_place=HERE) is ErrorKind.misread


def test_a_wrong_value_from_elsewhere_is_from_the_wrong_place() -> None:
    assert kind({"name": "Acme"}, {"name": "Blue Sky"}, read=ELSEWHERE, true_place=HERE) is ErrorKind.wrong_place
    assert kind({"total": "12.50"}, {"total": 12.6}, read=ELSEWHERE, true_place=HERE) is ErrorKind.wrong_place


@pytest.mark.parametrize(("truth", "value"), [("Acme Tools", "Acne Tools"), ("94.19", "194.19"), ("Acme Ltd", "Acme")])
def test_nearly_the_same_letters_are_misread_where_the_pages_do_not_show_the_truth(truth: str, value: str) -> None:
    assert kind({"name": truth}, {"name": value}) is ErrorKind.misread


def test_one_of_several_accepted_values_with_other_letters_is_misread() -> None:
    assert kind({"name": ["Blue Sky", "Acme Tools"]}, {"name": "Acne Tools"}) is ErrorKind.misread


def test_a_value_for_a_field_that_the_document_does_not_have_is_an_invented_field() -> None:
    assert kind({"name": None}, {"name": "Acme"}) is ErrorKind.invented_field
    row = {"items": [{"name": "Tea", "price": None}]}
    _, price = judged(row, {"items": [{"name": "Tea", "price": 2.0}]})
    price.proven = True
    assert error_of(price, Sameness([SCHEMA], [row]), []) is ErrorKind.invented_field


@pytest.mark.parametrize(
    ("truth", "value"),
    [
        ({"items": [{"name": "Tea", "price": 1}]}, {"items": [{"name": "Tea", "price": 1}, {"name": "Sum"}]}),
        ({"items": None}, {"items": [{"name": "Sum"}]}),
        ({"seller": None}, {"seller": {"tags": ["Sum"]}}),
    ],
)
def test_a_value_of_an_item_that_is_not_there_is_an_invented_item(truth: dict[str, Any], value: dict[str, Any]) -> None:
    extra = next(leaf for leaf in judged(truth, value) if leaf.value == "Sum")
    extra.proven = True
    assert error_of(extra, Sameness([SCHEMA], [truth]), []) is ErrorKind.invented_item


def test_errors_are_counted_once_each_and_all_kinds_are_named() -> None:
    leaves = judged({"name": "Acme", "total": 1}, {"name": "Acme", "total": None})
    for leaf in leaves:
        leaf.error = error_of(leaf, Sameness([SCHEMA], []), [])
    counts = count_errors(leaves)
    assert list(counts) == list(ErrorKind)
    assert sum(counts.values()) == sum(leaf.outcome is not Outcome.right for leaf in leaves) == 1
