"""A second local engine from an installed package, so that tests can see it treated like the built-in one."""

from docsieve.engines.local.engine import LocalFields
from docsieve.engines.port import EngineDescription


class SecondEngine(LocalFields):
    about = EngineDescription(
        name="second",
        version="7",
        title="Second engine",
        description="Added by an installed package; runs on this server.",
        lessons_of="second",
    )
