"""How a document is sent and asked for: the vendor's client over HTTP against a loopback service."""

import asyncio
import logging
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pydantic import SecretStr

from docsieve.composition import azure_account
from docsieve.errors import (
    CorruptDocument,
    DocsieveError,
    EmptyDocument,
    PasswordRequired,
    TooLarge,
    TooManyPages,
    TooManyPixels,
    UnsupportedType,
)
from docsieve.errors.providers import ProviderBusy, ProviderError, ProviderRefused
from docsieve.remote.azure import client as azure
from docsieve.remote.azure.client import MODELS, PROVIDER, AzureDocumentIntelligence
from docsieve.remote.azure.prebuilt import AzureAccount
from docsieve.remote.registry import open_remote_parsers, remote_parser
from docsieve.settings import Settings
from tests.remote.azure.azure_service import KEY, RUNNING, Answer, AzureService, accepted, failed, refused, succeeded
from tests.remote.azure.conftest import ModelCalls

EMPTY_PAGE = {"pages": [{"pageNumber": 1, "angle": 0, "width": 8.5, "height": 11, "unit": "inch"}]}
DONE = succeeded(EMPTY_PAGE)


@pytest.mark.parametrize(("name", "model"), [("azure-read", "prebuilt-read"), ("azure-layout", "prebuilt-layout")])
async def test_a_document_is_sent_whole_once_and_asked_for_until_it_is_read(
    service: AzureService, asking: ModelCalls, name: str, model: str
) -> None:
    service.polls = [Answer(body={"status": "notStarted"}), RUNNING, DONE]
    reading = await asking.read(name)
    assert (reading.page_count, len(list(reading.pages))) == (1, 1)
    assert service.documents == [asking.source.read_bytes()]
    assert service.requests[0].headers["content-type"] == "application/octet-stream"
    (sent,) = service.paths("POST")
    assert sent == f"/documentintelligence/documentModels/{model}:analyze?api-version=2024-11-30"
    assert len(service.paths("GET")) == 3
    assert [each.stage for each in asking.progress] == ["sending", "reading"]


