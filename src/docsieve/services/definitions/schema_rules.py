"""Validates the rules of a schema: their syntax and the fields they refer to."""

from collections.abc import Iterator

from docsieve.analysis.proof.rules.evaluate import RuleSyntaxError, parse_rule
from docsieve.analysis.proof.rules.syntax import Call, Node, Operation, Path
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.domain.schemas.pointers import pointed
from docsieve.domain.schemas.shape import pattern_of
from docsieve.errors.extractions import SchemaInvalid, SchemaProblem


def check_rules(schema: Schema) -> None:
    """Raise SchemaInvalid with all problems. The schema itself must already be valid."""
    known = _places(schema)
    problems = [
        SchemaProblem(pointed("", "x-rules", index, "rule"), message)
        for index, rule in enumerate(schema.get("x-rules", ()))
        for message in _faults(rule["rule"], known)
    ]
    if problems:
        raise SchemaInvalid(problems)


def _faults(text: str, known: set[str]) -> Iterator[str]:
    try:
        rule = parse_rule(text)
    except RuleSyntaxError as error:
        yield f"invalid rule: {error}"
        return
    for path in _paths(rule.node):
        if pattern_of(path) not in known:
            yield f"unknown field {path[:100]}"


def _paths(node: Node) -> Iterator[str]:
    if isinstance(node, Path):
        yield node.text
    elif isinstance(node, Call | Operation):
        for each in node.arguments if isinstance(node, Call) else node.operands:
            yield from _paths(each)


def _places(schema: Schema) -> set[str]:
    """Fields and their parents: not only `seller.name`, but also `seller`, `lines` and `lines[]`."""
    places = set()
    for field in fields_of(schema):
        parts = field.pattern.replace("[]", ".[]").split(".")
        for count in range(1, len(parts) + 1):
            places.add(".".join(parts[:count]).replace(".[]", "[]"))
    return places
