"""The providers that a command without a server may call. Answers are not cached and costs are not recorded."""

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path

from docsieve.composition import ProviderClients
from docsieve.engines.port import EngineDescription
from docsieve.offline.page_cache import ReadFile
from docsieve.pipelines.prebuilt import Original
from docsieve.pipelines.providers import Providers


def providers_for(
    engine: EngineDescription,
    clients: ProviderClients,
    files: Sequence[ReadFile],
    *,
    model: str | None,
    password: str | None,
) -> Providers | None:
    """None for an engine that calls no provider. Raises what is wrong with the model's name or its settings."""
    if not engine.calls_out:
        return None

    async def originals() -> list[Original]:
        return [await asyncio.to_thread(_original, file, password) for file in files]

    named = clients.models.named(model) if engine.needs == "model" else None
    return Providers(named, clients.prices, account=clients.azure, originals=originals)


def _original(file: ReadFile, password: str | None) -> Original:
    about = file.about
    return Original(file.path, _sha256(file.path), about.media_type, about.page_count, about.document_class, password)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
