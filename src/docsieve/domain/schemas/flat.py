"""One part of a schema with references resolved, and the location of each keyword."""

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
    """`part` equals the result of `fields.resolved`; `inside` are the references that contain it."""

    part: Schema
    pointer: str
    inside: tuple[str, ...]
    origins: dict[str, str]

    def place(self, keyword: str, *steps: str | int) -> str:
        return pointed(self.origins.get(keyword, self.pointer), keyword, *steps)


class Flattener:
    """Follows `$ref`, `anyOf`, `oneOf` and `allOf` like `fields.resolved`, and reports problems."""

    def __init__(self, root: Schema, problem: Tell, note: Tell) -> None:
        self._root = root
        self._problem = problem
        self._note = note

    def flatten(
        self, part: Any, pointer: str, inside: tuple[str, ...]
    ) -> tuple[list[tuple[str, Schema]], FlatPart | None]:
        """All visited parts with their locations, and the combined part, if there is one."""
        passed: list[tuple[str, Schema]] = []
        merged: Schema = {}
        origins: dict[str, str] = {}
        place = pointer
        while True:
            if not isinstance(part, dict):
                self._problem(place, "it must be a schema, which is a JSON object")
                return passed, None
            passed.append((place, part))
            # Outer keywords are specific to this location and take precedence over the referenced ones.
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
            self._problem(place, "only references within the same schema are supported: #/$defs/…")
            return None
        if ref in inside or ref in ("#", "#/"):
            self._problem(place, "circular reference; a schema cannot contain itself")
            return None
        try:
            return referred(ref, self._root), ref.removeprefix("#"), (*inside, ref)
        except LookupError:
            self._problem(place, f"{ref[:100]} does not exist")
            return None

    def _choose(self, keyword: str, options: Any, place: str, merged: Schema, inside: tuple[str, ...]) -> _Step | None:
        if not isinstance(options, list) or not options or not all(isinstance(each, dict) for each in options):
            self._problem(place, "it must be a list of schemas")
            return None
        if keyword == "allOf":
            if len(options) > 1:
                self._problem(place, "merge the parts into one schema; allOf may contain only one")
                return None
            return options[0], pointed(place, 0), inside
        index = chosen(options)
        if index is None:
            self._problem(place, "null cannot be the only alternative")
            return None
        real = [each for each in options if not is_null(each)]
        if len(real) > 1:
            what = real[0].get("$ref") or type_of(real[0])
            self._note(place, f"of {len(real)} alternatives only the first ({what}) is used")
        if len(real) < len(options):
            merged["x-nullable"] = True
        return options[index], pointed(place, index), inside
