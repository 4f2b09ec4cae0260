"""Rules of a schema: their outcomes, and that they do not apply if values are missing."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.analysis.proof.rules.evaluate import RuleSyntaxError, evaluate, parse_rule

INVOICE: dict[str, Any] = {
    "subtotal": 5.0,
    "tax": "RM 0.50",
    "total": 5.5,
    "issued": "2024-03-01",
    "due": "31.03.2024",
    "paid": True,
    "note": None,
    "Receipt No": "A-1",
    "seller": {"name": "ACME"},
    "lines": [{"quantity": 2, "price": 1.25, "amount": 2.5}, {"quantity": 1, "price": 2.5, "amount": 2.5}],
}


def verdicts(rule: str, value: Any = INVOICE, **options: Any) -> list[bool]:
    return [outcome.passed for outcome in evaluate(parse_rule(rule), value, **options)]


@pytest.mark.parametrize(
    "rule",
    [
        "subtotal + tax == total",
        "subtotal + tax = total",
        "sum(lines[].amount) == subtotal",
        "total > subtotal and not tax > subtotal",
        "issued <= due",
        "issued < '2024-04-01'",
        "len(lines) == 2 and len(lines[].amount) == 2",
        "abs(subtotal - total) <= 0.5",
        "-total < 0",
        "paid == true",
        "seller.name == 'acme'",
        "present(seller.name) and not present(note)",
        "`Receipt No` == 'A-1'",
        "lines[0].price * 2 == lines[1].price",
        "max(lines[].price) == 2.5 and min(lines[].price) == 1.25",
        "round(total / 3, 2) == 1.83",
        "2 + 3 * 4 == 14 and (2 + 3) * 4 == 20 and 10 - 4 - 3 == 3",
    ],
)
def test_a_rule_that_holds_passes(rule: str) -> None:
    assert verdicts(rule) == [True]


@pytest.mark.parametrize("rule", ["subtotal == total", "due < issued", "paid == false", "seller.name == 'other'"])
def test_a_rule_that_does_not_hold_fails(rule: str) -> None:
    assert verdicts(rule) == [False]


@pytest.mark.parametrize(
    "rule",
    [
        "note == true",
        "note == 'x'",
        "sum(lines[].missing) == 1",
        "total / 0 == 1",
        "seller.name > 1",
        "nowhere < 3",
        "total",
    ],
)
def test_a_rule_says_nothing_where_an_operand_is_missing_or_of_no_use(rule: str) -> None:
    assert verdicts(rule) == []


def test_a_rule_over_items_holds_for_each_of_them_and_names_its_leaves() -> None:
    broken = {"lines": [*INVOICE["lines"], {"quantity": 3, "price": 1.0, "amount": 4.0}]}
    outcomes = evaluate(parse_rule("lines[].quantity * lines[].price == lines[].amount"), broken)
    assert [outcome.passed for outcome in outcomes] == [True, True, False]
    assert outcomes[2].leaves == ("lines[2].quantity", "lines[2].price", "lines[2].amount")
    assert outcomes[2].figures == "3 * 1.0 == 4.0"


def test_numbers_are_equal_within_the_tolerance() -> None:
    assert verdicts("total == 5.52") == [False]
    assert verdicts("total == 5.52", tolerance=0.05) == [True]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("total ==", 8),
        ("total $ 3", 5),
        ("(total", 6),
        ("evil(total)", 0),
        ("total total", 6),
        ("", 0),
        ("a == and", 5),
    ],
)
def test_an_invalid_rule_is_rejected_with_its_position(text: str, position: int) -> None:
    with pytest.raises(RuleSyntaxError) as refused:
        parse_rule(text)
    assert refused.value.position == position


def test_a_rule_has_bounds() -> None:
    for text in ("(" * 500 + "1" + ")" * 500, "-" * 900 + "1", "not " * 200 + "true", "1 + " * 400 + "1"):
        with pytest.raises(RuleSyntaxError):
            parse_rule(text)


@given(st.text(alphabet="ab1.()[]+-*/=<>!`'\" andornot,", max_size=60))
def test_no_text_does_more_than_be_refused(text: str) -> None:
    try:
        rule = parse_rule(text)
    except RuleSyntaxError:
        return
    evaluate(rule, {"a": 1, "b": [1, None, "x", {"a": 2}]})


def test_large_figures_end_instead_of_growing() -> None:
    assert verdicts("a * a * a * a * a * a == 1", {"a": 1e50}) == []


def test_a_sum_inside_a_rule_over_items_is_calculated_once_and_names_no_leaves() -> None:
    value = {"lines": [{"amount": number} for number in range(3_000)]}
    outcomes = evaluate(parse_rule("lines[].amount <= sum(lines[].amount)"), value)
    assert len(outcomes) == 3_000
    assert sum(len(outcome.leaves) for outcome in outcomes) == 3_000
