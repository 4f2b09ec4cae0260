"""The engines that run in the sandbox: ours, and those that installed packages add."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name
from typing import Any

from docsieve.domain.extraction import Material, Proposal
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.description import LOCAL_ENGINE
from docsieve.engines.port import EngineDescription, LocalEngine
from docsieve.errors.extractions import UnknownEngine

ENTRY_POINT_GROUP = "docsieve.engines"


@dataclass(eq=False, slots=True)
class BuiltIn:
    """An engine that is imported when it is first asked: the API and the worker need only its description."""

    about: EngineDescription
    engine: str

    def propose(self, materials: Sequence[Material], schema: Schema, *, lessons: dict[str, Any] | None) -> Proposal:
        engine: LocalEngine = resolve_name(self.engine)()
        return engine.propose(materials, schema, lessons=lessons)


BUILT_IN: tuple[LocalEngine, ...] = (BuiltIn(LOCAL_ENGINE, "docsieve.engines.local.engine:LocalFields"),)


@cache
def local_engines() -> dict[str, LocalEngine]:
    """By name, ours first. An installed package's engine replaces ours of the same name."""
    installed = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: entry.name)
    found = [*BUILT_IN, *(entry.load()() for entry in installed)]
    return {engine.about.name: engine for engine in found}


def local_engine(name: str) -> LocalEngine:
    """Raises UnknownEngine when no engine of this name runs in the sandbox."""
    engine = local_engines().get(name)
    if engine is None:
        raise UnknownEngine(f"Local engine {name!r} not found.")
    return engine
