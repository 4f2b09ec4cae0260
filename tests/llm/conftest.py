"""Each adapter before a loopback server that speaks its provider's protocol."""

from collections.abc import AsyncIterator, Iterator

import pytest

from docsieve.llm.port import ChatModel
from tests.llm.loopback import Loopback, Protocol, serving
from tests.llm.protocols.anthropic import Anthropic
from tests.llm.protocols.gemini import Gemini
from tests.llm.protocols.mistral import Mistral
from tests.llm.protocols.openai import Azure, Compatible, OpenAI

PROTOCOLS: tuple[type[Protocol], ...] = (OpenAI, Azure, Compatible, Mistral, Anthropic, Gemini)


@pytest.fixture(params=PROTOCOLS, ids=lambda protocol: protocol.name)
def provider(request: pytest.FixtureRequest) -> Iterator[Loopback]:
    with serving(request.param()) as loopback:
        yield loopback


@pytest.fixture
async def model(provider: Loopback) -> AsyncIterator[ChatModel]:
    opened = provider.protocol.open(provider.url)
    yield opened
    await opened.close()
