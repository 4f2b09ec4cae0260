"""A second local engine from an installed package, so that tests can see it treated like the built-in one."""

from docsieve.engines.port import EngineDescription
from docsieve.engines.registry import BuiltIn


class SecondEngine(BuiltIn):
    """Not a subclass of the built-in engine: each API and worker of a test would load that with this module."""

    def __init__(self) -> None:
        about = EngineDescription(
            name="second",
            version="7",
            title="Second engine",
            description="Added by an installed package; runs on this server.",
            lessons_of="second",
        )
        super().__init__(about, "docsieve.engines.local.engine:LocalFields")
