"""The providers that a command without a server may call. Answers are not cached and costs are not recorded."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from docsieve.configuration import azure_account
from docsieve.engines.port import EngineDescription
from docsieve.llm.prices import Prices, read_prices
from docsieve.llm.registry import KnownModels
from docsieve.offline.page_cache import ReadFile
from docsieve.pipelines.prebuilt import Original
from docsieve.pipelines.providers import Providers
from docsieve.remote.azure.prebuilt import AzureAccount
from docsieve.settings import Settings


@dataclass(frozen=True, slots=True)
class OpenProviders:
    models: KnownModels
    prices: Prices
    account: AzureAccount | None

    def serving(
        self, engine: EngineDescription, files: Sequence[ReadFile], *, model: str | None, password: str | None
    ) -> Providers | None:
        """None for an engine that calls no provider. Raises what is wrong with the model's name or its settings."""
        if not engine.calls_out:
            return None

        async def originals() -> list[Original]:
            return [await asyncio.to_thread(_original, file, password) for file in files]

        named = self.models.named(model) if engine.needs == "model" else None
        return Providers(named, self.prices, account=self.account, originals=originals)


@asynccontextmanager
async def open_providers(settings: Settings) -> AsyncIterator[OpenProviders]:
    models = KnownModels(settings)
    try:
        yield OpenProviders(models, read_prices(settings.data_dir), azure_account(settings))
    finally:
        await models.close()


def _original(file: ReadFile, password: str | None) -> Original:
    about = file.about
    return Original(file.path, _sha256(file.path), about.media_type, about.page_count, about.document_class, password)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
