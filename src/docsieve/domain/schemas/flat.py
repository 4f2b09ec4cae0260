"""One part of a schema together with what it refers to, and where each of its keywords stands."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from docsieve.domain.schemas.fields import Schema, chosen, is_null, referred, type_of
from docsieve.domain.schemas.pointers import pointed

Tell = Callable[[str, str], None]
_Step = tuple[Any, str, tuple[str, ...]]

_ONWARD = ("$ref", "anyOf", "oneOf", "allOf")


@dataclass(slots=True)
class FlatPart:
    """`part` is what `fields.resolved` gives; `inside` are the references that it stands in."""

    part: Schema
    pointer: str
    inside: tuple[str, ...]
    origins: dict[str, str]

    def place(self, keyword: str, *steps: str | int) -> str:
        return pointed(self.origins.get(keyword, self.pointer), keyword, *steps)


class Flattener:
    """Follows `$ref`, `anyOf`, `oneOf` and `allOf` as `fields.resolved` does, and tells what is wrong with them."""

    def __init__(self, root: Schema, problem: Tell, note: Tell) -> None:
        self._root = root
        self._problem = problem
        self._note = note

    def flatten(
        self, part: Any, pointer: str, inside: tuple[str, ...]
    ) -> tuple[list[tuple[str, Schema]], FlatPart | None]:
        """All parts gone through with their places, and what they come to, if it comes to anything."""
        passed: list[tuple[str, Schema]] = []
        merged: Schema = {}
        origins: dict[str, str] = {}
        place = pointer
        while True:
            if not isinstance(part, dict):
                self._problem(place, "it must be a schema, which is a JSON object")
                return passed, None
            passed.append((place, part))
            # what stands outside is said of the very place, and goes before what it refers to
            for keyword, value in part.items():
                if keyword not in merged:
                    merged[keyword], origins[keyword] = value, place
            onward = next((keyword for keyword in _ONWARD if keyword in merged), None)
            if onward is None:
                return passed, FlatPart(merged, pointer, inside, origins)
            said, place = merged.pop(onward), pointed(origins.pop(onward), onward)
            step = (
                self._follow(said, place, inside)
                if onward == "$ref"
                else self._choose(onward, said, place, merged, inside)
            )
            if step is None:
                return passed, None
            part, place, inside = step

    def _follow(self, ref: Any, place: str, inside: tuple[str, ...]) -> _Step | None:
        if not isinstance(ref, str) or not ref.startswith("#"):
            self._problem(place, "only references inside the same schema can be followed: #/$defs/…")
            return None
        if ref in inside or ref in ("#", "#/"):
            self._problem(place, "it refers to what it stands in; a schema cannot contain itself")
            return None
        try:
            return referred(ref, self._root), ref.removeprefix("#"), (*inside, ref)
        except LookupError:
            self._problem(place, f"there is nothing at {ref[:100]}")
            return None

    def _choose(self, keyword: str, options: Any, place: str, merged: Schema, inside: tuple[str, ...]) -> _Step | None:
        if not isinstance(options, list) or not options or not all(isinstance(each, dict) for each in options):
            self._problem(place, "it must be a list of schemas")
            return None
        if keyword == "allOf":
            if len(options) > 1:
                self._problem(place, "write the parts as one schema; allOf may hold a single one")
                return None
            return options[0], pointed(place, 0), inside
        index = chosen(options)
        if index is None:
            self._problem(place, "null alone can hold nothing; name another alternative beside it")
            return None
        real = [each for each in options if not is_null(each)]
        if len(real) > 1:
            what = real[0].get("$ref") or type_of(real[0])
            self._note(place, f"of {len(real)} alternatives only the first ({what}) is used")
        if len(real) < len(options):
            merged["x-nullable"] = True
        return options[index], pointed(place, index), inside
