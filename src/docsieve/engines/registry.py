"""The engines that run in the sandbox: ours, and those that installed packages add."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name
from typing import Any, cast

from docsieve.domain.extraction import Material, Proposal
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.description import LOCAL_ENGINE
from docsieve.engines.port import EngineDescription, Example, LearningEngine, LocalEngine
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

    def learn(self, examples: Sequence[Example], fields: Collection[str] | None = None) -> dict[str, Any]:
        engine: LearningEngine = resolve_name(self.engine)()
        return engine.learn(examples, fields)


BUILT_IN: tuple[LocalEngine, ...] = (BuiltIn(LOCAL_ENGINE, "docsieve.engines.local.engine:LocalFields"),)


@dataclass(frozen=True, slots=True)
class LocalEngines:
    """By name. `broken` are the entry points of installed packages that could not be loaded, with the reason."""

    working: dict[str, LocalEngine]
    broken: dict[str, str]


@cache
def found_engines() -> LocalEngines:
    """Ours first. An installed package's engine replaces ours of the same name.

    Runs once per process: a package that cannot be imported takes time to fail, and fails again.
    """
    found, broken = list(BUILT_IN), dict[str, str]()
    for entry in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: entry.name):
        try:
            found.append(entry.load()())
        except Exception as error:  # noqa: BLE001  installed code may raise anything, and the other engines still work
            broken[entry.name] = f"{type(error).__name__}: {error}"
            from docsieve.logs import get_logger  # 50 ms of processor time, which each sandboxed child would spend

            get_logger().error("engine_not_loaded", engine=entry.name, package=entry.value, error=broken[entry.name])
    return LocalEngines({engine.about.name: engine for engine in found}, broken)


def local_engines() -> dict[str, LocalEngine]:
    return found_engines().working


def local_engine(name: str) -> LocalEngine:
    """Raises UnknownEngine when no engine of this name runs in the sandbox."""
    engine = local_engines().get(name)
    if engine is None:
        raise UnknownEngine(f"Local engine {name!r} not found.")
    return engine


def learning_engines() -> list[str]:
    """The names of the engines that learn from corrections."""
    return [name for name, engine in local_engines().items() if engine.about.lessons_of == name]


def learning_engine(name: str) -> LearningEngine:
    """Raises UnknownEngine, also for an engine that does not learn."""
    if name not in learning_engines():
        raise UnknownEngine(f"Local engine {name!r} not found, or it does not learn.")
    return cast("LearningEngine", local_engine(name))
