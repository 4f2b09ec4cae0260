"""Whom a command without a server may ask, by the settings; nobody keeps answers or counts money for it."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from docsieve.engines.azure.engine import NAME as PREBUILT
from docsieve.llm.prices import Prices, read_prices
from docsieve.llm.registry import KnownModels
from docsieve.offline.pages import ReadFile
from docsieve.pipelines.extracting import DEFAULT_ENGINE
from docsieve.pipelines.outside import Outside
from docsieve.pipelines.prebuilt import Original
from docsieve.remote.azure.prebuilt import AzureAccount
from docsieve.settings import Settings


@dataclass(frozen=True, slots=True)
class Providers:
    models: KnownModels
    prices: Prices
    account: AzureAccount | None

    def outside(
        self, files: Sequence[ReadFile], engine: str, model: str | None, *, password: str | None
    ) -> Outside | None:
        """Raises what is wrong with the name of the model, or its settings."""
        if engine == DEFAULT_ENGINE:
            return None

        async def originals() -> list[Original]:
            return [await asyncio.to_thread(_original, file, password) for file in files]

        named = self.models.named(model) if engine != PREBUILT else None
        return Outside(named, self.prices, account=self.account, originals=originals)


@asynccontextmanager
async def open_providers(settings: Settings) -> AsyncIterator[Providers]:
    models, account = KnownModels(settings), None
    if settings.azure_endpoint is not None and settings.azure_key is not None:
        account = AzureAccount(settings.azure_endpoint, settings.azure_key.get_secret_value())
    try:
        yield Providers(models, read_prices(settings.data_dir), account)
    finally:
        await models.close()


def _original(file: ReadFile, password: str | None) -> Original:
    about = file.about
    return Original(file.path, _sha256(file.path), about.media_type, about.page_count, about.document_class, password)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
