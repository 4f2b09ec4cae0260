"""The tasks of `hostile_tasks`, for which a child cannot load what they may need."""

from collections.abc import Iterator
from pathlib import Path

from tests.sandbox.hostile_tasks import TASKS, Open, load_models, loaded_models

__all__ = ["TASKS", "load_models", "loaded_models", "prepare", "warm_up"]


def prepare(kind: str, folder: Path) -> None:
    if kind == Open.__name__:
        raise OSError("no room")


def warm_up(folder: Path) -> Iterator[None]:
    yield
    _load_fonts()


def _load_fonts() -> None:
    raise ValueError("no such font")
