"""The remote embedder against a server on loopback that follows the documented protocol."""

import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import numpy
import pytest
from pydantic import SecretStr

from docsieve.embeddings.openai_compatible import OpenAICompatibleEmbedder
from docsieve.embeddings.port import Answered, Vectors
from docsieve.errors import Invalid
from docsieve.errors.providers import ProviderBusy, ProviderError, ProviderRefused
from docsieve.providers.http import ATTEMPTS
from tests.provider_server import KEY, NATIVE_DIMENSIONS, ProviderServer, Reply, problem

SECRET_TEXT = "the patient's name is Jane"


async def test_texts_go_in_batches_that_the_protocol_takes(
    remote: OpenAICompatibleEmbedder, provider: ProviderServer
) -> None:
    await remote.embed([f"text {number}" for number in range(150)] + ["long " * 5_000] * 20)
    sizes = [len(request["input"]) for request in provider.requests]
    assert sum(sizes) == 170
    assert max(sizes) <= 64
    assert max(sum(map(len, request["input"])) for request in provider.requests) <= 100_000
    assert max(len(text) for request in provider.requests for text in request["input"]) <= 8_000


async def test_shorter_vectors_are_asked_for_only_where_the_model_gives_longer_ones(provider: ProviderServer) -> None:
    native = OpenAICompatibleEmbedder(provider.url, SecretStr(KEY), "letters", NATIVE_DIMENSIONS)
    short = OpenAICompatibleEmbedder(provider.url, SecretStr(KEY), "letters", 8)
    await native.embed(["a"])
    assert "dimensions" not in provider.requests[-1]
    assert (await short.embed(["a"])).shape == (1, 8)
    await short.embed(["b"])
    assert [request.get("dimensions") for request in provider.requests[1:]] == [None, 8, 8]
    await native.close()
    await short.close()


async def test_a_model_that_cannot_give_the_wanted_size_is_refused(provider: ProviderServer) -> None:
    embedder = OpenAICompatibleEmbedder(provider.url, SecretStr(KEY), "letters", 100)
    with pytest.raises(ProviderRefused, match="24 dimensions instead of 100"):
        await embedder.embed(["a"])
    await embedder.close()


@pytest.mark.parametrize("status", [429, 500, 502, 503])
async def test_a_passing_failure_is_tried_again(
    remote: OpenAICompatibleEmbedder, provider: ProviderServer, status: int
) -> None:
    provider.replies = [problem(status, "passing", **{"Retry-After-Ms": "1"})]
    assert numpy.linalg.norm((await remote.embed(["apple"]))[0]) == pytest.approx(1)
    assert len(provider.requests) == 2


@pytest.mark.parametrize(
    ("said", "least", "most"),
    [
        ("30", 30, 30),
        ("7.5", 7.5, 7.5),
        ("a moment in an hour", 3_000, 3_600),
        ("when the moon is full", 15, 15),
        ("9" * 40, 86_400, 86_400),
    ],
)
async def test_a_provider_that_wants_a_long_wait_is_left_alone_for_so_long(
    remote: OpenAICompatibleEmbedder, provider: ProviderServer, said: str, least: float, most: float
) -> None:
    if said == "a moment in an hour":
        said = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    provider.replies = [problem(429, "rate_limit_exceeded", **{"Retry-After": said})]
    with pytest.raises(ProviderBusy) as caught:
        await remote.embed(["apple"])
    assert least <= caught.value.seconds <= most
    assert len(provider.requests) == 1
    assert caught.value.permanent is False


async def test_a_provider_that_keeps_failing_is_given_up_for_this_attempt(
    remote: OpenAICompatibleEmbedder, provider: ProviderServer
) -> None:
    provider.replies = [problem(429, "rate_limit_exceeded", **{"Retry-After": "0"})] * 9
    with pytest.raises(ProviderBusy):
        await remote.embed(["apple"])
    assert len(provider.requests) == ATTEMPTS


