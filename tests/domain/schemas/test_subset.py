"""Which schemas pass, and what those are told that do not."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.domain.schemas.bounds import MAX_LEAVES, MAX_LEVELS
from docsieve.domain.schemas.fields import fields_of
from docsieve.domain.schemas.shape import leaves, shaped
from docsieve.domain.schemas.subset import check_schema
from docsieve.errors.extractions import SchemaInvalid


def _with(part: Any, name: str = "x") -> dict[str, Any]:
    return {"type": "object", "properties": {name: part}}


def _refusal(schema: Any) -> str:
    with pytest.raises(SchemaInvalid) as refused:
        check_schema(schema)
    assert (refused.value.status, refused.value.code) == (422, "schema_invalid")
    return refused.value.detail


PASSING: dict[str, Any] = {
    "all types": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "format": "date", "x-labels": ["Date", "Datum"], "x-threshold": 0.9},
            "number": {"type": "number", "format": "amount", "minimum": 0, "maximum": 10},
            "whole": {"type": "integer"},
            "flag": {"type": "boolean"},
            "choice": {"type": "string", "enum": ["a", "b"]},
            "fixed": {"type": "integer", "const": 3},
            "list": {"type": "array", "items": {"type": "string"}, "minItems": 0},
            "inner": {"type": "object", "properties": {"leaf": {"type": "string", "pattern": "^[a-z]+$"}}},
        },
        "required": ["text"],
        "x-rules": [{"rule": "number <= 10", "message": "Too much.", "tolerance": 0.01}],
    },
    "null by a list of types": _with({"type": ["string", "null"]}),
    "null by anyOf": _with({"anyOf": [{"type": "number"}, {"type": "null"}]}),
    "null by nullable": _with({"type": "string", "nullable": True}),
    "null in an enum": _with({"type": ["string", "null"], "enum": ["a", None]}),
    "a definition": {**_with({"$ref": "#/$defs/money"}), "$defs": {"money": {"type": "number", "format": "amount"}}},
    "a definition by its old name": {
        **_with({"$ref": "#/definitions/a~1b"}),
        "definitions": {"a/b": {"type": "number"}},
    },
    "a definition used twice": {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/p"}, "b": {"type": "array", "items": {"$ref": "#/$defs/p"}}},
        "$defs": {"p": {"type": "object", "properties": {"name": {"type": "string"}}}},
    },
    "a root by reference": {"$ref": "#/$defs/p", "$defs": {"p": _with({"type": "string"})}},
    "a single allOf": {
        **_with({"allOf": [{"$ref": "#/$defs/p"}], "description": "d"}),
        "$defs": {"p": {"type": "number"}},
    },
    "lists in lists": _with({"type": "array", "items": {"type": "array", "items": {"type": "number"}}}),
    "a name with spaces": _with({"type": "string"}, name="Receipt No #"),
}


@pytest.mark.parametrize("schema", PASSING.values(), ids=PASSING.keys())
def test_what_the_subset_has_passes_without_a_word(schema: dict[str, Any]) -> None:
    assert check_schema(schema) == []
    assert fields_of(schema)


WARNED: dict[str, tuple[Any, str]] = {
    "a keyword that is not used": (
        _with({"type": "string", "x-color": 1}),
        "/properties/x/x-color: x-color is ignored",
    ),
    "a format that is not known": (
        _with({"type": "string", "format": "isbn"}),
        "/properties/x/format: “isbn” is ignored",
    ),
    "several alternatives": (
        _with({"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        "/properties/x/anyOf: of 2 alternatives only the first (integer) is used",
    ),
    "several types": (
        _with({"type": ["number", "string", "null"]}),
        "/properties/x/type: of several types only the first, number, is used",
    ),
    "no type": (_with({"description": "anything"}), "/properties/x: it has no type and is treated as text"),
    "an object of anything": (
        {
            "type": "object",
            "properties": {"x": {"type": "object", "additionalProperties": True}, "y": {"type": "string"}},
        },
        "/properties/x: an object without properties stays empty",
    ),
}


@pytest.mark.parametrize(("schema", "warning"), WARNED.values(), ids=WARNED.keys())
def test_ignored_parts_are_reported_with_their_location(schema: dict[str, Any], warning: str) -> None:
    assert [told for told in check_schema(schema) if told.startswith(warning)]


def test_a_keyword_that_is_ignored_often_is_told_once() -> None:
    schema = {"type": "object", "properties": {name: {"type": "string", "color": "red"} for name in "abc"}}
    assert check_schema(schema) == ["/properties/a/color: color is ignored (3 times)"]


REFUSED: dict[str, tuple[Any, str]] = {
    "no object": ([], "/: a schema must be a JSON object"),
    "a list at the root": ({"type": "array", "items": {"type": "string"}}, "/: the root must be an object"),
    "nothing": ({}, "/: the root must be an object"),
    "a wrapper": (
        {"name": "n", "schema_definition": _with({})},
        "/: this is not the schema of an object; is",
    ),
    "no field": ({"type": "object", "properties": {}}, "/: it has no fields"),
    "a type that is none": (_with({"type": "money"}), "/properties/x/type: “money” is not a type"),
    "null alone": (_with({"type": "null"}), "/properties/x/type: null cannot be the only type"),
    "only null in anyOf": (
        _with({"anyOf": [{"type": "null"}]}),
        "/properties/x/anyOf: null cannot be the only alternative",
    ),
    "a list of nothing": (_with({"type": "array"}), "/properties/x: a list needs items"),
    "a tuple": (
        _with({"type": "array", "items": [{"type": "string"}]}),
        "/properties/x/items: all items of a list must",
    ),
    "a part that is no schema": (_with(True), "/properties/x: it must be a schema"),
    "a dot in a name": (_with({"type": "string"}, name="a.b"), "/properties/a.b: a property name must not contain"),
    "brackets in a name": (
        _with({"type": "string"}, name="a[0]"),
        "/properties/a[0]: a property name must not contain",
    ),
    "a slash in a name is escaped": (_with({"type": "no"}, name="a/b~"), "/properties/a~1b~0/type: "),
    "no name": (_with({"type": "string"}, name=" "), "/properties/ : a property name must have 1 to 100 characters"),
    "an empty enum": (_with({"type": "string", "enum": []}), "/properties/x/enum: it must be a list of at least one"),
    "an enum of another type": (
        _with({"type": "string", "enum": ["a", 3]}),
        "/properties/x/enum/1: it is not of type string",
    ),
    "an enum of numbers without a type": (
        _with({"enum": [1]}),
        "/properties/x/enum/0: it is not of type string; give its type",
    ),
    "true among numbers": (
        _with({"type": "integer", "enum": [True]}),
        "/properties/x/enum/0: it is not of type integer",
    ),
    "required but not there": ({**_with({"type": "string"}), "required": ["y"]}, "/required/0: there is no property"),
    "a pattern that is none": (
        _with({"type": "string", "pattern": "("}),
        "/properties/x/pattern: invalid regular expression",
    ),
    "a pattern as deep as the stack": (_with({"type": "string", "pattern": "(" * 499}), "/properties/x/pattern: "),
    "more than the most": (
        _with({"type": "number", "minimum": 2, "maximum": 1}),
        "/properties/x/minimum: it is greater",
    ),
    "a threshold of percent": (_with({"type": "string", "x-threshold": 80}), "/properties/x/x-threshold: it must be"),
    "labels as text": (_with({"type": "string", "x-labels": "Total"}), "/properties/x/x-labels: it must be a list"),
    "an empty label": (_with({"type": "string", "x-labels": [""]}), "/properties/x/x-labels/0: a label must be text"),
    "a description that is none": (
        _with({"type": "string", "description": 3}),
        "/properties/x/description: it must be text",
    ),
    "a rule without a rule": ({**_with({"type": "number"}), "x-rules": [{}]}, "/x-rules/0: a rule must have the form"),
    "a rule with more": (
        {**_with({"type": "number"}), "x-rules": [{"rule": "x > 0", "level": 1}]},
        "/x-rules/0/level: a rule may contain only",
    ),
    "rules inside": (
        _with({**_with({"type": "string"}), "x-rules": []}),
        "/properties/x/x-rules: rules must be at the root",
    ),
    "several allOf": (
        _with({"allOf": [{"type": "string"}, {}]}),
        "/properties/x/allOf: merge the parts into one schema",
    ),
    "a reference to elsewhere": (_with({"$ref": "https://a.b/c"}), "/properties/x/$ref: only references within"),
    "a reference to nothing": (_with({"$ref": "#/$defs/no"}), "/properties/x/$ref: #/$defs/no does not exist"),
    "a reference to itself": (_with({"$ref": "#"}), "/properties/x/$ref: circular reference"),
    "a list of itself": (
        {**_with({"$ref": "#/$defs/n"}), "$defs": {"n": _with({"type": "array", "items": {"$ref": "#/$defs/n"}})}},
        "/$defs/n/properties/x/items/$ref: circular reference",
    ),
    "a character that cannot be stored": (
        _with({"type": "string", "title": "a\x00b"}),
        "/: the schema must not contain",
    ),
    "half a character": (_with({"type": "string"}, name="\ud800"), "/: the schema must be JSON of valid Unicode"),
    "no number at all": (_with({"type": "number", "minimum": float("nan")}), "/: the schema must be JSON of valid"),
}


@pytest.mark.parametrize(("schema", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_problems_are_reported_with_their_location(schema: Any, reason: str) -> None:
    assert _refusal(schema).startswith(reason)


def test_every_problem_is_told_at_once() -> None:
    schema = {
        "type": "object",
        "description": 3,
        "properties": {"a.b": {"type": "string"}, "c": {"type": "money"}, "d": {"type": "array"}},
        "required": ["e"],
    }
    told = _refusal(schema).split("; /")
    assert [each.partition(":")[0].lstrip("/") for each in told] == [
        "description",
        "properties/a.b",
        "properties/c/type",
        "properties/d",
        "required/0",
    ]


def test_a_problem_in_a_definition_is_reported_once_at_its_location() -> None:
    parts = {name: {"$ref": "#/$defs/line"} for name in "abc"}
    schema = {"type": "object", "properties": parts, "$defs": {"line": _with({"type": "nothing"})}}
    assert _refusal(schema).startswith("/$defs/line/properties/x/type: ")
    assert _refusal(schema).count("is not a type") == 1


def test_many_problems_are_counted_after_the_first_twenty() -> None:
    schema = {"type": "object", "properties": {f"p{number}": {"type": "no"} for number in range(50)}}
    assert _refusal(schema).endswith("; and 30 more problems")


def test_a_schema_has_a_bounded_number_of_fields() -> None:
    most = {"type": "object", "properties": {f"p{number}": {"type": "string"} for number in range(MAX_LEAVES)}}
    assert check_schema(most) == []
    most["properties"]["another"] = {"type": "string"}  # type: ignore[index]
    assert _refusal(most) == "/: it has more than 2,000 fields"


def test_a_schema_has_a_bounded_depth() -> None:
    def nested(levels: int) -> dict[str, Any]:
        schema: dict[str, Any] = {"type": "string"}
        for _ in range(levels - 1):
            schema = _with(schema)
        return schema

    assert check_schema(nested(MAX_LEVELS)) == []
    assert f"deeper than {MAX_LEVELS} levels" in _refusal(nested(MAX_LEVELS + 1))
    assert "nested deeper than 100 levels" in _refusal(nested(100_000))


def test_a_schema_has_a_bounded_size() -> None:
    big = _with({"type": "string", "examples": ["x" * 300_000]})
    assert "at most 262,144 are allowed" in _refusal(big)


def test_references_that_expand_to_millions_of_objects_are_rejected_quickly() -> None:
    """Each of the twelve definitions names the next one ten times, and the last one has no field to count."""
    names = [f"d{number}" for number in range(12)]
    definitions: dict[str, Any] = {
        name: {"type": "object", "properties": {f"p{place}": {"$ref": f"#/$defs/{following}"} for place in range(10)}}
        for name, following in zip(names, [*names[1:], "end"], strict=True)
    }
    definitions["end"] = {"type": "object", "properties": {}}
    told = _refusal({"$ref": "#/$defs/d0", "$defs": definitions})
    assert told == "/: its references expand to more than 10,000 parts"


def test_patterns_that_take_long_to_read_are_refused_unread() -> None:
    wide = {f"p{number}": {"type": "string", "pattern": "[Ā-\uffff]" * 80} for number in range(200)}
    assert _refusal({"type": "object", "properties": wide}) == "/: its patterns are too many, too long or too complex"
    plain = {f"p{number}": {"type": "string", "pattern": "^[A-Z]{2}[0-9]{4}$"} for number in range(1_000)}
    assert check_schema({"type": "object", "properties": plain}) == []


def test_a_definition_is_read_once_however_often_it_is_used() -> None:
    """Its pattern is as long as may be; two of them would be too long."""
    parts = {f"p{number}": {"$ref": "#/$defs/e"} for number in range(100)}
    wide = {"type": "string", "pattern": "[Ā-\uffff]" * 40}
    assert check_schema({"type": "object", "properties": parts, "$defs": {"e": wide}}) == []
    twice = {"type": "object", "properties": {"a": wide, "b": wide}}
    assert "its patterns are too many" in _refusal(twice)


_NAMES = st.sampled_from(["a", "b", "total", "x y", "a.b"])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
_REFS = st.sampled_from(["#/$defs/a", "#/$defs/b", "#/$defs/none", "#", "elsewhere"])


def _parts(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("object"), "properties": st.dictionaries(_NAMES, inner, max_size=3)}),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.builds(lambda key, options: {key: options}, st.sampled_from(["anyOf", "oneOf", "allOf"]), st.lists(inner)),
        st.builds(lambda ref, rest: {"$ref": ref, **(rest if isinstance(rest, dict) else {})}, _REFS, inner),
        inner,
    )


_KEYWORDS = st.dictionaries(
    st.sampled_from(["type", "enum", "format", "items", "required", "properties", "nullable", "const", "x-labels"]),
    _JSON,
    max_size=3,
)
_LEAVES = st.sampled_from(
    [{"type": "string"}, {"type": "number"}, {"type": "null"}, {"enum": ["a", None]}, {"type": ["boolean", "null"]}]
)
_SCHEMAS = st.recursive(_LEAVES | _KEYWORDS | _JSON, _parts, max_leaves=6)


@given(
    schema=st.fixed_dictionaries(
        {
            "type": st.just("object"),
            "properties": st.dictionaries(_NAMES, _SCHEMAS, min_size=1, max_size=3),
            "$defs": st.fixed_dictionaries({"a": _SCHEMAS, "b": _SCHEMAS}),
        }
    )
)
def test_whatever_passes_has_fields_and_a_shape_and_nothing_else_than_a_refusal_comes_of_the_rest(
    schema: dict[str, Any],
) -> None:
    try:
        check_schema(schema)
    except SchemaInvalid as refused:
        json.dumps(refused.detail).encode()
        return
    fields = fields_of(schema)
    empty = shaped(schema, {})
    assert {path for path, _ in leaves(empty)} == {each.pattern for each in fields if each.group is None}


@given(given=_JSON)
def test_an_invalid_schema_only_raises_schema_invalid(given: Any) -> None:
    with pytest.raises(SchemaInvalid):
        check_schema(given)
