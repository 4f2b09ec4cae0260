"""Validates the supported subset of JSON Schema. The rest of this package relies on it."""

import re
from typing import Any

from docsieve.domain.schemas.bounds import MAX_LEAVES, MAX_LEVELS, MAX_PARTS, MAX_PATTERN_COST, check_bounds
from docsieve.domain.schemas.fields import Schema, allows_null, type_of
from docsieve.domain.schemas.flat import FlatPart, Flattener
from docsieve.domain.schemas.keywords import (
    NUMBER_FORMATS,
    STRING_FORMATS,
    STRUCTURAL,
    is_used,
    keyword_problems,
    pattern_cost,
)
from docsieve.domain.schemas.pointers import pointed
from docsieve.errors.extractions import SchemaInvalid, SchemaProblem

_MAX_NAME_LENGTH = 100
_NO_NAME = re.compile(r"[.\[\]\x00-\x1f\x7f]")
_WRAPPERS = ("schema", "schema_definition", "json_schema", "definition")
_KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
}


def check_schema(schema: Any) -> list[str]:
    """Returns warnings about ignored parts. Raises SchemaInvalid with every problem and its location."""
    check_bounds(schema)
    if not isinstance(schema, dict):
        raise SchemaInvalid([SchemaProblem("", "a schema must be a JSON object")])
    inspection = _Inspection(schema)
    inspection.look_at_root()
    if inspection.problems:
        raise SchemaInvalid(list(inspection.problems))
    return inspection.warnings()


class _TooMuch(Exception):
    """The schema expands to more parts than allowed."""