async def test_a_service_that_takes_too_long_is_a_timeout_of_the_provider(
    service: AzureService, asking: ModelCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(azure, "_LONGEST_SECONDS", 0.0)
    service.polls = [RUNNING]
    with pytest.raises(ProviderError) as raised:
        await asking.read()
    assert raised.value.code == "provider_timeout"


async def test_the_service_says_when_to_ask_again(service: AzureService, asking: ModelCalls) -> None:
    in_an_hour = format_datetime(datetime.now(UTC) + timedelta(minutes=30), usegmt=True)
    service.polls = [
        Answer(body={"status": "running"}, headers={"Retry-After": "7"}),
        Answer(429, {"error": {"code": "429"}}, {"Retry-After": "11"}),
        Answer(503, "<html>busy</html>", {"Retry-After": in_an_hour}),
        Answer(body={"status": "running"}),
        DONE,
    ]
    await asking.read()
    first, second, third, fourth = asking.pauses
    assert (first, second) == (7, 11)
    assert 1700 < third <= 1800
    assert fourth == azure._USUAL_PAUSE
    assert len(service.documents) == 1


@pytest.mark.parametrize("status", [429, 503])
async def test_a_service_that_takes_no_document_now_says_for_how_long(
    service: AzureService, asking: ModelCalls, status: int
) -> None:
    service.submits = [Answer(status, "slow down", {"Retry-After": "42"}), accepted()]
    service.polls = [DONE]
    with pytest.raises(ProviderBusy) as caught:
        await asking.read()
    assert (caught.value.seconds, caught.value.permanent) == (42, False)
    assert len(service.paths("POST")) == 1
    assert (await asking.read()).page_count == 1


async def test_a_poll_that_fails_now_and_then_does_not_send_the_document_again(
    service: AzureService, asking: ModelCalls
) -> None:
    service.polls = [Answer(500, "oops"), Answer(502, "<html>"), RUNNING, Answer(500, "oops"), DONE]
    assert (await asking.read()).page_count == 1
    assert len(service.documents) == 1


async def test_a_service_that_keeps_failing_is_given_up(service: AzureService, asking: ModelCalls) -> None:
    service.polls = [Answer(500, {"error": {"code": "InternalServerError", "message": "secret text"}})]
    with pytest.raises(ProviderError, match="InternalServerError") as caught:
        await asking.read()
    assert "secret text" not in caught.value.detail
    assert not caught.value.permanent
    assert asking.pauses == sorted(asking.pauses)


async def test_cancelling_stops_the_asking(service: AzureService, asking: ModelCalls) -> None:
    service.polls = [Answer(body={"status": "running"}, headers={"Retry-After": "3600"})]
    parser = AzureDocumentIntelligence("azure-read", service.endpoint, KEY)
    work = asyncio.ensure_future(
        parser.fetch(asking.source, asking.answer, password=None, on_progress=asking.progress.append)
    )
    await service.asked.wait()
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert len(service.paths("GET")) == 1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (refused(400, "InvalidContent", "The file is corrupted or format is unsupported."), CorruptDocument),
        (refused(400, "UnsupportedContent", "Content is not supported: password protected"), PasswordRequired),
        (refused(400, "UnsupportedContent", "Content is not supported."), UnsupportedType),
        (refused(400, "InvalidContentLength", "The input image is too large."), TooLarge),
        (refused(400, "InvalidContentDimensions"), TooManyPixels),
        (refused(400, "InvalidParameter"), ProviderRefused),
        (refused(404, "ModelNotFound"), ProviderRefused),
        (Answer(413, "too large"), TooLarge),
        (Answer(415, {"error": {"code": "UnsupportedMediaType"}}), UnsupportedType),
        (Answer(403, {"error": {"code": "Forbidden"}}), ProviderRefused),
        (Answer(500, "<html>gateway</html>"), ProviderError),
        (Answer(200, {"status": "succeeded"}), ProviderError),
    ],
)
async def test_a_refusal_is_told_as_what_it_is(
    service: AzureService, asking: ModelCalls, answer: Answer, error: type[DocsieveError]
) -> None:
    service.submits = [answer]
    with pytest.raises(DocsieveError) as caught:
        await asking.read()
    assert type(caught.value) is error
    assert service.paths("GET") == []


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (failed("InvalidRequest", innererror={"code": "InvalidContent", "message": "corrupted"}), CorruptDocument),
        (failed("InternalServerError"), ProviderError),
        (failed("InternalServerError", details=[{"code": "InvalidContentDimensions"}]), TooManyPixels),
        (Answer(body={"status": "failed"}), ProviderError),
        (Answer(body={"status": "canceled"}), ProviderError),
        (Answer(body={"status": "succeeded"}), ProviderError),
        (Answer(body={"unexpected": True}), ProviderError),
        (Answer(body="not JSON at all"), ProviderError),
        (Answer(404, {"error": {"code": "NotFound"}}), ProviderError),
        (Answer(401, {"error": {"code": "401"}}), ProviderRefused),
        (succeeded({"pages": []}), CorruptDocument),
        (succeeded({"pages": [{"pageNumber": number} for number in range(1, 7)]}), TooManyPages),
    ],
)
async def test_a_failed_analysis_is_told_as_what_it_is(
    service: AzureService, asking: ModelCalls, answer: Answer, error: type[DocsieveError]
) -> None:
    service.polls = [RUNNING, answer]
    with pytest.raises(DocsieveError) as caught:
        await asking.read()
    assert type(caught.value) is error


async def test_a_long_answer_is_judged_by_the_parser_alone(service: AzureService, asking: ModelCalls) -> None:
    service.polls = [succeeded({**EMPTY_PAGE, "content": "x" * 200_000})]
    assert (await asking.read()).page_count == 1
    service.polls = [failed("InternalServerError", "x" * 200_000)]
    with pytest.raises(ProviderError):
        await asking.read()


