"""Opens the embedder named in the settings.

Installed packages add embedders through the entry point group `docsieve.embedders`: a callable that takes the settings.
"""

from importlib.metadata import entry_points
from typing import Protocol

from pydantic import SecretStr

from docsieve.embeddings.local import LocalEmbedder
from docsieve.embeddings.port import Embedder
from docsieve.errors.providers import UnknownEmbedder

ENTRY_POINTS = "docsieve.embedders"
LOCAL, OPENAI = "local", "openai"


class EmbedderSettings(Protocol):
    """The settings used here."""

    embedder: str
    embedder_url: str
    embedder_key: SecretStr | None
    embedder_dimensions: int


def open_embedder(settings: EmbedderSettings) -> Embedder:
    """Open the embedder of the settings. Nothing is loaded or called before its first use."""
    provider, _, model = settings.embedder.partition(":")
    if settings.embedder == LOCAL:
        return LocalEmbedder()
    if provider == OPENAI and model:
        from docsieve.embeddings.openai_compatible import OpenAICompatibleEmbedder  # 48 ms of processor time

        return OpenAICompatibleEmbedder(
            settings.embedder_url, settings.embedder_key, model, settings.embedder_dimensions
        )
    for plugin in entry_points(group=ENTRY_POINTS, name=settings.embedder):
        embedder: Embedder = plugin.load()(settings)
        return embedder
    known = [LOCAL, f"{OPENAI}:model", *sorted(plugin.name for plugin in entry_points(group=ENTRY_POINTS))]
    raise UnknownEmbedder(f"There is no embedder named {settings.embedder}. Available: {', '.join(known)}.")
