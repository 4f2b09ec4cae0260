"""What the rest of the product knows about the built-in engine, without the code that runs it."""

from docsieve.domain.extraction import DEFAULT_ENGINE
from docsieve.engines.port import EngineDescription

LOCAL_ENGINE = EngineDescription(
    name=DEFAULT_ENGINE,
    version="2",
    title="Built in",
    description="Runs on this server; nothing leaves it.",
    lessons_of=DEFAULT_ENGINE,
)
