"""What an extraction got right: its value compared with the truth, leaf by leaf.

Lists of values are compared whatever their order; the rows of a table are paired so that they agree in as much as
possible. What the truth does not mention is not judged, unless `closed` says that it is not there.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from docsieve.domain.schemas.fields import Scalar, Schema, resolved, type_of
from docsieve.domain.schemas.shape import leaves, pattern_of
from docsieve.evaluation.alignment import align
from docsieve.evaluation.sameness import Sameness


class Outcome(StrEnum):
    """`missed` was there and not found; `invented` was found and is not there."""

    right = "right"
    wrong = "wrong"
    missed = "missed"
    invented = "invented"


class ErrorKind(StrEnum):
    """What a field that is not right is: `errors.error_of` decides."""

    misread = "misread"
    wrong_place = "wrong place"
    unfound = "unfound"
    fabricated = "fabricated"
    invented_item = "invented item"
    invented_field = "invented field"


@dataclass(frozen=True, slots=True)
class Judged:
    """One leaf; `path` is its place in the value, `truth_path` in the truth.

    `in_extra_item` is whether it belongs to an item of a list that no item of the truth corresponds to.
    """

    pattern: str
    outcome: Outcome
    path: str | None
    truth_path: str | None
    value: Scalar
    truth: Any
    exact: bool = False
    in_extra_item: bool = False


@dataclass(slots=True)
class Judge:
    """`not_asked` counts the leaves of the truth that the schema has no field for. `absent` are the paths of the single
    fields that have neither a true value nor a given one.
    """

    schema: Schema
    sameness: Sameness
    closed: bool = False
    not_asked: int = field(default=0, init=False)
    absent: list[str] = field(default_factory=list, init=False)

    def judge(self, truth: Mapping[str, Any], value: Any) -> list[Judged]:
        return list(self._object(resolved(self.schema, self.schema), "", "", truth, value))

    def _part(self, part: Schema, path: str, truth_path: str, truth: Any, value: Any) -> Iterator[Judged]:
        kind = type_of(part)
        if kind == "object" and truth is None:
            yield from self._additional(path, value)
        elif kind == "object":
            if not isinstance(truth, Mapping):
                self._count_not_asked(truth)
            yield from self._object(part, path, truth_path, truth if isinstance(truth, Mapping) else {}, value)
        elif kind == "array":
            yield from self._array(resolved(part["items"], self.schema), path, truth_path, truth, value)
        else:
            yield from self._leaf(path, truth_path, truth, value)

    def _object(
        self, part: Schema, path: str, truth_path: str, truth: Mapping[str, Any], value: Any
    ) -> Iterator[Judged]:
        properties = part.get("properties", {})
        found = value if isinstance(value, Mapping) else {}
        for name, each in truth.items():
            if name not in properties:
                self._count_not_asked(each)
        for name, each in properties.items():
            if name in truth or self.closed:
                inner, inner_truth = _step(path, name), _step(truth_path, name)
                yield from self._part(resolved(each, self.schema), inner, inner_truth, truth.get(name), found.get(name))

    def _count_not_asked(self, truth: Any) -> None:
        self.not_asked += sum(1 for _, leaf in leaves(truth) if not is_empty(leaf))

    def _array(self, item: Schema, path: str, truth_path: str, truth: Any, value: Any) -> Iterator[Judged]:
        if isinstance(truth, Mapping) and type_of(item) != "object":
            self._count_not_asked(truth)
            return
        wanted = [] if truth is None else truth if isinstance(truth, list) else [truth]
        found = value if isinstance(value, list) else []
        pairs = align(wanted, found, lambda one, other: self._agreement(item, path, one, other))
        for i, j in pairs:
            yield from self._part(item, f"{path}[{j}]", f"{truth_path}[{i}]", wanted[i], found[j])
        lonely_truths = sorted(set(range(len(wanted))) - {i for i, _ in pairs})
        lonely_values = sorted(set(range(len(found))) - {j for _, j in pairs})
        for i in lonely_truths:
            yield from self._part(item, f"{path}[0]", f"{truth_path}[{i}]", wanted[i], None)
        for j in lonely_values:
            yield from self._additional(f"{path}[{j}]", found[j], in_extra_item=True)

    def _agreement(self, item: Schema, path: str, truth: Any, value: Any) -> float:
        """How many leaves of two rows are the same; a hair more for those that are so to the letter."""
        asked = self.not_asked
        judged = list(self._part(item, f"{path}[0]", "", truth, value))
        self.not_asked = asked
        right = [each for each in judged if each.outcome is Outcome.right]
        return len(right) + 0.001 * sum(each.exact for each in right)

    def _leaf(self, path: str, truth_path: str, truth: Any, value: Any) -> Iterator[Judged]:
        """A list of truths for a single value are its alternatives: several places of a page may show it."""
        accepted = [each for each in (truth if isinstance(truth, list) else [truth]) if not is_empty(each)]
        pattern, missing = pattern_of(path), is_empty(value)
        if not accepted and missing:
            if "[" not in path:
                self.absent.append(path)
            return
        if missing:
            yield Judged(pattern, Outcome.missed, None, truth_path, None, truth)
        elif not accepted:
            yield Judged(pattern, Outcome.invented, path, None, value, None)
        else:
            exact = any(_exactly(each, value) for each in accepted)
            right = exact or any(self.sameness.same(pattern, each, value) for each in accepted)
            yield Judged(
                pattern, Outcome.right if right else Outcome.wrong, path, truth_path, value, truth, exact=exact
            )

    def _additional(self, path: str, value: Any, *, in_extra_item: bool = False) -> Iterator[Judged]:
        for leaf_path, leaf in leaves(value, path):
            if not is_empty(leaf):
                extra = in_extra_item or "[" in leaf_path[len(path) :]
                yield Judged(pattern_of(leaf_path), Outcome.invented, leaf_path, None, leaf, None, in_extra_item=extra)


def is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _exactly(truth: Any, value: Scalar) -> bool:
    """A number that the truth writes as text, such as `9.00`, is the number."""
    if isinstance(truth, str) and isinstance(value, int | float) and not isinstance(value, bool):
        try:
            return float(truth) == value
        except ValueError:
            return False
    return bool(truth == value) and isinstance(truth, bool) == isinstance(value, bool)


def _step(path: str, name: str) -> str:
    return f"{path}{name}" if not name or name.startswith("[") or not path else f"{path}.{name}"
