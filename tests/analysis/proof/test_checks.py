"""Checks of values, and the fields a failed check is listed with."""

from typing import Any

import pytest

from docsieve.analysis.proof.checks.extraction import check
from docsieve.domain.extraction import Check
from tests.analysis.proof.samples import object_of


def outcome(checks: list[Check], name: str) -> bool | None:
    found = [each.passed for each in checks if each.name == name]
    return all(found) if found else None


def one(value: Any, name: str, **part: Any) -> bool | None:
    return outcome(check(object_of(x={"type": "string", **part}), {"x": value})["x"], name)


@pytest.mark.parametrize(
    ("value", "name", "part", "expected"),
    [
        ("abc", "type", {}, True),
        (1, "type", {}, False),
        (1.5, "type", {"type": "integer"}, False),
        (2.0, "type", {"type": "integer"}, True),
        (True, "type", {"type": "number"}, False),
        ("2024-02-29", "format", {"format": "date"}, True),
        ("2023-02-29", "format", {"format": "date"}, False),
        ("a@b.de", "format", {"format": "email"}, True),
        ("EUR", "format", {"format": "currency"}, True),
        ("€", "format", {"format": "currency"}, False),
        ("DE89370400440532013000", "iban", {"format": "iban"}, True),
        ("DE89370400440532013001", "iban", {"format": "iban"}, False),
        ("b", "enum", {"enum": ["a", "b"]}, True),
        ("c", "enum", {"enum": ["a", "b"]}, False),
        ("A-12", "pattern", {"pattern": "^A-[0-9]+$"}, True),
        ("B-12", "pattern", {"pattern": "^A-[0-9]+$"}, False),
        (5, "range", {"type": "number", "minimum": 1, "maximum": 5}, True),
        (6, "range", {"type": "number", "minimum": 1, "maximum": 5}, False),
        ("toolong", "range", {"maxLength": 3}, False),
        ("x", "range", {}, None),
    ],
)
def test_a_leaf_is_tested_against_its_schema(value: Any, name: str, part: Any, expected: bool | None) -> None:
    assert one(value, name, **part) is expected


def test_a_required_field_without_a_value_fails() -> None:
    schema = {**object_of(x="string", y="string"), "required": ["x"]}
    checks = check(schema, {"x": None, "y": None})
    assert outcome(checks["x"], "required") is False
    assert checks["y"] == []


TOTALS = object_of(subtotal="number", tax="number", total="number")
LINES = {
    "type": "array",
    "items": object_of(description="string", quantity="number", unit_price="number", amount="number"),
}
INVOICE = object_of(lines=LINES, subtotal="number", tax="number", total="number")


def invoice(*lines: tuple[float, float, float], **totals: float | None) -> dict[str, Any]:
    items = [
        {"description": "x", "quantity": quantity, "unit_price": price, "amount": amount}
        for quantity, price, amount in lines
    ]
    return {"lines": items, "subtotal": None, "tax": None, "total": None, **totals}


def test_net_and_tax_must_make_the_total_and_the_message_says_the_figures() -> None:
    assert outcome(check(TOTALS, {"subtotal": 5.0, "tax": 0.5, "total": 5.5})["tax"], "sum") is True
    checks = check(TOTALS, {"subtotal": 5.0, "tax": 0.5, "total": 6.5})
    for name in ("subtotal", "tax", "total"):
        assert outcome(checks[name], "sum") is False
    [failed] = [each for each in checks["total"] if not each.passed]
    assert "5 + 0.5 is not 6.5" in failed.message


def test_amounts_in_texts_add_up_as_well() -> None:
    schema = object_of(subtotal="string", tax="string", total="string")
    checks = check(schema, {"subtotal": "RM 5.00", "tax": "0.50", "total": "RM 5.50"})
    assert outcome(checks["total"], "sum") is True


def test_prices_that_include_the_tax_fail_nothing() -> None:
    assert outcome(check(TOTALS, {"subtotal": 5.5, "tax": 0.5, "total": 5.5})["total"], "sum") is None


def test_shipping_and_discount_may_explain_a_total() -> None:
    schema = object_of(subtotal="number", tax="number", shipping="number", discount="number", total="number")
    value = {"subtotal": 10.0, "tax": 1.0, "shipping": 3.0, "discount": 2.0, "total": 12.0}
    assert outcome(check(schema, value)["total"], "sum") is True


def test_lines_must_make_the_net_amount() -> None:
    right = check(INVOICE, invoice((2, 1.25, 2.5), (1, 2.5, 2.5), subtotal=5.0))
    assert outcome(right["lines[1].amount"], "sum") is True
    wrong = check(INVOICE, invoice((2, 1.25, 2.5), (1, 2.5, 2.5), subtotal=6.0))
    assert outcome(wrong["subtotal"], "sum") is False
    assert outcome(wrong["lines[0].amount"], "sum") is False


def test_quantity_times_price_must_make_the_line_but_for_rounding() -> None:
    checks = check(INVOICE, invoice((3, 0.33, 1.0), (2, 5.0, 11.0)))
    assert outcome(checks["lines[0].amount"], "sum") is True
    assert outcome(checks["lines[1].quantity"], "sum") is False


def test_a_missing_figure_says_nothing() -> None:
    checks = check(INVOICE, invoice((2, 1.25, 2.5), subtotal=None, tax=1.0, total=9.0))
    assert outcome(checks["tax"], "sum") is None


def test_several_lists_together_may_prove_a_sum_but_one_of_them_refutes_nothing() -> None:
    line = {"type": "array", "items": object_of(name="string", amount="number")}
    schema = object_of(materials=line, labor=line, totals=object_of(subtotal="number"))
    value = {
        "materials": [{"name": "a", "amount": 3}],
        "labor": [{"name": "b", "amount": 4}],
        "totals": {"subtotal": 7},
    }
    assert outcome(check(schema, value)["labor[0].amount"], "sum") is True
    value["totals"] = {"subtotal": 8}
    assert outcome(check(schema, value)["labor[0].amount"], "sum") is None


@pytest.mark.parametrize(
    ("first", "second"),
    [("issue_date", "due_date"), ("startDate", "endDate"), ("flight_from", "flight_to"), ("check_in", "check_out")],
)
def test_dates_must_follow_each_other(first: str, second: str) -> None:
    schema = object_of(**{first: "string", second: "string"})
    right = check(schema, {first: "2024-03-01", second: "2024-03-31"})
    assert outcome(right[second], "date_order") is True
    wrong = check(schema, {first: "2024-03-31", second: "2024-03-01"})
    assert outcome(wrong[first], "date_order") is False


def test_dates_that_are_in_order_only_one_way_of_reading_fail_nothing() -> None:
    schema = object_of(start_date="string", end_date="string")
    assert (
        outcome(check(schema, {"start_date": "02/05/2020", "end_date": "03/04/2020"})["end_date"], "date_order") is None
    )


def test_a_schemas_rules_are_listed_with_the_fields_they_involve() -> None:
    schema = {**object_of(a="number", b="number", c="number"), "x-rules": [{"rule": "a < b", "message": "a is small"}]}
    checks = check(schema, {"a": 3, "b": 2, "c": 1})
    assert outcome(checks["a"], "rule") is outcome(checks["b"], "rule") is False
    assert outcome(checks["c"], "rule") is None
    assert "a is small: 3 < 2" in [each.message for each in checks["a"]]
