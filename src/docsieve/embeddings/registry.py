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
PROVIDER = "embedder"
"""Its name in the settings of keys and addresses."""
_OPENAI_URL = "https://api.openai.com/v1"
_DIMENSIONS = 1536
_MAX_DIMENSIONS = 4000  # of a halfvec with an index


class EmbedderSettings(Protocol):
    """The settings used here."""

    embedder: str
    provider_keys: dict[str, SecretStr]
    provider_urls: dict[str, str]


def open_embedder(settings: EmbedderSettings) -> Embedder:
    """Open the embedder of the settings. Nothing is loaded or called before its first use."""
    provider, _, named = settings.embedder.partition(":")
    model, dimensions = _model_and_dimensions(named)
    if settings.embedder == LOCAL:
        return LocalEmbedder()
    if provider == OPENAI and model:
        from docsieve.embeddings.openai_compatible import OpenAICompatibleEmbedder  # 48 ms of processor time

        url = settings.provider_urls.get(PROVIDER, _OPENAI_URL)
        return OpenAICompatibleEmbedder(url, settings.provider_keys.get(PROVIDER), model, dimensions)
    for plugin in entry_points(group=ENTRY_POINTS, name=settings.embedder):
        embedder: Embedder = plugin.load()(settings)
        return embedder
    known = [LOCAL, f"{OPENAI}:model", *sorted(plugin.name for plugin in entry_points(group=ENTRY_POINTS))]
    raise UnknownEmbedder(f"There is no embedder named {settings.embedder}. Available: {', '.join(known)}.")


def _model_and_dimensions(named: str) -> tuple[str, int]:
    """Raises UnknownEmbedder for a length that cannot be stored."""
    model, colon, last = named.rpartition(":")
    if not (colon and last.isdecimal()):
        return named, _DIMENSIONS
    if not 0 < int(last) <= _MAX_DIMENSIONS:
        raise UnknownEmbedder(f"Vectors of {named} must have a length from 1 to {_MAX_DIMENSIONS}.")
    return model, int(last)
