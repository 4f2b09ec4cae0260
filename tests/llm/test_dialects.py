"""Our schemas in the words of each provider."""

from typing import Any

import pytest

from docsieve.llm.dialects import ANTHROPIC, GEMINI, GRAMMAR, OPEN, STRICT, Dialect, fits_strict, translated
from docsieve.llm.port import Schema

INVOICE: Schema = {
    "type": "object",
    "title": "Invoice",
    "x-rules": [{"rule": "total > 0"}],
    "$defs": {
        "money": {"type": "number", "format": "amount", "minimum": 0},
        "line": {
            "type": "object",
            "properties": {"price": {"$ref": "#/$defs/money"}, "text": {"type": "string", "maxLength": 80}},
            "required": ["price"],
        },
    },
    "properties": {
        "number": {"type": "string", "pattern": "^R[0-9]+$", "description": "of the invoice", "x-labels": ["No."]},
        "date": {"type": ["string", "null"], "format": "date", "default": None},
        "total": {"$ref": "#/$defs/money", "description": "with tax", "x-threshold": 0.9},
        "status": {"enum": ["open", "paid"], "description": "how far it is"},
        "kind": {"const": "invoice"},
        "tax": {"anyOf": [{"$ref": "#/$defs/money"}, {"type": "null"}], "description": "VAT"},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}, "minItems": 1},
        "mail": {"type": "string", "format": "email"},
        "bank": {"type": "string", "format": "iban"},
    },
    "required": ["number", "total", "lines", "tax"],
    "additionalProperties": {"type": "string"},
}
DIALECTS = {"strict": STRICT, "gemini": GEMINI, "anthropic": ANTHROPIC, "open": OPEN, "grammar": GRAMMAR}


def parts(schema: Any) -> list[dict[str, Any]]:
    """All parts of the schema, without the names of properties."""
    if isinstance(schema, list):
        return [each for part in schema for each in parts(part)]
    if not isinstance(schema, dict):
        return []
    inner = {**schema, "properties": list(schema.get("properties", {}).values())}
    return [schema, *(each for value in inner.values() for each in parts(value))]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_no_dialect_holds_references_defaults_or_words_of_ours(dialect: Dialect) -> None:
    words = {word for part in parts(translated(INVOICE, dialect)) for word in part}
    assert not {"$ref", "$defs", "default", "const", "nullable"} & words
    assert not [word for word in words if word.startswith("x-")]


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_every_object_is_closed_and_names_its_properties(dialect: Dialect) -> None:
    objects = [
        part for part in parts(translated(INVOICE, dialect)) if part.get("type") in ("object", ["object", "null"])
    ]
    assert len(objects) == 2
    assert all(part["additionalProperties"] is False for part in objects)


@pytest.mark.parametrize("dialect", [STRICT, OPEN, GRAMMAR], ids=["strict", "open", "grammar"])
def test_optional_properties_become_required_and_nullable(dialect: Dialect) -> None:
    written = translated(INVOICE, dialect)
    assert written["required"] == list(INVOICE["properties"])
    assert written["properties"]["lines"]["type"] == "array"
    assert written["properties"]["mail"]["type"] == ["string", "null"]
    assert written["properties"]["status"]["enum"] == ["open", "paid", None]
    assert written["properties"]["kind"] == {"type": ["string", "null"], "enum": ["invoice", None]}


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_no_model_is_made_to_invent_a_value_that_is_required(dialect: Dialect) -> None:
    written = translated(INVOICE, dialect)
    for name in ("number", "total", "status", "kind", "tax"):
        said = written["properties"][name]
        assert name not in written["required"] or "null" in str(said.get("type", said.get("anyOf")))


def test_strict_keeps_the_bounds_it_knows_and_drops_the_rest() -> None:
    fields = translated(INVOICE, STRICT)["properties"]
    assert fields["number"] == {"type": ["string", "null"], "description": "of the invoice", "pattern": "^R[0-9]+$"}
    assert fields["total"] == {"type": ["number", "null"], "description": "with tax", "minimum": 0}
    assert fields["tax"] == {"type": ["number", "null"], "description": "VAT", "minimum": 0}
    assert fields["lines"]["minItems"] == 1
    assert "maxLength" not in fields["lines"]["items"]["properties"]["text"]
    assert (fields["date"]["format"], fields["mail"]["format"]) == ("date", "email")
    assert "format" not in fields["bank"]


def test_gemini_has_no_patterns_and_puts_null_next_to_an_enum() -> None:
    fields = translated(INVOICE, GEMINI)
    assert "pattern" not in fields["properties"]["number"]
    assert fields["properties"]["status"] == {
        "anyOf": [{"type": "string", "enum": ["open", "paid"]}, {"type": "null"}],
        "description": "how far it is",
    }
    assert fields["required"] == ["number", "total", "tax", "lines"]


def test_anthropic_leaves_out_what_would_be_null() -> None:
    written = translated(INVOICE, ANTHROPIC)
    assert written["required"] == ["lines"]
    assert written["properties"]["tax"] == {"type": "number", "description": "VAT"}
    assert written["properties"]["date"] == {"type": "string", "format": "date"}
    assert not {"minimum", "pattern", "minItems"} & {word for part in parts(written) for word in part}


def test_a_grammar_has_no_bounds_that_make_it_fail() -> None:
    words = {word for part in parts(translated(INVOICE, GRAMMAR)) for word in part}
    assert not {"pattern", "minimum", "maxLength"} & words


def test_the_schema_that_was_given_is_left_as_it_is() -> None:
    before = repr(INVOICE)
    for dialect in DIALECTS.values():
        translated(INVOICE, dialect)
    assert repr(INVOICE) == before


@pytest.mark.parametrize(
    ("schema", "fits"),
    [
        (INVOICE, True),
        ({"type": "object", "properties": {"a": {"enum": [str(n) for n in range(999)]}}}, True),
        ({"type": "object", "properties": {"a": {"enum": [str(n) for n in range(1_001)]}}}, False),
        ({"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(5_001)}}, False),
        ({"type": "object", "properties": {"x" * 120_001: {"type": "string"}}}, False),
    ],
    ids=["invoice", "members", "many members", "many properties", "long names"],
)
def test_strict_output_has_limits(schema: Schema, fits: bool) -> None:
    assert fits_strict(translated(schema, STRICT)) is fits
