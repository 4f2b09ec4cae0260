"""One embedder of each kind; the remote one speaks to a real HTTP server on loopback."""

from collections.abc import AsyncIterator, Iterator

import pytest
from pydantic import SecretStr

from docsieve.embeddings.local import LocalEmbedder
from docsieve.embeddings.openai_compatible import OpenAICompatibleEmbedder
from docsieve.embeddings.port import Embedder
from tests.provider_server import KEY, NATIVE_DIMENSIONS, ProviderServer, serving


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    with serving() as server:
        yield server


@pytest.fixture
async def remote(provider: ProviderServer) -> AsyncIterator[OpenAICompatibleEmbedder]:
    opened = OpenAICompatibleEmbedder(provider.url, SecretStr(KEY), "letters", NATIVE_DIMENSIONS)
    yield opened
    await opened.close()


@pytest.fixture(params=["local", "remote", "remote, shortened"])
async def embedder(request: pytest.FixtureRequest, provider: ProviderServer) -> AsyncIterator[Embedder]:
    opened: Embedder
    if request.param == "local":
        opened = LocalEmbedder()
    else:
        size = NATIVE_DIMENSIONS if request.param == "remote" else NATIVE_DIMENSIONS // 2
        opened = OpenAICompatibleEmbedder(provider.url, SecretStr(KEY), "letters", size)
    yield opened
    await opened.close()
