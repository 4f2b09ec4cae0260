"""Checks an extraction's values without looking at the pages."""

from collections.abc import Iterable
from typing import Any

from docsieve.analysis.proof.checks.dates import date_checks
from docsieve.analysis.proof.checks.leaf import leaf_checks, leaf_parts
from docsieve.analysis.proof.checks.sums import sum_checks
from docsieve.analysis.proof.rules.evaluate import RuleSyntaxError, evaluate, parse_rule
from docsieve.domain.extraction import Check
from docsieve.domain.schemas.fields import Schema, fields_of
from docsieve.domain.schemas.shape import leaves, pattern_of

_TOLERANCE = 0.01
_LONGEST_MESSAGE = 300


def check(schema: Schema, value: Any) -> dict[str, list[Check]]:
    """The checks of each field, by path. A sum, date order or rule is listed with every field it involves."""
    fields = {field.pattern: field for field in fields_of(schema)}
    parts = leaf_parts(schema)
    checks: dict[str, list[Check]] = {}
    for path, each in leaves(value):
        pattern = pattern_of(path)
        field = fields.get(pattern)
        checks[path] = leaf_checks(field, parts[pattern], each) if field is not None else []
    for paths, found in (*sum_checks(value), *date_checks(value), *_rule_checks(schema, value)):
        for path in paths:
            checks.setdefault(path, []).append(found)
    return checks


def _rule_checks(schema: Schema, value: Any) -> Iterable[tuple[list[str], Check]]:
    for stated in schema.get("x-rules", ()):
        said: dict[str, Any] = {"rule": stated} if isinstance(stated, str) else stated
        try:
            rule = parse_rule(said["rule"])
        except RuleSyntaxError:
            continue  # New schemas with an invalid rule are rejected; an old schema still works without the rule.
        for outcome in evaluate(rule, value, tolerance=said.get("tolerance", _TOLERANCE)):
            message = "" if outcome.passed else f"{said.get('message') or rule.text}: {outcome.figures}"
            yield list(outcome.leaves), Check("rule", outcome.passed, message[:_LONGEST_MESSAGE])
