"""What only OpenAI and Azure do."""

from collections.abc import AsyncIterator, Iterator

import pytest
from pydantic import SecretStr

from docsieve.errors.providers import ProviderRefused
from docsieve.llm.port import ChatModel, Question, Schema
from docsieve.llm.vendors.azure_openai import AzureOpenAIModel
from docsieve.llm.vendors.openai import OpenAIModel
from tests.llm.loopback import KEY, MODEL, Loopback, Reply, Said, serving
from tests.llm.protocols.openai import Azure, OpenAI
from tests.llm.test_contract import QUESTION


@pytest.fixture
def provider() -> Iterator[Loopback]:
    with serving(OpenAI()) as loopback:
        yield loopback


@pytest.fixture
async def model(provider: Loopback) -> AsyncIterator[ChatModel]:
    opened = OpenAIModel(MODEL, SecretStr(KEY), f"{provider.url}/v1")
    yield opened
    await opened.close()


async def test_a_quota_that_is_used_up_is_not_a_matter_of_waiting(model: ChatModel, provider: Loopback) -> None:
    provider.replies = [provider.problem(429, "insufficient_quota", Retry_After="1")]
    with pytest.raises(ProviderRefused, match="insufficient_quota"):
        await model.ask(QUESTION)


async def test_a_model_that_refuses_a_temperature_is_not_sent_one_again(model: ChatModel, provider: Loopback) -> None:
    provider.replies = [provider.problem(400, "unsupported_value", "'temperature' does not support 0 with this model.")]
    assert (await model.ask(QUESTION)).json == {"total": 12.5, "currency": None}
    await model.ask(QUESTION)
    assert ["temperature" in request.body for request in provider.requests] == [True, False, False]
    assert all(heard.schema is not None for heard in provider.heard())


async def test_a_schema_beyond_the_limits_of_strict_output_is_sent_without_that_promise(
    model: ChatModel, provider: Loopback
) -> None:
    deep: Schema = {"type": "string"}
    for _ in range(12):
        deep = {"type": "object", "properties": {"inner": deep}, "required": ["inner"]}
    provider.replies = [Reply(body=provider.protocol.said(Said()))]
    await model.ask(Question("", "", deep))
    assert provider.requests[0].body["response_format"]["json_schema"]["strict"] is False


async def test_an_azure_endpoint_may_name_another_version_of_the_api() -> None:
    class Newer(Azure):
        path = f"/openai/deployments/{MODEL}/chat/completions?api-version=2099-01-01"

    with serving(Newer()) as provider:
        model = AzureOpenAIModel(MODEL, SecretStr(KEY), f"{provider.url}/?api-version=2099-01-01")
        assert (await model.ask(QUESTION)).json == {"total": 12.5, "currency": None}
        await model.close()
