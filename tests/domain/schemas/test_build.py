"""Schemas made from lists of fields, from examples and from Pydantic models."""

import datetime
from decimal import Decimal
from enum import Enum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from docsieve.domain.schemas.build import from_fields, from_model
from docsieve.domain.schemas.examples import from_example
from docsieve.domain.schemas.fields import fields_of
from docsieve.domain.schemas.shape import conformed
from docsieve.domain.schemas.subset import check_schema
from docsieve.errors.extractions import SchemaInvalid


def _kinds(schema: dict[str, Any]) -> dict[str, str]:
    assert [told for told in check_schema(schema) if "alternatives" not in told] == []
    return {each.pattern: f"{each.kind} {each.format or ''}".strip() for each in fields_of(schema)}


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("", "string"),
        ("text", "string"),
        ("Number", "number"),
        ("int", "integer"),
        ("amount", "number amount"),
        ("money", "number amount"),
        ("percent", "number percent"),
        ("date", "string date"),
        ("datetime", "string date-time"),
        ("time", "string time"),
        ("yes/no", "boolean"),
        ("e-mail", "string email"),
        ("phone", "string phone"),
        ("iban", "string iban"),
        ("url", "string uri"),
        ("currency", "string currency"),
        ("country", "string country"),
    ],
)
def test_a_field_has_the_type_that_people_call_it(said: str, kind: str) -> None:
    assert _kinds(from_fields([{"name": "x", "type": said}])) == {"x": kind}


def test_names_define_the_nesting() -> None:
    schema = from_fields(
        [
            {"name": "seller.name"},
            {"name": "seller", "type": "group", "description": "who sells"},
            {"name": "line_items", "type": "list", "description": "the rows"},
            {"name": "line_items.price", "type": "amount"},
            {"name": "taxes[].rate", "type": "percent"},
            {"name": "due dates", "type": "list of dates"},
            {"name": "codes[]", "type": "integer"},
            {"name": "people", "type": "list", "fields": [{"name": "name"}, {"name": "born", "type": "date"}]},
        ]
    )
    assert _kinds(schema) == {
        "seller.name": "string",
        "line_items[].price": "number amount",
        "taxes[].rate": "number percent",
        "due dates[]": "string date",
        "codes[]": "integer",
        "people[].name": "string",
        "people[].born": "string date",
    }
    assert schema["properties"]["seller"]["description"] == "who sells"
    assert schema["properties"]["line_items"]["description"] == "the rows"


def test_labels_options_and_required_are_kept() -> None:
    schema = from_fields(
        [
            {"name": "kind", "type": "choice", "options": "credit; debit", "required": "yes", "description": "which"},
            {"name": "total", "type": "amount", "labels": ["Total", "Summe"], "required": "no"},
        ]
    )
    kind, total = fields_of(schema)
    assert (kind.enum, kind.required, kind.description) == (("credit", "debit"), True, "which")
    assert (total.labels, total.required) == (("Total", "Summe"), False)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ([], "/: it must be a list of at least one field"),
        ([{"type": "text"}], "/0/name: a name has the form"),
        ([{"name": "a..b"}], "/0/name: a name has the form"),
        ([{"name": "a"}, {"name": "a"}], "/1/name: there is already a field with that name"),
        ([{"name": "a", "type": "moneyy"}], "/0/type: “moneyy” is not a type; use one of string, number"),
        ([{"name": "a", "type": "date"}, {"name": "a.b"}], "/0/type: “date” cannot contain fields"),
        ([{"name": "a", "type": "group"}], "/0/type: a group needs fields inside"),
        ([{"name": "a", "type": "choice"}], "/0/type: a choice needs options"),
        (
            [{"name": "a", "type": "list", "fields": [{"name": "b", "type": "x"}]}],
            "/0/fields/0/type: “x” is not a type",
        ),
    ],
)
def test_what_cannot_be_a_field_is_told_with_its_place(fields: list[Any], reason: str) -> None:
    with pytest.raises(SchemaInvalid) as refused:
        from_fields(fields)
    assert refused.value.detail.startswith(reason)


def test_types_and_formats_are_inferred_from_an_example() -> None:
    example = {
        "number": "RE-1",
        "date": "2024-05-01",
        "seen": "2024-05-01T10:00:00Z",
        "at": "10:30",
        "mail": "a@b.example",
        "page": "https://b.example/x",
        "account": "DE89 3704 0044 0532 0130 00",
        "paid": True,
        "count": 3,
        "seller": {"name": "A", "phone": "+49 30 123456"},
        "lines": [{"price": 1, "note": None}, {"price": 2.5, "code": "x"}],
        "mixed": [1, "one"],
        "nothing": None,
        "none": [],
    }
    assert _kinds(from_example(example)) == {
        "number": "string",
        "date": "string date",
        "seen": "string date-time",
        "at": "string time",
        "mail": "string email",
        "page": "string uri",
        "account": "string iban",
        "paid": "boolean",
        "count": "integer",
        "seller.name": "string",
        "seller.phone": "string phone",
        "lines[].price": "number",
        "lines[].note": "string",
        "lines[].code": "string",
        "mixed[]": "string",
        "nothing": "string",
        "none[]": "string",
    }


def test_an_example_that_is_not_an_object_is_rejected() -> None:
    with pytest.raises(SchemaInvalid, match="an example must be a JSON object"):
        from_example([{"a": 1}])


_NAMES = st.text("abc_ -é", min_size=1, max_size=5).filter(str.strip)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text("aé1-@: "),
    lambda inner: st.dictionaries(_NAMES, inner, min_size=1, max_size=3),
    max_leaves=10,
)


@given(example=st.dictionaries(_NAMES, _VALUES, min_size=1))
def test_an_example_matches_the_schema_built_from_it(example: dict[str, Any]) -> None:
    schema = from_example(example)
    assert check_schema(schema) == []
    assert conformed(schema, example) == example


class Kind(Enum):
    CREDIT = "credit"
    DEBIT = "debit"


class Line(BaseModel):
    price: Decimal | None = None
    quantity: float = Field(gt=0)


class Invoice(BaseModel):
    """What a seller asks for."""

    number: str = Field(description="the number")
    issued: datetime.date | None
    seen: datetime.datetime | None = None
    kind: Kind | None = None
    form: Literal["a", "b"] = "a"
    lines: list[Line]
    first: Line | None = None
    tags: list[str] = []
    paid: bool = False


def test_a_pydantic_model_gives_its_schema() -> None:
    schema = from_model(Invoice)
    warnings = check_schema(schema)
    assert warnings == [
        "/$defs/Line/properties/price/anyOf: of 2 alternatives only the first (number) is used",
        "/$defs/Line/properties/quantity/exclusiveMinimum: exclusiveMinimum is ignored",
    ]
    fields = {each.pattern: each for each in fields_of(schema)}
    assert {name: each.kind for name, each in fields.items()} == {
        "number": "string",
        "issued": "string",
        "seen": "string",
        "kind": "string",
        "form": "string",
        "lines[].price": "number",
        "lines[].quantity": "number",
        "first.price": "number",
        "first.quantity": "number",
        "tags[]": "string",
        "paid": "boolean",
    }
    assert (fields["number"].description, fields["number"].required, fields["number"].nullable) == (
        "the number",
        True,
        False,
    )
    assert (fields["issued"].format, fields["issued"].nullable) == ("date", True)
    assert fields["kind"].enum == ("credit", "debit")
