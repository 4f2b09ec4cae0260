"""Turns an engine's proposal into an extraction result: grounded, checked, scored, and matching the schema."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from docsieve.analysis.proof.checks.extraction import check
from docsieve.analysis.proof.checks.leaf import has_type
from docsieve.analysis.proof.confidence import confidence
from docsieve.analysis.proof.doubts import Doubts, in_general
from docsieve.analysis.proof.grounding.ground import Grounding, ground
from docsieve.domain.extraction import Check, Found, LeafMetadata, Material, Proposal, Result
from docsieve.domain.schemas.fields import Schema, SchemaField, fields_of
from docsieve.domain.schemas.shape import leaves, pattern_of, shaped
from docsieve.values.convert import read_as

_REQUIRED_WEIGHT = 2.0


@dataclass(slots=True)
class Assessed:
    """Everything known about a field before its confidence is computed."""

    found: Found
    grounding: Grounding
    checks: list[Check]


def finish(
    materials: Sequence[Material], schema: Schema, proposal: Proposal, *, engine: str, threshold: float
) -> Result:
    """The result of one extraction.

    A leaf needs review when it is below its threshold (the schema's `x-threshold`, else the given one) or failed a
    check, and nowhere else is that decided. The failed check or a doubt says why. The confidence of the whole is the
    mean over values and over required fields without one, required fields counting twice; with none of either it is 0.
    An optional field that is null does not count.
    """
    fields = {field.pattern: field for field in fields_of(schema)}
    value, assessed = assess(materials, schema, proposal.found)
    doubts = Doubts(materials, schema)
    single = sum(field.group is None for field in fields.values())
    metadata = {}
    for path, leaf in assessed.items():
        field = fields.get(pattern_of(path))
        sure = confidence(engine, leaf.found, leaf.grounding, leaf.checks, field, fields=single)
        wanted = field.threshold if field is not None and field.threshold is not None else threshold
        failed = any(not each.passed for each in leaf.checks)
        named = doubts.about(leaf.found, leaf.grounding, field)
        if sure < wanted and not failed and not named:
            named = [in_general(leaf.found, leaf.grounding)]
        evidence = leaf.grounding.evidence
        metadata[path] = LeafMetadata(
            sure, bool(evidence), evidence, leaf.checks, named, leaf.found.why, needs_review=failed or sure < wanted
        )
    counted = {path: each for path, each in metadata.items() if _counts(fields, path, assessed[path])}
    return Result(value, metadata, _overall(fields, counted), usage=proposal.usage)


def assess(
    materials: Sequence[Material], schema: Schema, given: Mapping[str, Found]
) -> tuple[Any, dict[str, Assessed]]:
    """The value in the schema's shape, and for each field the proposal, its location and its checks."""
    fields = {field.pattern: field for field in fields_of(schema)}
    typed, misfits = _typed(fields, given)
    value = shaped(schema, {path: each.value for path, each in typed.items()})
    paths = [path for path, _ in leaves(value)]
    proposed = {path: typed.get(path, Found(None)) for path in paths}
    groundings = ground(materials, schema, proposed)
    checks = check(schema, value)
    return value, {
        path: Assessed(found, groundings[path], [*misfits.get(path, ()), *checks.get(path, ())])
        for path, found in proposed.items()
    }


def _typed(
    fields: Mapping[str, SchemaField], found: Mapping[str, Found]
) -> tuple[dict[str, Found], dict[str, list[Check]]]:
    """Converts proposals to the schema's types. A value that cannot be converted becomes null with a failed check."""
    typed: dict[str, Found] = {}
    misfits: dict[str, list[Check]] = {}
    for path, each in found.items():
        field = fields.get(pattern_of(path))
        if field is None or each.value is None or has_type(field, each.value):
            typed[path] = each
            continue
        read = read_as(_as_text(each), field)
        typed[path] = replace(each, value=read, score=each.score if read is not None else None)
        if read is None:
            misfits[path] = [
                Check("type", False, f"The engine gave {_as_text(each)[:80]!r}, which is not a valid {field.kind}.")
            ]
    return typed, misfits


def _as_text(found: Found) -> str:
    return {True: "true", False: "false"}[found.value] if isinstance(found.value, bool) else str(found.value)


def _counts(fields: Mapping[str, SchemaField], path: str, leaf: Assessed) -> bool:
    field = fields.get(pattern_of(path))
    misfit = any(not each.passed for each in leaf.checks)
    return leaf.found.value is not None or misfit or (field is not None and field.required)


def _overall(fields: Mapping[str, SchemaField], counted: Mapping[str, LeafMetadata]) -> float:
    weighed = total = 0.0
    for path, each in counted.items():
        field = fields.get(pattern_of(path))
        weight = _REQUIRED_WEIGHT if field is not None and field.required else 1.0
        missing = any(not test.passed and test.name == "required" for test in each.checks)
        weighed += weight * (0.0 if missing else each.confidence)
        total += weight
    return round(weighed / total, 4) if total else 0.0
