"""Text as the value a field wants, and values made comparable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.domain.schemas.fields import Scalar, SchemaField
from docsieve.values.convert import read_as
from docsieve.values.normal import normalized


def field(kind: str = "string", format: str | None = None, enum: tuple[Scalar, ...] | None = None) -> SchemaField:
    return SchemaField(("x",), kind, format, enum)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        ("  ACME   Ltd\n", field(), "ACME Ltd"),
        ("Date: 03/05/2018", field(format="date"), "2018-05-03"),
        ("03.05.2018 14:05", field(format="date-time"), "2018-05-03T14:05:00"),
        ("8:01 PM", field(format="time"), "20:01"),
        ("17:42", field(format="time"), "17:42"),
        ("17:42:00", field(format="time"), "17:42:00"),
        ("14/03/2026 at 17.42 h", field(format="time"), "17:42"),
        ("5 pm", field(format="time"), "17:00"),
        ("Total RM 8.60", field("number"), 8.6),
        ("1.234,56 €", field("number", "amount"), 1234.56),
        ("450", field("number"), 450),
        ("12 pcs", field("integer"), 12),
        ("2.5", field("integer"), None),
        ("19 % MwSt.", field("number", "percent"), 19),
        ("19 %", field(format="percent"), "19"),
        ("1.234,50", field(format="amount"), "1234.5"),
        ("☒", field("boolean"), True),
        ("LLC.", field(enum=("Individual", "LLC")), "LLC"),
        ("☐", field(enum=("selected", "unselected")), "unselected"),
        ("something", field(enum=("a", "b")), None),
        ("US$", field(format="currency"), "USD"),
        ("IBAN DE89 3704 0044 0532 0130 00", field(format="iban"), "DE89370400440532013000"),
        ("DE00 3704 0044 0532 0130 00", field(format="iban"), None),
        ("mail: a@b.de", field(format="email"), "a@b.de"),
        ("no date here", field(format="date"), None),
        ("1.00 or 2.00", field("number"), None),
        ("", field(), None),
    ],
)
def test_text_becomes_what_the_field_wants_or_nothing(text: str, wanted: SchemaField, expected: Scalar) -> None:
    assert read_as(text, wanted) == expected


def test_the_order_of_day_and_month_and_the_decimal_mark_are_the_documents() -> None:
    assert read_as("03/05/2018", field(format="date"), day_first=False) == "2018-03-05"
    assert read_as("1.234", field("number"), decimal=",") == 1234
    assert read_as("1.234", field("number"), decimal=".") == 1.234


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("RM 8.60", "8.6"),
        ("$1,234.00", 1234),
        ("JEFFREY  SITES.", "jeffrey sites"),
        ("03/05/2018", "2018-05-03"),
        ("Straße “A”", "strasse “a"),
        (4.0, "4.00"),
        (True, "true"),
        (None, ""),
    ],
)
def test_two_ways_to_write_the_same_are_equal(one: Scalar, other: Scalar) -> None:
    assert normalized(one) == normalized(other)


def test_zeros_of_an_identifier_count() -> None:
    assert normalized("0012") != normalized("12")


def test_a_number_field_compares_numbers_and_a_phone_field_digits() -> None:
    assert normalized("0012", field("number")) == normalized("12", field("number"))
    assert normalized("+49 (89) 123-45", field(format="phone")) == normalized("0049 8912345", field(format="phone"))


@given(st.text(max_size=200), st.sampled_from(["string", "number", "integer", "boolean"]))
def test_any_text_reads_as_its_kind_or_none(text: str, kind: str) -> None:
    value = read_as(text, field(kind))
    kinds = {"string": str, "number": int | float, "integer": int, "boolean": bool}
    assert value is None or isinstance(value, kinds[kind])
    assert normalized(normalized(text)) is not None
