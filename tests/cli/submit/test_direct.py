"""Large files of `docsieve submit` go to the blob store itself."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from docsieve.cli.console.http import Server
from docsieve.cli.submit.direct import DirectUpload
from docsieve.cli.submit.uploads import Letter, Outcome, Sender
from docsieve.cli.submit.uploads_view import SendingView
from docsieve.errors.setup import ServerProblem
from tests.api.conftest import api
from tests.api.running import Running, running
from tests.blobs.conftest import s3
from tests.cli.terminal import CommandLine
from tests.emulators.faulty_proxy import Fault, faulty_proxy
from tests.emulators.stores import Emulator

__all__ = ["api", "s3"]

CONTENT = b"Invoice 17\n" * 10_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "invoice.txt"
    path.write_bytes(CONTENT)
    return path


async def send(api: Running, path: Path, *, through_api_too: bool = False) -> dict[str, Any] | None:
    client = await api.admin(await api.tenant("acme"))
    with SendingView(1, quiet=True) as view:
        fields = {"metadata": '{"a": 1}', "priority": "3", "schema": "none"}
        upload = DirectUpload(Server(client, "http://docsieve"), path, path.name, fields, view.row(path))
        return await upload.send(through_api_too=through_api_too)


@asynccontextmanager
async def behind(s3: Emulator, monkeypatch: pytest.MonkeyPatch, fault: Fault) -> AsyncIterator[str]:
    """The URL of a bucket whose server does this to one request."""
    async with faulty_proxy(s3.port) as proxy:
        s3.use(monkeypatch, port=proxy.port)
        proxy.faults.append(fault)
        yield f"s3://{s3.create_bucket()}/blobs"
        assert not proxy.faults


@pytest.mark.process
async def test_a_file_goes_to_the_store_again_if_that_fails_and_its_hash_is_verified(
    s3: Emulator, database_url: str, tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        behind(s3, monkeypatch, Fault("PUT", status=503)) as blob_url,
        running(database_url, tmp_path, blob_url=blob_url) as api,
    ):
        document = await send(api, file)
    assert document is not None
    assert (document["filename"], document["metadata"], document["schema"]) == ("invoice.txt", {"a": 1}, "none")
    assert document["sha256"] == hashlib.sha256(CONTENT).hexdigest()


@pytest.mark.process
async def test_a_store_that_refuses_the_file_is_reported(
    s3: Emulator, database_url: str, tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with (
        behind(s3, monkeypatch, Fault("PUT", status=403)) as blob_url,
        running(database_url, tmp_path, blob_url=blob_url) as api,
    ):
        with pytest.raises(ServerProblem, match="403"):
            await send(api, file)


async def test_a_store_that_cannot_be_reached_leaves_the_file_to_a_plain_upload_and_no_upload_behind(
    api: Running, file: Path
) -> None:
    assert await send(api, file) is None
    assert await api.resources.database.pool.fetchval("select count(*) from uploads") == 0


@pytest.mark.parametrize("direct", [None, False])
async def test_a_small_file_is_not_asked_about(api: Running, file: Path, direct: bool | None) -> None:
    client = await api.admin(await api.tenant("acme"))
    asked: list[str] = []

    async def note(request: httpx.Request) -> None:
        asked.append(request.url.path)

    client.event_hooks["request"] = [note]
    outcomes: dict[Path, Outcome] = {}
    with SendingView(1, quiet=True) as view:
        sender = Sender(Server(client, "http://docsieve"), view, {}, False, None, lambda _: None)
        await sender.send_all([Letter(file, "key", direct=direct)], outcomes)
    assert (outcomes[file].status, asked) == ("pending", ["/api/v1/documents"])


@pytest.mark.process
async def test_a_file_that_changes_after_it_was_announced_is_refused(
    s3: Emulator, database_url: str, tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    s3.use(monkeypatch)

    async def change(request: httpx.Request) -> None:
        if request.url.path.endswith("/uploads"):
            await asyncio.to_thread(file.write_bytes, CONTENT.replace(b"17", b"18"))

    async with running(database_url, tmp_path, blob_url=f"s3://{s3.create_bucket()}/blobs") as api:
        client = await api.admin(await api.tenant("acme"))
        client.event_hooks["request"] = [change]
        with SendingView(1, quiet=True) as view:
            upload = DirectUpload(Server(client, "http://docsieve"), file, file.name, {}, view.row(file))
            with pytest.raises(ServerProblem) as refused:
                await upload.send(through_api_too=False)
    assert refused.value.code == "checksum_mismatch"


def test_direct_sends_any_file_by_signed_requests(docsieve: CommandLine, file: Path) -> None:
    ran = docsieve("submit", file, "--direct", "--wait", "--schema", "none")
    assert (ran.code, ran.err) == (0, "")
    assert "ready" in ran.out


def test_direct_and_an_idempotency_key_exclude_each_other(docsieve: CommandLine, file: Path) -> None:
    ran = docsieve("submit", file, "--direct", "--idempotency-key", "k")
    assert ran.code == 2
    assert "exclude" in ran.err


def test_a_url_that_the_server_does_not_allow_is_shown_as_refused(docsieve: CommandLine) -> None:
    ran = docsieve("submit", "s3://bucket/a.pdf", "https://files.example.com/b.pdf", "--json")
    assert ran.code == 1
    assert ran.out.count('"code": "source_not_allowed"') == 2
    assert '"file": "s3://bucket/a.pdf"' in ran.out
