"""How every chat model fails: once, in our words, within bounds, and without telling the key."""

import asyncio
import gzip
import logging
import os

import pytest

from docsieve.errors.providers import AnswerUnreadable, ProviderBusy, ProviderError, ProviderRefused
from docsieve.llm.port import ChatModel, Question
from tests.llm.loopback import KEY, Loopback, Reply, Said
from tests.llm.test_contract import QUESTION, SCHEMA

ELSEWHERE = "http://127.0.0.1:9"
PACKED = gzip.compress(b" " * 20_000_000)
SURPRISES = {
    "HTTP_PROXY": ELSEWHERE,
    "HTTPS_PROXY": ELSEWHERE,
    "ALL_PROXY": ELSEWHERE,
    "OPENAI_API_KEY": "other",
    "OPENAI_BASE_URL": ELSEWHERE,
    "OPENAI_ORG_ID": "other",
    "OPENAI_PROJECT_ID": "other",
    "OPENAI_API_VERSION": "other",
    "OPENAI_LOG": "debug",
    "AZURE_OPENAI_ENDPOINT": ELSEWHERE,
    "AZURE_OPENAI_AD_TOKEN": "other",
    "ANTHROPIC_API_KEY": "other",
    "ANTHROPIC_AUTH_TOKEN": "other",
    "ANTHROPIC_BASE_URL": ELSEWHERE,
    "ANTHROPIC_LOG": "debug",
    "GOOGLE_API_KEY": "other",
    "GEMINI_API_KEY": "other",
    "GOOGLE_GENAI_USE_VERTEXAI": "true",
    "GOOGLE_GENAI_API_VERSION": "other",
    "GOOGLE_GEMINI_BASE_URL": ELSEWHERE,
    "GOOGLE_CLOUD_PROJECT": "other",
    "MISTRAL_API_KEY": "other",
    "MISTRAL_DEBUG": "1",
}


async def failing(model: ChatModel, question: Question = QUESTION) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        await model.ask(question)
    return caught.value


async def test_a_provider_that_wants_us_to_wait_says_how_long_and_is_not_asked_again(
    model: ChatModel, provider: Loopback
) -> None:
    provider.replies = [provider.problem(429, "rate_limit_exceeded", Retry_After="42")]
    error = await failing(model)
    assert isinstance(error, ProviderBusy)
    assert error.seconds == 42
    assert len(provider.requests) == 1


@pytest.mark.parametrize("status", [503, 529])
async def test_an_overload_with_a_time_to_wait_is_a_wait(model: ChatModel, provider: Loopback, status: int) -> None:
    provider.replies = [provider.problem(status, "overloaded", Retry_After_Ms="1500")]
    error = await failing(model)
    assert isinstance(error, ProviderBusy)
    assert error.seconds == 1.5
    assert len(provider.requests) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 408, 520])
async def test_a_server_s_failure_may_pass_and_is_not_retried_here(
    model: ChatModel, provider: Loopback, status: int
) -> None:
    provider.replies = [provider.problem(status, "server_error")]
    error = await failing(model)
    assert type(error) is ProviderError
    assert error.permanent is False
    assert len(provider.requests) == 1


@pytest.mark.parametrize("status", [401, 403, 404])
async def test_a_key_or_model_that_is_refused_is_final_and_asked_once(
    model: ChatModel, provider: Loopback, status: int
) -> None:
    provider.replies = [provider.problem(status, "no_such_thing", f"{KEY} is not good for: Total: 12.50")]
    error = await failing(model)
    assert isinstance(error, ProviderRefused)
    assert (error.permanent, error.answered) == (True, status)
    assert "12.50" not in error.detail
    assert len(provider.requests) == 1


async def test_a_redirect_is_not_followed(model: ChatModel, provider: Loopback) -> None:
    provider.replies = [Reply(307, {}, {"Location": f"{provider.url}/elsewhere"})]
    assert isinstance(await failing(model), ProviderRefused)
    assert len(provider.requests) == 1


async def test_a_provider_that_hangs_is_left(provider: Loopback) -> None:
    model = provider.protocol.open(provider.url, seconds=0.4)
    provider.replies = [Reply(hang=True)]
    assert (await failing(model)).permanent is False
    assert len(provider.requests) <= 1  # on a busy machine the time may be up before it is asked
    await model.close()


async def test_a_provider_that_never_comes_to_an_end_is_left(provider: Loopback) -> None:
    model = provider.protocol.open(provider.url, seconds=1.0)
    provider.replies = [Reply(body=provider.protocol.said(Said()), drip=True)]
    assert "did not respond within 1 seconds" in (await failing(model)).detail
    await model.close()


