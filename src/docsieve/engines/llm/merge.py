"""Answers about the parts of long documents as one: rows one after another, and of two values the better proven one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from docsieve.domain.doubts import sentence
from docsieve.domain.extraction import Found, FoundDoubt
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
from docsieve.domain.schemas.shape import leaves
from docsieve.engines.llm.evidence import PartEvidence
from docsieve.engines.llm.prepare import Part
from docsieve.engines.llm.rows import Row, continued, holds_arrays, is_entity, join, repeated_in_context
from docsieve.engines.llm.totals import addends_of, agrees, is_total, sums
from docsieve.values.normal import normalized

_AGREES_WITH_ROWS = 2.0
_ONE_MORE_PART = 0.01


@dataclass(slots=True)
class PartAnswer:
    """What a model said about one part, in exactly the schema's shape."""

    part: Part
    value: Any
    evidence: PartEvidence = field(init=False)

    def __post_init__(self) -> None:
        self.evidence = PartEvidence(self.part.text)


def merged(schema: Schema, answers: Sequence[PartAnswer]) -> dict[str, Found]:
    """By path, what all the parts together say; null values are left out."""
    merging = _Merging(schema, answers)
    arrays: dict[str, Scalar] = {}
    for path, rows in merging.arrays():
        arrays.update({f"{path}{rest}": value for rest, value in leaves(rows) if value is not None})
    added = list(sums(addends_of(schema), arrays).values()) if len(answers) > 1 else []
    found = merging.scalars(added)
    found.update({path: Found(value) for path, value in arrays.items()})
    return found


def rows_of(value: Any, group: tuple[str, ...]) -> list[Row]:
    """The rows of one array of an answer."""
    for name in group:
        value = value.get(name) if isinstance(value, dict) else None
    return value if isinstance(value, list) else []


class _Merging:
    def __init__(self, schema: Schema, answers: Sequence[PartAnswer]) -> None:
        self._schema = schema
        self._fields = fields_of(schema)
        self._answers = answers

    def arrays(self) -> list[tuple[str, list[Row]]]:
        """The outermost arrays; those inside their rows come with them."""
        groups: dict[tuple[str, ...], None] = {}
        for each in self._fields:
            if ITEM in each.path:
                groups[each.path[: each.path.index(ITEM)]] = None
        return [(path_text(group), self._rows(group)) for group in groups]

    def _rows(self, group: tuple[str, ...]) -> list[Row]:
        items = self._items(group)
        nested = holds_arrays(items, self._schema)
        inside = len(group) + 1
        fields = {path_text(each.path[inside:]): each for each in self._fields if each.path[: len(group)] == group}
        rows: list[Row] = []
        last: list[Row] = []
        entities: set[str] = set()
        for answer in self._answers:
            own = [row for row in rows_of(answer.value, group) if any(value is not None for _, value in leaves(row))]
            context = answer.part.context.count("\n") + 1 if answer.part.context else 0
            seen = repeated_in_context(own, last, fields, answer.evidence, context)
            last = own or last
            for row in own[seen:]:
                earlier = continued(rows, row) if nested and rows else None
                if earlier is not None:
                    join(earlier, row)
                elif repr(row) not in entities:
                    rows.append(row)
            entities |= {repr(row) for row in own if is_entity(row)}
        return rows

    def _items(self, group: tuple[str, ...]) -> Schema:
        part = resolved(self._schema, self._schema)
        for name in group:
            part = resolved(part["properties"][name], self._schema)
        return resolved(part["items"], self._schema) if type_of(part) == "array" else part

    def scalars(self, added: Sequence[float]) -> dict[str, Found]:
        found: dict[str, Found] = {}
        for each in self._fields:
            if ITEM not in each.path:
                candidates = [(answer, value) for answer in self._answers if (value := _at(answer, each)) is not None]
                if candidates:
                    found[path_text(each.path)] = self._chosen(each, candidates, added)
        return found

    def _chosen(
        self, each: SchemaField, candidates: Sequence[tuple[PartAnswer, Scalar]], added: Sequence[float]
    ) -> Found:
        said: dict[str, list[tuple[PartAnswer, Scalar]]] = {}
        for answer, value in candidates:
            said.setdefault(normalized(value, each), []).append((answer, value))
        if len(said) == 1:
            return Found(candidates[0][1])

        def support(meaning: str) -> float:
            value = said[meaning][0][1]
            of_rows = _AGREES_WITH_ROWS if is_total(each) and any(agrees(value, total) for total in added) else 0.0
            strongest = max(answer.evidence.strength(value, each) for answer, value in said[meaning])
            return of_rows + strongest + _ONE_MORE_PART * len(said[meaning])

        # the order of equals is that of the pages
        best, second = sorted(said, key=support, reverse=True)[:2]
        value, other = str(said[best][0][1]), str(said[second][0][1])
        doubt = FoundDoubt("two_candidates", sentence("two_candidates", value=value, other=other), other)
        why = f"parts of the document say {len(said)} different things; this has the most evidence"
        return Found(said[best][0][1], why=why, doubts=[doubt])


def _at(answer: PartAnswer, each: SchemaField) -> Scalar:
    value = answer.value
    for name in each.path:
        value = value.get(name) if isinstance(value, dict) else None
    scalar: Scalar = value
    return scalar
