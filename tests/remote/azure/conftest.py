"""A loopback service, and a parser that speaks to it through the vendor's client."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from docsieve.domain.pages.page import Progress
from docsieve.parsers.azure.format import AZURE_ANALYSIS
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.remote.azure.client import AzureDocumentIntelligence
from tests.remote.azure.azure_service import KEY, AzureService, azure_service


@pytest.fixture
async def service() -> AsyncIterator[AzureService]:
    async with azure_service() as started:
        yield started


class ModelCalls:
    """Reads one document through the real client; the pauses it was asked for are noted, not waited for."""

    def __init__(self, service: AzureService, source: Path) -> None:
        self.service = service
        self.source = source
        self.answer = source.with_name("answer")
        self.pauses: list[float] = []
        self.progress: list[Progress] = []

    async def read(
        self, name: str = "azure-layout", *, key: str = KEY, password: str | None = None, max_pages: int = 5
    ) -> Reading:
        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        parser = AzureDocumentIntelligence(name, self.service.endpoint, key, pause=pause)
        await parser.fetch(self.source, self.answer, password=password, on_progress=self.progress.append)
        return AZURE_ANALYSIS.read(self.answer, ReadOptions(max_pages=max_pages))


@pytest.fixture
def asking(service: AzureService, tmp_path: Path) -> ModelCalls:
    source = tmp_path / "original"
    source.write_bytes(b"%PDF-1.7 " + bytes(range(256)) * 4096)
    return ModelCalls(service, source)
