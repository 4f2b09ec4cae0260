"""Opens the embedder named in the settings.

Installed packages add embedders through the entry point group `docsieve.embedders`: a callable that takes the settings.
"""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Protocol

from pydantic import SecretStr

from docsieve.embeddings.local import LocalEmbedder
from docsieve.embeddings.openai_compatible import OpenAICompatibleEmbedder
from docsieve.embeddings.port import Embedder
from docsieve.errors.providers import UnknownEmbedder

ENTRY_POINTS = "docsieve.embedders"


class EmbedderSettings(Protocol):
    """The settings used here."""

    embedder: str
    embedder_url: str
    embedder_key: SecretStr | None
    embedder_model: str
    embedder_dimensions: int


def open_embedder(settings: EmbedderSettings) -> Embedder:
    """Open the embedder of the settings; nothing is loaded or called before its first use."""
    if open_built_in := EMBEDDERS.get(settings.embedder):
        return open_built_in(settings)
    for plugin in entry_points(group=ENTRY_POINTS, name=settings.embedder):
        embedder: Embedder = plugin.load()(settings)
        return embedder
    known = sorted({*EMBEDDERS, *(plugin.name for plugin in entry_points(group=ENTRY_POINTS))})
    raise UnknownEmbedder(f"There is no embedder named {settings.embedder}. Available: {', '.join(known)}.")


def _open_openai(settings: EmbedderSettings) -> Embedder:
    return OpenAICompatibleEmbedder(
        settings.embedder_url, settings.embedder_key, settings.embedder_model, settings.embedder_dimensions
    )


EMBEDDERS: dict[str, Callable[[EmbedderSettings], Embedder]] = {
    "local": lambda settings: LocalEmbedder(),
    "openai": _open_openai,
}