@pytest.mark.parametrize("cut", [0, 40])
async def test_a_connection_closed_midway_is_an_error(model: ChatModel, provider: Loopback, cut: int) -> None:
    provider.replies = [Reply(body=provider.protocol.said(Said()), cut=cut)]
    assert (await failing(model)).permanent is False
    assert len(provider.requests) == 1


async def test_an_unreachable_server_is_an_error(provider: Loopback) -> None:
    model = provider.protocol.open(ELSEWHERE)
    assert (await failing(model)).permanent is False
    await model.close()


@pytest.mark.parametrize("status", [200, 400, 500])
async def test_ten_megabytes_of_junk_are_not_read_to_their_end(
    model: ChatModel, provider: Loopback, status: int
) -> None:
    provider.replies = [Reply(status, raw=b"x" * 65_536, repeat=1_600)]
    assert (await failing(model)).permanent is False
    assert provider.sent_bytes < 32 * 1024**2


async def test_junk_that_is_packed_small_is_not_unpacked(model: ChatModel, provider: Loopback) -> None:
    provider.replies = [Reply(raw=PACKED, headers={"Content-Encoding": "gzip"})]
    assert (await failing(model)).permanent is False


@pytest.mark.parametrize(
    "reply",
    [
        Reply(body={}),
        Reply(body=[]),
        Reply(body="text"),
        Reply(body=None),
        Reply(raw=b""),
        Reply(raw=b"<html>Welcome</html>", headers={"Content-Type": "text/html"}),
        Reply(raw=b"\xff\xfe\x00"),
        Reply(raw=b"[" * 100_000),
        Reply(body={"choices": "x", "candidates": "x", "content": "x", "usage": "x", "usageMetadata": 1}),
        Reply(body={"choices": [], "candidates": [], "content": [], "stop_reason": ["x"], "model": 5}),
        Reply(body={"choices": [1], "candidates": [1], "content": [1]}),
        Reply(body={"choices": [{"message": "x"}], "candidates": [{"content": "x"}], "content": [{"type": "text"}]}),
        Reply(
            body={
                "choices": [{"message": {"content": {"a": 1}}, "finish_reason": {"a": 1}}],
                "candidates": [{"content": {"parts": [{"text": 5}]}, "finishReason": 5}],
                "content": [{"type": "text", "text": 5}],
                "usage": {"prompt_tokens": "many", "input_tokens": -5},
            }
        ),
    ],
    ids=[
        "empty object", "list", "string", "null", "nothing", "page", "bytes", "abyss", "strings", "no choice",
        "numbers", "no message", "other types",
    ],
)  # fmt: skip
async def test_a_reply_that_makes_no_sense_is_an_error_of_ours(
    model: ChatModel, provider: Loopback, reply: Reply
) -> None:
    provider.replies = [reply]
    error = await failing(model)
    assert error.permanent is False
    assert len(provider.requests) == 1
    if isinstance(error, AnswerUnreadable):
        assert error.answer.input_tokens == 0


async def test_an_answer_nested_without_end_is_an_error_of_ours(model: ChatModel, provider: Loopback) -> None:
    provider.said = Said('{"a":' * 50_000)
    assert (await failing(model)).permanent is False


async def test_the_environment_changes_neither_the_address_nor_the_key_nor_the_log(
    provider: Loopback, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name, value in SURPRISES.items():
        monkeypatch.setitem(os.environ, name, value)
    caplog.set_level(logging.DEBUG)
    model = provider.protocol.open(provider.url)
    await model.ask(QUESTION)
    [request] = provider.requests
    assert request.headers[provider.protocol.key_header] == provider.protocol.key_value
    assert "other" not in request.headers.values()
    logged = "\n".join(record.getMessage() for record in caplog.records)
    assert KEY not in logged
    assert "12.50" not in logged
    await model.close()


async def test_neither_errors_nor_their_causes_nor_the_model_itself_show_the_key(
    model: ChatModel, provider: Loopback
) -> None:
    provider.replies = [provider.problem(401, "invalid_api_key", f"{KEY} is wrong")]
    error = await failing(model)
    assert KEY not in f"{error!r} {error} {error.__cause__!r} {model!r} {vars(model)!r}"


async def test_many_at_once_share_one_connection_to_the_sdk(model: ChatModel, provider: Loopback) -> None:
    answers = await asyncio.gather(*(model.ask(Question("", str(number), SCHEMA)) for number in range(8)))
    assert [answer.json["total"] for answer in answers] == [12.5] * 8
    assert sorted(heard.user for heard in provider.heard()) == [str(number) for number in range(8)]
