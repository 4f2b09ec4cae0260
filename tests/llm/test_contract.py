"""What every chat model does; the remote one speaks to a real HTTP server on loopback."""

from collections.abc import AsyncIterator, Iterator

import pytest
from pydantic import SecretStr

from docsieve.llm.openai_compatible import OpenAICompatibleModel
from docsieve.llm.port import ChatModel, Schema
from docsieve.providers import ATTEMPTS, ProviderBusy, ProviderError, ProviderRefused
from tests.provider_server import KEY, ProviderServer, Reply, problem, serving

SCHEMA: Schema = {
    "type": "object",
    "properties": {"total": {"type": "number"}},
    "required": ["total"],
    "additionalProperties": False,
}


@pytest.fixture
def provider() -> Iterator[ProviderServer]:
    with serving() as server:
        yield server


@pytest.fixture(params=["openai"])
async def model(provider: ProviderServer) -> AsyncIterator[ChatModel]:
    opened = OpenAICompatibleModel(provider.url, SecretStr(KEY), "small")
    yield opened
    await opened.close()


def completion(content: str | None, reason: str = "stop", refusal: str | None = None) -> Reply:
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return Reply(body={"choices": [{"index": 0, "finish_reason": reason, "message": message}]})


async def test_instructions_and_question_arrive_apart_and_the_answer_is_an_object(
    model: ChatModel, provider: ProviderServer
) -> None:
    provider.answer = lambda request: {"total": 12.5}
    assert await model.answer_json("Find the total.", "Total: 12.50", SCHEMA) == {"total": 12.5}
    (request,) = provider.requests
    assert request["messages"] == [
        {"role": "system", "content": "Find the total."},
        {"role": "user", "content": "Total: 12.50"},
    ]
    assert request["response_format"]["json_schema"]["schema"] == SCHEMA
    assert request["model"] in model.name


async def test_a_provider_that_wants_a_long_wait_says_how_long(model: ChatModel, provider: ProviderServer) -> None:
    provider.replies = [problem(429, "rate_limit_exceeded", **{"Retry-After": "42"})]
    with pytest.raises(ProviderBusy) as caught:
        await model.answer_json("", "", SCHEMA)
    assert caught.value.seconds == 42


async def test_a_short_wait_is_waited_for(model: ChatModel, provider: ProviderServer) -> None:
    provider.replies = [problem(503, "overloaded", **{"Retry-After-Ms": "1"})]
    provider.answer = lambda request: {"total": 1}
    assert await model.answer_json("", "", SCHEMA) == {"total": 1}


@pytest.mark.parametrize(
    "reply",
    [
        problem(401, "invalid_api_key"),
        completion(None, refusal="I cannot help with that."),
        completion("", reason="content_filter"),
        completion('{"total": 1', reason="length"),
    ],
    ids=["key", "refusal", "filter", "length"],
)
async def test_a_refusal_is_final(model: ChatModel, provider: ProviderServer, reply: Reply) -> None:
    provider.replies = [reply]
    with pytest.raises(ProviderRefused):
        await model.answer_json("", "", SCHEMA)
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body={}),
        Reply(body={"choices": []}),
        Reply(body={"choices": [{"message": "hello"}]}),
        completion(None),
        completion("The total is 12.50."),
        completion("[1]"),
        completion("[" * 100_000),
        Reply(raw=b" " * 5_000_000),
    ],
    ids=["empty", "no choice", "no message", "no content", "prose", "list", "abyss", "flood"],
)
async def test_an_answer_that_makes_no_sense_is_an_error(
    model: ChatModel, provider: ProviderServer, reply: Reply
) -> None:
    provider.replies = [reply] * ATTEMPTS
    with pytest.raises(ProviderError) as caught:
        await model.answer_json("", "", SCHEMA)
    assert caught.value.permanent is False
