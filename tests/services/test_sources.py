"""Files from object stores and web servers: what comes, and which error says what was wrong."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from uuid import UUID

import pytest

from docsieve import outbound
from docsieve.blobs.registry import open_store
from docsieve.errors import DocsieveError, TooLarge
from docsieve.errors.outbound import AddressNotAllowed
from docsieve.errors.uploads import SourceNotAllowed, SourceNotFound, SourceRefused, SourceUnavailable
from docsieve.outbound.addresses import AddressPolicy
from docsieve.outbound.http import OutboundClient
from docsieve.services.sources import check_source, read_source
from docsieve.settings import Settings
from docsieve.sources import parse_source
from tests.blobs.conftest import az, gs, s3
from tests.emulators.faulty_proxy import Fault, faulty_proxy
from tests.emulators.stores import Emulator
from tests.file_server import FileServer, Reply, serving_files
from tests.outbound.calls import Names
from tests.outbound.receivers import OK, answering, receiver

__all__ = ["az", "gs", "s3"]

CONTENT = b"%PDF-1.7\n" + b"0123456789" * 200_000
TENANT = UUID(int=7)


@pytest.fixture
def files() -> Iterator[FileServer]:
    with serving_files() as running:
        yield running


@pytest.fixture
async def client() -> AsyncIterator[OutboundClient]:
    opened = outbound.client(Settings.model_validate({"outbound_allow": "127.0.0.0/8"}))
    yield opened
    await opened.close()


async def fetch(client: OutboundClient, source: str, max_bytes: int = 10**9) -> bytes:
    chunks = read_source(parse_source(source), client, max_bytes=max_bytes)
    return b"".join([chunk async for chunk in chunks])


async def failure(client: OutboundClient, source: str, max_bytes: int = 10**9) -> DocsieveError:
    with pytest.raises(DocsieveError) as caught:
        await fetch(client, source, max_bytes)
    return caught.value


async def stored(emulator: Emulator, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of an object."""
    emulator.use(monkeypatch)
    bucket = f"{emulator.scheme}://{emulator.create_bucket()}"
    store = open_store(bucket)
    await store.put("in box/a.pdf", _once(CONTENT))
    await store.close()
    return f"{bucket}/in box/a.pdf"


async def _once(content: bytes) -> AsyncIterator[bytes]:
    yield content


@pytest.mark.process
@pytest.mark.parametrize(
    "scheme", ["s3", pytest.param("az", marks=pytest.mark.slow), pytest.param("gs", marks=pytest.mark.slow)]
)
async def test_an_object_comes_whole_and_a_missing_one_is_not_found(
    scheme: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, client: OutboundClient
) -> None:
    source = await stored(request.getfixturevalue(scheme), monkeypatch)
    assert await fetch(client, source) == CONTENT
    assert isinstance(await failure(client, f"{source}.gone"), SourceNotFound)
    assert isinstance(
        await failure(client, f"{scheme}://no-such-bucket-{UUID(int=1)}/a"), SourceNotFound | SourceRefused
    )
    assert isinstance(await failure(client, source, max_bytes=len(CONTENT) - 1), TooLarge)


@pytest.mark.process
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault("GET", keep=100_000), SourceUnavailable),
        (Fault(status=403, body=b"<Error><Code>InvalidAccessKeyId</Code></Error>"), SourceRefused),
    ],
    ids=["truncated", "wrong credentials"],
)
async def test_an_object_that_is_cut_off_or_refused_is_an_error(
    s3: Emulator, monkeypatch: pytest.MonkeyPatch, client: OutboundClient, fault: Fault, error: type[DocsieveError]
) -> None:
    source = await stored(s3, monkeypatch)
    async with faulty_proxy(s3.port) as proxy:
        s3.use(monkeypatch, port=proxy.port)
        proxy.always = fault
        raised = await failure(client, source)
    assert isinstance(raised, error)
    assert "127.0.0.1" not in raised.detail