@pytest.mark.parametrize(
    "reply",
    [
        problem(400, "invalid_input", SECRET_TEXT),
        problem(401, "invalid_api_key", f"wrong key {KEY}"),
        problem(404, "model_not_found"),
        problem(429, "insufficient_quota"),
        Reply(302, {}, {"Location": "http://127.0.0.1:1/elsewhere"}),
    ],
    ids=lambda reply: str(reply.status),
)
async def test_a_refusal_is_final_and_repeats_neither_text_nor_key(
    remote: OpenAICompatibleEmbedder, provider: ProviderServer, reply: Reply
) -> None:
    provider.replies = [reply]
    with pytest.raises(ProviderRefused) as caught:
        await remote.embed([SECRET_TEXT])
    assert caught.value.permanent
    assert str(reply.status) in caught.value.detail
    assert SECRET_TEXT not in caught.value.detail
    assert KEY not in caught.value.detail
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "body",
    [
        b"<html>gateway</html>",
        b"[" * 100_000,
        b"[]",
        b"{}",
        b'{"data": []}',
        b'{"data": [{"index": 0, "embedding": [1, "x"]}]}',
        b'{"data": [{"index": 0, "embedding": 5}]}',
        b'{"data": [{"index": 0, "embedding": [' + b"0," * (NATIVE_DIMENSIONS - 1) + b"0]}]}",
        b'{"data": [{"index": 0, "embedding": [' + b"NaN," * (NATIVE_DIMENSIONS - 1) + b"1]}]}",
    ],
    ids=lambda body: body[:30].decode(),
)
async def test_an_answer_that_makes_no_sense_is_an_error_and_no_vector(
    remote: OpenAICompatibleEmbedder, provider: ProviderServer, body: bytes
) -> None:
    provider.replies = [Reply(raw=body)] * ATTEMPTS
    with pytest.raises(ProviderError):
        await remote.embed(["apple"])


async def test_an_answer_without_end_is_cut_off(
    remote: OpenAICompatibleEmbedder, provider: ProviderServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("docsieve.embeddings.openai_compatible._MAX_RESPONSE_BYTES", 10_000)
    provider.replies = [Reply(raw=b" " * 1_000_000)] * ATTEMPTS
    with pytest.raises(ProviderError, match="more than 10000 bytes"):
        await remote.embed(["apple"])


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 7, "total_tokens": 7}, 7),
        ({"prompt_tokens": 0}, 0),
        ({"prompt_tokens": -1}, None),
        ({"prompt_tokens": 10**12}, None),
        ({"prompt_tokens": "7"}, None),
        ({"prompt_tokens": True}, None),
        ([7], None),
        (None, None),
    ],
)
async def test_through_a_gate_a_request_is_sent_once_with_the_tokens_that_were_counted(
    remote: OpenAICompatibleEmbedder, provider: ProviderServer, usage: object, tokens: int | None
) -> None:
    data = [{"index": 0, "embedding": [1.0] * NATIVE_DIMENSIONS}]
    provider.replies = [problem(500, "passing"), Reply(body={"data": data, "usage": usage})]

    async def gate(request: Callable[[], Awaitable[Answered]], *, about_tokens: int) -> Vectors:
        assert 2 <= about_tokens <= 5
        with pytest.raises(ProviderError):
            await request()
        assert len(provider.requests) == 1
        answered = await request()
        assert answered.tokens == tokens
        return answered.vectors

    assert (await remote.embed(["apple pie"], gate=gate)).shape == (1, NATIVE_DIMENSIONS)


async def test_a_server_that_is_not_there_is_a_passing_failure() -> None:
    embedder = OpenAICompatibleEmbedder("http://127.0.0.1:1/v1", None, "letters", 8)
    with pytest.raises(ProviderError, match="ConnectError") as caught:
        await embedder.embed(["apple"])
    assert caught.value.permanent is False
    await embedder.close()


def test_a_key_that_no_header_can_hold_is_refused_without_repeating_it() -> None:
    with pytest.raises(Invalid) as caught:
        OpenAICompatibleEmbedder("http://127.0.0.1:1/v1", SecretStr("sk-broken\nkey"), "letters", 8)
    assert "broken" not in caught.value.detail


async def test_the_key_may_have_a_line_end_and_reaches_no_log(
    provider: ProviderServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    embedder = OpenAICompatibleEmbedder(provider.url, SecretStr(f"{KEY}\n"), "letters", NATIVE_DIMENSIONS)
    await embedder.embed([SECRET_TEXT])
    assert caplog.text
    assert KEY not in caplog.text
    assert SECRET_TEXT not in caplog.text
    await embedder.close()
