"""The engine `cascade`: keeps the values that the local engine is sure of, and asks a model for the rest."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from docsieve.domain.doubts import sentence
from docsieve.domain.extraction import DEFAULT_ENGINE, Evidence, Found, FoundDoubt, Proposal, Result, Spot
from docsieve.domain.schemas.fields import (
    ITEM,
    Scalar,
    Schema,
    SchemaField,
    fields_of,
    path_text,
    resolved,
    type_of,
)
from docsieve.domain.schemas.shape import leaves, pattern_of
from docsieve.engines.port import EngineDescription
from docsieve.values.normal import normalized

CASCADE_ENGINE = EngineDescription(
    name="cascade",
    version="1",
    title="Built in first, then a language model",
    description="The model is asked only for the fields that the built-in engine is unsure of.",
    needs="model",
    lessons_of=DEFAULT_ENGINE,
)

_WEAK_ROWS = 0.1
"""A table with more than this share of weak values in one of its columns is asked for as a whole."""

_USUAL_SCORE = 0.7  # of an engine that does not say how sure it is


def weak_patterns(schema: Schema, result: Result) -> list[str]:
    """The fields to ask a stronger engine for, in the schema's order: those that need review or have no value.

    An empty field is asked for however sure the local engine is of it: a model knows more words for it. Of an array all
    fields or none: rows of two engines cannot be put side by side by column.
    """
    weak_leaves: dict[str, list[bool]] = {}
    for path, value in leaves(result.value):
        weak_leaves.setdefault(pattern_of(path), []).append(value is None or result.metadata[path].needs_review)
    weak_arrays: set[tuple[str, ...]] = set()
    weak: set[str] = set()
    for field in fields_of(schema):
        known = weak_leaves.get(field.pattern, [])
        doubted = sum(known)
        if ITEM in field.path:
            if not known or doubted > _WEAK_ROWS * len(known):
                weak_arrays.add(_array(field))
        elif doubted or not known:
            weak.add(field.pattern)
    return [
        field.pattern
        for field in fields_of(schema)
        if field.pattern in weak or (ITEM in field.path and _array(field) in weak_arrays)
    ]


def sub_schema(schema: Schema, patterns: Collection[str]) -> Schema:
    """The schema with these leaves only; rules, which may speak of others, are left out."""
    pruned = _pruned(resolved(schema, schema), schema, (), frozenset(patterns))
    return pruned if pruned is not None else {"type": "object", "properties": {}}


def combined(
    schema: Schema, local: Result, stronger: Proposal, asked: Collection[str], document_ids: Sequence[str]
) -> Proposal:
    """Leaf by leaf: where both say the same we are surer, where they differ the stronger is believed, and where it
    found nothing the local value stays as unsure as it was."""
    fields = {field.pattern: field for field in fields_of(schema)}
    found = dict(_found(local, document_ids))
    said_by_path = {path: said for path, said in stronger.found.items() if pattern_of(path) in fields}
    answered = {_array(field) for path in said_by_path if ITEM in (field := fields[pattern_of(path)]).path}
    for path in list(found):
        field = fields[pattern_of(path)]
        if ITEM in field.path and field.pattern in asked and _array(field) in answered and path not in said_by_path:
            del found[path]
    for path, said in said_by_path.items():
        field = fields[pattern_of(path)]
        if field.pattern in asked and said.value is not None:
            found[path] = _agreed(found.get(path), said, field)
    return Proposal(found, replace(local.usage + stronger.usage, pages=local.usage.pages))


def _found(result: Result, document_ids: Sequence[str]) -> Iterator[tuple[str, Found]]:
    """What the local engine found, its confidence as its score and its evidence as the place."""
    numbers = {document: number for number, document in enumerate(document_ids)}

    def spots(evidence: Sequence[Evidence]) -> list[Spot]:
        known = (each for each in evidence if each.document_id in numbers)
        return [Spot(each.page, each.box, each.text, numbers[each.document_id]) for each in known]

    for path, value in leaves(result.value):
        known = result.metadata[path]
        doubts = [FoundDoubt(each.code, each.message, each.other, spots(each.evidence)) for each in known.doubts]
        yield path, Found(value, known.confidence, spots(known.evidence), known.why, doubts)


def _agreed(local: Found | None, said: Found, field: SchemaField) -> Found:
    if local is None or local.value is None:
        return said
    if not _same(local.value, said.value, field):
        why = f"{said.why or 'the stronger engine says so'}, local differs"
        return Found(said.value, said.score, said.spots, why, [*said.doubts, _differing(said, local)])
    doubt = (1.0 - (local.score or 0.0)) * (1.0 - (said.score if said.score is not None else _USUAL_SCORE))
    return Found(said.value, round(1.0 - doubt, 4), local.spots or said.spots, "two engines say the same")


def _differing(said: Found, local: Found) -> FoundDoubt:
    message = sentence("ways_disagree", value=said.value, other=local.value)
    return FoundDoubt(
        "ways_disagree", message, " ".join(each.text for each in local.spots) or str(local.value), local.spots
    )


def _same(one: Scalar, other: Scalar, field: SchemaField) -> bool:
    return normalized(one, field) == normalized(other, field)


def _array(field: SchemaField) -> tuple[str, ...]:
    """The outermost array that contains the field."""
    return field.path[: field.path.index(ITEM)]


def _pruned(part: Schema, root: Schema, path: tuple[str, ...], patterns: frozenset[str]) -> Schema | None:
    kind = type_of(part)
    if kind == "object":
        kept: dict[str, Any] = {}
        for name, each in part.get("properties", {}).items():
            inner = _pruned(resolved(each, root), root, (*path, name), patterns)
            if inner is not None:
                kept[name] = inner
        if not kept:
            return None
        required = [name for name in part.get("required", ()) if name in kept]
        return {**_own(part), "properties": kept, **({"required": required} if required else {})}
    if kind == "array":
        items = _pruned(resolved(part["items"], root), root, (*path, ITEM), patterns)
        return {**_own(part), "items": items} if items is not None else None
    return dict(part) if path_text(path) in patterns else None


def _own(part: Mapping[str, Any]) -> Schema:
    return {
        name: value
        for name, value in part.items()
        if name not in ("properties", "items", "required", "$defs", "definitions", "x-rules")
    }
