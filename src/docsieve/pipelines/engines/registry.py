"""Every engine that an extraction may name, ready to run."""

from functools import cache

from docsieve.engines.registry import found_engines, local_engines
from docsieve.errors.extractions import UnknownEngine
from docsieve.pipelines.engines.azure import AzureEngine
from docsieve.pipelines.engines.cascade import CascadeEngine
from docsieve.pipelines.engines.local import SandboxedEngine
from docsieve.pipelines.engines.model import ModelEngine
from docsieve.pipelines.engines.port import Engine

CALLING_OUT: tuple[Engine, ...] = (CascadeEngine(), ModelEngine(), AzureEngine())


@cache
def engines() -> dict[str, Engine]:
    """By name: the default one, other local ones, then those that call out."""
    local = [SandboxedEngine(engine.about) for engine in local_engines().values()]
    return {engine.about.name: engine for engine in (*local, *CALLING_OUT)}


def engine_named(name: str) -> Engine:
    """Raises UnknownEngine."""
    engine = engines().get(name)
    if engine is None and name in found_engines().broken:
        raise UnknownEngine(f"Engine {name} is installed but cannot be loaded. Run `docsieve doctor` on the server.")
    if engine is None:
        raise UnknownEngine(f"Engine {name} not found. Available: {', '.join(sorted(engines()))}.")
    return engine
