"""Tasks and results as JSON. The small ones travel in a frame, the large ones as a file in the child's folder."""

import re
from functools import cache
from typing import Any, TypeVar, get_args, get_origin

from pydantic import TypeAdapter, ValidationError

from docsieve.domain.text import clean_json
from docsieve.sandbox.paths import has_paths
from docsieve.sandbox.task import Task

MAX_INLINE_BYTES = 128 * 1024
MAX_RESULT_BYTES = 256 * 1024**2
TASK_FILE, RESULT_FILE = "task.json", "result.json"

R = TypeVar("R")

_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def encode_task(task: Task[Any]) -> bytes:
    return adapter(type(task)).dump_json(task)


def decode_task(kind: type[Task[R]], payload: bytes) -> Task[R]:
    task: Task[R] = adapter(kind).validate_json(payload)
    return task


def encode_result(kind: type[Task[R]], result: R) -> bytes:
    return clean_json(adapter(result_type(kind)), result)[1]


def decode_result(kind: type[Task[R]], payload: bytes) -> R:
    """Raises the task's `crash` for anything but a result of this task."""
    try:
        result: R = adapter(result_type(kind)).validate_json(payload, strict=True)
    except ValidationError as error:
        raise kind.crash("The sandboxed process returned a result of the wrong shape.") from error
    # One byte is found far faster than the expression, and most results have no escape.
    if b"\\" in payload and _NUL.search(payload):
        raise kind.crash("The sandboxed process returned text that cannot be stored.")
    return result


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@cache
def result_type(kind: type[Task[Any]]) -> Any:
    for base in kind.__orig_bases__:  # type: ignore[attr-defined]  # set on every subclass of a generic class
        if get_origin(base) is Task:
            found = get_args(base)[0]
            if has_paths(found):
                raise TypeError(f"The result of {kind.__name__} must not contain a path: a child could name any file.")
            return found
    raise TypeError(f"{kind.__name__} must be a direct subclass of Task[…].")
