"""Answers of models in the schema's shape."""

from typing import Any

import pytest

from docsieve.engines.llm.conformance import conform

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "number": {"type": "string"},
        "day": {"type": "string", "format": "date"},
        "total": {"type": ["number", "null"]},
        "count": {"type": "integer"},
        "paid": {"type": "boolean"},
        "currency": {"enum": ["EUR", "USD"]},
        "seller": {"type": "object", "properties": {"name": {"type": "string"}}},
        "rows": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
}


def test_a_right_answer_is_taken_as_it_is_and_gets_exactly_the_shape() -> None:
    answer = {"number": "A-1", "total": 12.5, "paid": False, "rows": [{"price": 3}], "invented": {"x": 1}}
    value, faults = conform(SCHEMA, answer)
    assert faults == []
    assert value == {
        "number": "A-1",
        "day": None,
        "total": 12.5,
        "count": None,
        "paid": False,
        "currency": None,
        "seller": {"name": None},
        "rows": [{"price": 3}],
        "tags": [],
    }


@pytest.mark.parametrize(
    ("field", "said", "meant"),
    [
        ("total", "12.50", 12.5),
        ("total", "1.234,50 €", 1234.5),
        ("total", "$ 1,234.50", 1234.5),
        ("total", "-3", -3),
        ("total", "19 %", 19),
        ("count", 3.0, 3),
        ("count", "3", 3),
        ("paid", "True", True),
        ("currency", "eur", "EUR"),
        ("number", 42, "42"),
        ("number", 42.0, "42"),
        ("number", "  two\n lines ", "two lines"),
        ("number", "", None),
        ("day", "2026-01-31", "2026-01-31"),
        ("day", "2026-01-31T10:00:00Z", "2026-01-31"),
        ("day", "31.01.2026", "2026-01-31"),
        ("day", "January 31, 2026", "2026-01-31"),
        ("seller", None, {"name": None}),
        ("rows", {"price": 1}, [{"price": 1}]),
        ("rows", None, []),
    ],
)
def test_what_loses_nothing_is_put_right(field: str, said: Any, meant: Any) -> None:
    value, faults = conform(SCHEMA, {field: said})
    assert faults == []
    assert value[field] == meant
    assert type(value[field]) is type(meant)


@pytest.mark.parametrize(
    ("answer", "where", "grave"),
    [
        ([], "/", True),
        ("text", "/", True),
        ({"total": "about twelve"}, "/total", False),
        ({"total": "1.234"}, "/total", False),
        ({"total": True}, "/total", True),
        ({"total": float("nan")}, "/total", False),
        ({"count": 2.5}, "/count", False),
        ({"paid": 1}, "/paid", True),
        ({"currency": "GBP"}, "/currency", False),
        ({"day": "03/04/2026"}, "/day", False),
        ({"day": "soon"}, "/day", False),
        ({"number": ["a"]}, "/number", True),
        ({"number": True}, "/number", True),
        ({"seller": "ACME"}, "/seller", True),
        ({"rows": "none"}, "/rows", True),
        ({"rows": [{"price": {}}]}, "/rows/0/price", True),
        ({"rows": [3]}, "/rows/0", True),
    ],
)
def test_what_is_wrong_is_named_by_its_place_and_becomes_null(answer: Any, where: str, grave: bool) -> None:
    value, faults = conform(SCHEMA, answer)
    assert [(fault.where, fault.grave) for fault in faults] == [(where, grave)]
    assert value.keys() == SCHEMA["properties"].keys()


def test_faults_are_named_in_a_bounded_number() -> None:
    _, faults = conform(SCHEMA, {"rows": [{"price": "x"}] * 10_000})
    assert len(faults) == 20