async def test_a_file_of_a_web_server_comes_whole(files: FileServer, client: OutboundClient) -> None:
    assert await fetch(client, files.serve("/a.pdf", CONTENT) + "?token=1") == CONTENT
    assert files.asked == ["/a.pdf?token=1"]


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(status=404), SourceNotFound),
        (Reply(status=410), SourceNotFound),
        (Reply(status=401), SourceRefused),
        (Reply(status=403), SourceRefused),
        (Reply(status=206, body=CONTENT), SourceRefused),
        (Reply(status=302, headers={"Location": "http://127.0.0.1:1/"}), SourceRefused),
        (Reply(status=429), SourceUnavailable),
        (Reply(status=503), SourceUnavailable),
        (Reply(CONTENT, announced=len(CONTENT) + 1), SourceUnavailable),
        (Reply(CONTENT, announced=-1), SourceRefused),
        (Reply(CONTENT, headers={"Content-Encoding": "gzip"}), SourceRefused),
        (Reply(b"%PDF", announced=10**12), TooLarge),
    ],
    ids=lambda given: f"{given.status}-{given.announced}" if isinstance(given, Reply) else given.__name__,
)
async def test_each_way_to_fail_has_its_error(
    files: FileServer, client: OutboundClient, reply: Reply, error: type[DocsieveError]
) -> None:
    assert type(await failure(client, files.serve("/a.pdf", reply))) is error


ETAG = {"ETag": '"v1"'}
CUT = len(CONTENT) // 3


def rest(position: int, **headers: str) -> Reply:
    length = len(CONTENT)
    said = {"Content-Range": f"bytes {position}-{length - 1}/{length}", **ETAG, **headers}
    return Reply(CONTENT[position:], status=206, headers=said)


async def test_a_download_that_breaks_off_twice_continues_where_it_did(
    files: FileServer, client: OutboundClient
) -> None:
    first = Reply(CONTENT[:CUT], announced=len(CONTENT), headers=ETAG)
    second = Reply(CONTENT[CUT : 2 * CUT], 206, len(CONTENT) - CUT, {"Content-Range": f"bytes {CUT}-/*", **ETAG})
    assert await fetch(client, files.serve("/a.pdf", first, second, rest(2 * CUT))) == CONTENT
    asked = [(each.get("range"), each.get("if-match")) for each in files.headers]
    assert asked == [(None, None), (f"bytes={CUT}-", '"v1"'), (f"bytes={2 * CUT}-", '"v1"')]


@pytest.mark.parametrize(
    ("etag", "reply", "times"),
    [
        ('"v1"', Reply(status=412), 2),
        ('"v1"', Reply(CONTENT, headers=ETAG), 2),
        ('"v1"', rest(CUT, ETag='"v2"'), 2),
        ('"v1"', rest(CUT - 1), 2),
        ('"v1"', Reply(b"", 206, len(CONTENT) - CUT, {"Content-Range": f"bytes {CUT}-/*"}), 2),
        ('W/"v1"', rest(CUT), 1),
        ("", rest(CUT), 1),
    ],
    ids=["changed", "no ranges", "another version", "another place", "no progress", "weak", "no version"],
)
async def test_a_download_is_not_continued_with_other_bytes(
    files: FileServer, client: OutboundClient, etag: str, reply: Reply, times: int
) -> None:
    first = Reply(CONTENT[:CUT], announced=len(CONTENT), headers={"ETag": etag} if etag else {})
    assert type(await failure(client, files.serve("/a.pdf", first, reply))) is SourceUnavailable
    assert len(files.asked) == times


async def test_a_listed_name_that_leads_into_the_internal_network_is_never_called() -> None:
    async with receiver(answering(OK)) as canary:
        client = OutboundClient(AddressPolicy(), [(1, 65535)], resolve=Names("127.0.0.1"))
        raised = await failure(client, f"https://files.example.com:{canary.port}/a.pdf")
        await client.close()
    assert isinstance(raised, AddressNotAllowed)
    assert canary.peers == []


async def test_a_download_that_is_cancelled_closes_its_connection(files: FileServer, client: OutboundClient) -> None:
    files.open.clear()
    source = files.serve("/a.pdf", CONTENT)
    task = asyncio.create_task(fetch(client, source))
    await asyncio.to_thread(files.waiting.wait, 20)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


@pytest.mark.parametrize("source", ["s3://other/a.pdf", "https://evil.example.com/a.pdf", "http://127.0.0.1/a.pdf"])
def test_a_source_that_is_not_listed_is_refused_before_anything_else(source: str) -> None:
    settings = Settings.model_validate({"sources_allow": "s3://inbox,https://files.example.com"})
    with pytest.raises(SourceNotAllowed):
        check_source(source, settings, TENANT)


def test_a_listed_host_must_also_be_an_address_that_may_be_called() -> None:
    settings = Settings.model_validate({"sources_allow": "http://127.0.0.1:8000"})
    with pytest.raises(AddressNotAllowed):
        check_source("http://127.0.0.1:8000/a.pdf", settings, TENANT)
