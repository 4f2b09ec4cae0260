"""The engines that run in the sandbox: ours, and those that installed packages add."""

from functools import cache
from importlib.metadata import entry_points

from docsieve.engines.local.engine import LocalFields
from docsieve.engines.port import LocalEngine
from docsieve.errors.extractions import UnknownEngine

ENTRY_POINT_GROUP = "docsieve.engines"

BUILT_IN: tuple[LocalEngine, ...] = (LocalFields(),)


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
        raise UnknownEngine(f"There is no local engine {name!r}.")
    return engine