class _Inspection:
    def __init__(self, root: Schema) -> None:
        self.root = root
        # in order of appearance, once each, because a definition is visited wherever it is used
        self.problems: dict[SchemaProblem, None] = {}
        self._notes: dict[str, None] = {}
        self._ignored: dict[str, dict[str, None]] = {}
        self._flattener = Flattener(root, self._problem, self._note)
        self._sound: dict[str, bool] = {}
        self._members_checked: set[tuple[str, str]] = set()
        self._leaves = 0
        self._parts = 0
        self._pattern_cost = 0

    def look_at_root(self) -> None:
        try:
            flat = self._flatten(self.root, "", ())
            if flat is None:
                return
            if type_of(flat.part) != "object" or not ({"type", "properties"} & flat.part.keys()):
                self._problem("", self._why_no_object())
            else:
                self._look_into(flat, level=1)
                if not self._leaves and not self.problems:
                    self._problem("", "it has no fields; an object needs properties")
        except _TooMuch as too_much:
            self._problem("", str(too_much))

    def warnings(self) -> list[str]:
        told = [
            f"{next(iter(places))}: {keyword} is ignored" + (f" ({len(places)} times)" if len(places) > 1 else "")
            for keyword, places in self._ignored.items()
        ]
        return [*self._notes, *told]

    def _why_no_object(self) -> str:
        wrapped = [name for name in _WRAPPERS if isinstance(self.root.get(name), dict)]
        if wrapped:
            return f"this is not the schema of an object; is “{wrapped[0]}” the schema itself?"
        return 'the root must be an object: {"type": "object", "properties": {…}}; put a list under a property'

    def _problem(self, pointer: str, message: str) -> None:
        self.problems[SchemaProblem(pointer, message)] = None

    def _note(self, pointer: str, message: str) -> None:
        self._notes[f"{pointer or '/'}: {message}"] = None

    def _flatten(self, part: Any, pointer: str, inside: tuple[str, ...]) -> FlatPart | None:
        """The part with references resolved. The keywords of all visited parts are checked."""
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise _TooMuch(f"its references expand to more than {MAX_PARTS:,} parts")
        passed, flat = self._flattener.flatten(part, pointer, inside)
        sound = [self._check_keywords(each, where) for where, each in passed]
        return flat if all(sound) else None

    def _check_keywords(self, part: Schema, pointer: str) -> bool:
        """Whether the parts inside can be checked. A definition is checked once, however often it is used."""
        if pointer not in self._sound:
            self._pattern_cost += pattern_cost(part)
            if self._pattern_cost > MAX_PATTERN_COST:
                raise _TooMuch("its patterns are too many, too long or too complex")
            found = list(keyword_problems(part, pointer))
            self.problems.update(dict.fromkeys(problem for _, problem in found))
            self._sound[pointer] = all(keyword not in STRUCTURAL for keyword, _ in found)
            self._note_ignored(part, pointer)
        return self._sound[pointer]

    def _note_ignored(self, part: Schema, pointer: str) -> None:
        for keyword in part:
            if not is_used(keyword):
                self._ignored.setdefault(keyword, {})[pointed(pointer, keyword)] = None
        if pointer and "x-rules" in part:
            self._problem(pointed(pointer, "x-rules"), "rules must be at the root of the schema")

    def _look_into(self, flat: FlatPart, *, level: int) -> None:
        if level > MAX_LEVELS:
            self._problem(flat.pointer, f"it is nested deeper than {MAX_LEVELS} levels")
            return
        said = flat.part.get("type")
        if isinstance(said, list) and len([each for each in said if each != "null"]) > 1:
            self._note(flat.place("type"), f"of several types only the first, {type_of(flat.part)}, is used")
        match type_of(flat.part):
            case "object":
                self._look_into_object(flat, level)
            case "array":
                self._look_into_array(flat, level)
            case kind:
                self._look_at_leaf(flat, kind)

    def _look_into_object(self, flat: FlatPart, level: int) -> None:
        properties = flat.part.get("properties", {})
        if not properties:
            self._note(flat.pointer, "an object without properties stays empty")
        for name, each in properties.items():
            place = flat.place("properties", name)
            self._check_name(name, place)
            inner = self._flatten(each, place, flat.inside)
            if inner is not None:
                self._look_into(inner, level=level + 1)
        for index, name in enumerate(flat.part.get("required", ())):
            if name not in properties:
                self._problem(flat.place("required", index), "there is no property with that name")

    def _check_name(self, name: str, place: str) -> None:
        if not name.strip() or len(name) > _MAX_NAME_LENGTH:
            self._problem(place, f"a property name must have 1 to {_MAX_NAME_LENGTH} characters")
        elif _NO_NAME.search(name):
            message = "a property name must not contain “.”, “[”, “]” or control characters; paths look like a.b[0].c"
            self._problem(place, message)

    def _look_into_array(self, flat: FlatPart, level: int) -> None:
        if "items" not in flat.part:
            self._problem(flat.pointer, "a list needs items: the schema of its items")
            return
        inner = self._flatten(flat.part["items"], flat.place("items"), flat.inside)
        if inner is not None:
            self._look_into(inner, level=level + 1)

    def _look_at_leaf(self, flat: FlatPart, kind: str) -> None:
        self._leaves += 1
        if self._leaves > MAX_LEAVES:
            raise _TooMuch(f"it has more than {MAX_LEAVES:,} fields")
        if not {"type", "enum", "const"} & flat.part.keys():
            self._note(flat.pointer, "it has no type and is treated as text")
        self._check_members(flat, kind)
        said = flat.part.get("format")
        known = STRING_FORMATS if kind == "string" else NUMBER_FORMATS if kind in ("number", "integer") else ()
        if said is not None and said not in known:
            choice = f"; those of a {kind} are {', '.join(known)}" if known else ""
            self._note(flat.place("format"), f"“{said}” is ignored{choice}")

    def _check_members(self, flat: FlatPart, kind: str) -> None:
        if (flat.place("enum"), kind) in self._members_checked and "const" not in flat.part:
            return
        self._members_checked.add((flat.place("enum"), kind))
        members = [(flat.place("enum", index), each) for index, each in enumerate(flat.part.get("enum", ()))]
        if "const" in flat.part:
            members.append((flat.place("const"), flat.part["const"]))
        for place, member in members:
            if member is None:
                if not allows_null(flat.part):
                    self._problem(place, f"null is not of type {kind}; allow it in the type")
            elif not isinstance(member, _KINDS[kind]) or (isinstance(member, bool) and kind != "boolean"):
                said = "" if "type" in flat.part else "; give its type, because the default is text"
                self._problem(place, f"it is not of type {kind}{said}")