async def test_a_wrong_key_is_a_matter_of_configuration_and_is_not_retried(
    service: AzureService, asking: ModelCalls
) -> None:
    with pytest.raises(ProviderRefused, match="key") as caught:
        await asking.read(key="another-secret-key")
    assert caught.value.permanent
    assert "another-secret-key" not in caught.value.detail
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [302, 307, 308])
async def test_a_redirect_is_not_followed(service: AzureService, asking: ModelCalls, status: int) -> None:
    service.submits = [Answer(status, None, {"Location": f"{service.endpoint}/elsewhere"})]
    with pytest.raises(ProviderError):
        await asking.read()
    assert len(service.requests) == 1


async def test_an_unreachable_endpoint_is_a_failed_attempt(service: AzureService, asking: ModelCalls) -> None:
    service.endpoint = "http://127.0.0.1:9"
    with pytest.raises(ProviderError):
        await asking.read()


async def test_an_answer_without_end_is_cut_off(
    service: AzureService, asking: ModelCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(azure, "MAX_ANSWER_BYTES", 10_000)
    service.polls = [Answer(body={"status": "running", "filler": "x" * 20_000})]
    with pytest.raises(TooLarge):
        await asking.read()


async def test_what_the_service_cannot_take_is_not_sent(
    service: AzureService, asking: ModelCalls, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(PasswordRequired):
        await asking.read(password="open sesame")
    monkeypatch.setattr(azure, "MAX_DOCUMENT_BYTES", asking.source.stat().st_size - 1)
    with pytest.raises(TooLarge):
        await asking.read()
    asking.source.write_bytes(b"")
    with pytest.raises(EmptyDocument):
        await asking.read()
    assert service.requests == []


async def test_neither_key_nor_document_reaches_a_log(
    service: AzureService, asking: ModelCalls, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    service.polls = [RUNNING, DONE]
    await asking.read()
    assert any(record.name.startswith("azure.") for record in caplog.records)
    assert KEY not in caplog.text
    assert "PDF-1.7" not in caplog.text


@pytest.mark.parametrize(
    "endpoint", ["http://example.com", "ftp://example.com", "example.com", "http://127.0.0.1.example.com"]
)
def test_a_key_is_never_sent_in_the_clear(endpoint: str) -> None:
    with pytest.raises(ProviderRefused, match="https"):
        AzureDocumentIntelligence("azure-read", endpoint, KEY)


def test_parsers_are_found_by_name_where_they_are_configured() -> None:
    key, url = {PROVIDER: SecretStr("k")}, {PROVIDER: "https://example.com/"}
    assert azure_account(Settings(provider_keys=key)) is azure_account(Settings(provider_urls=url)) is None
    assert azure_account(Settings(provider_keys=key, provider_urls=url)) == AzureAccount("https://example.com/", "k")
    assert open_remote_parsers(None) == {}
    parsers = open_remote_parsers(AzureAccount("https://example.com/", "k"))
    assert parsers.keys() == set(MODELS)
    assert remote_parser(parsers, "azure-read", "application/pdf").name == "azure-read"
    with pytest.raises(DocsieveError, match="not available on this server"):
        remote_parser({}, "azure-read", "application/pdf")
    with pytest.raises(UnsupportedType):
        remote_parser(parsers, "azure-read", "text/plain")


def test_the_vendors_library_is_loaded_by_the_first_reading_only() -> None:
    program = (
        "import sys; from docsieve.remote.registry import open_remote_parsers;"
        "from docsieve.remote.azure.prebuilt import AzureAccount;"
        "open_remote_parsers(AzureAccount('https://example.com', 'k'));"
        "print([name for name in sys.modules if name.split('.')[0] in ('azure', 'aiohttp')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
