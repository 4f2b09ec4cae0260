"""The types of paths in a task: they say what a child may do with the file.

A path of another type cannot be part of a task, so a host path never reaches a child by accident. The paths are found
by the declared types of the task's fields, also in dataclasses, tuples and lists inside it.
"""

import types
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path, PurePath
from typing import Any, NewType, TypeVar, Union, get_args, get_origin, get_type_hints

InputPath = NewType("InputPath", Path)
"""A file that is lent to the child, which can read it but not change it."""

OutputPath = NewType("OutputPath", Path)
"""Where a file or folder that the child created is moved after it has ended."""

SharedPath = NewType("SharedPath", Path)
"""A file that the child writes, and that can be read here meanwhile."""

T = TypeVar("T")

Convert = Callable[[str, Path], Path]
"""The child's path for a host path, given the name of its field."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """What becomes of each type of path."""

    of_input: Convert
    of_output: Convert
    of_shared: Convert


_Replace = Callable[[str, Any, Conversion], Any]


def with_paths(value: T, conversion: Conversion) -> T:
    """A copy of a dataclass in which every path is converted."""
    kind: Any = type(value)
    replace_paths = _replacement(kind)
    converted: T = value if replace_paths is None else replace_paths("", value, conversion)
    return converted


def has_paths(declared: Any) -> bool:
    """Whether values of a type contain paths. Raises TypeError for a path of none of the types above."""
    return _replacement(declared) is not None


@cache
def _replacement(declared: Any) -> _Replace | None:
    """How to convert the paths in values of a type; None if it has none. Raises TypeError for a plain path."""
    if declared is InputPath:
        return lambda name, value, conversion: conversion.of_input(name, value)
    if declared is OutputPath:
        return lambda name, value, conversion: conversion.of_output(name, value)
    if declared is SharedPath:
        return lambda name, value, conversion: conversion.of_shared(name, value)
    if isinstance(declared, type) and issubclass(declared, PurePath):
        raise TypeError("A path in a task must be an InputPath, an OutputPath or a SharedPath.")
    if is_dataclass(declared):
        return _in_dataclass(declared)
    inner = [_replacement(each) for each in get_args(declared) if each is not Ellipsis and _is_type(each)]
    if not any(inner):
        return None
    origin = get_origin(declared)
    if origin in (Union, types.UnionType):
        return _in_optional(declared, inner)
    if origin in (list, tuple):
        return _in_items(declared, inner)
    raise TypeError(f"Paths can be in dataclasses, tuples and lists of a task, not in {declared}.")


def _is_type(argument: Any) -> bool:
    """False for the values of a Literal and the parameter list of a Callable."""
    return not isinstance(argument, (str, int, list))


def _in_dataclass(declared: Any) -> _Replace | None:
    hints = get_type_hints(declared)
    found = {each.name: _replacement(hints[each.name]) for each in fields(declared)}
    inner = {name: replace_paths for name, replace_paths in found.items() if replace_paths is not None}
    if not inner:
        return None

    def replace_paths(_: str, value: Any, conversion: Conversion) -> Any:
        changes = {name: change(name, getattr(value, name), conversion) for name, change in inner.items()}
        return replace(value, **changes)

    return replace_paths


def _in_optional(declared: Any, inner: list[_Replace | None]) -> _Replace:
    some = [each for each in inner if each is not None]
    if len(inner) != 2 or type(None) not in get_args(declared):
        raise TypeError(f"A path in a task can be optional, but no other union: {declared}.")
    return lambda name, value, conversion: None if value is None else some[0](name, value, conversion)


def _in_items(declared: Any, inner: list[_Replace | None]) -> _Replace:
    if len(inner) != 1:
        raise TypeError(f"A tuple with paths must have items of one type: {declared}.")
    change = inner[0]
    assert change is not None
    kind = get_origin(declared)
    return lambda name, value, conversion: kind(change(name, each, conversion) for each in value)
