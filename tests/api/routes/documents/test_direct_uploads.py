"""Files that bypass the API: signed requests, completion, and signed downloads."""

import asyncio
import hashlib
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.ids import new_id
from tests.api.running import Running, assert_problem, running, uploaded
from tests.emulators.stores import Emulator, emulator

MIB = 1024**2
CONTENT = b"Invoice 17\n" * 10


async def begin(client: httpx.AsyncClient, content: bytes = CONTENT, **given: Any) -> dict[str, Any]:
    answer = await client.post("/uploads", json={"filename": "a.txt", "size": len(content), **given})
    assert answer.status_code == 201, answer.text
    begun: dict[str, Any] = answer.json()
    return begun


async def send(sender: httpx.AsyncClient, upload: dict[str, Any], content: bytes = CONTENT) -> None:
    for part in upload["parts"]:
        piece, content = content[: part["size"]], content[part["size"] :]
        answer = await sender.put(part["url"], content=piece, headers=part["headers"])
        assert answer.is_success, answer.text
    assert content == b""


async def complete(client: httpx.AsyncClient, upload: dict[str, Any]) -> httpx.Response:
    return await client.post(f"/uploads/{upload['id']}/complete")


@pytest.fixture
async def sender(api: Running) -> httpx.AsyncClient:
    """Has no API key."""
    return await api.client(prefix="")


@pytest.mark.parametrize("parts", [1, 3])
async def test_a_completed_upload_is_a_document_like_any_other(
    api: Running, client: httpx.AsyncClient, sender: httpx.AsyncClient, parts: int
) -> None:
    content = b"%PDF-1.4\n" + b"x" * (MIB * (parts - 1) + 10)
    options = {"metadata": {"a": 1}, "priority": 3, "schema": "none", "password": "secret", "split": "auto"}
    upload = await begin(client, content, part_bytes=MIB, sha256=hashlib.sha256(content).hexdigest(), **options)
    assert [part["number"] for part in upload["parts"]] == list(range(1, parts + 1))
    await send(sender, upload, content)

    document = (await complete(client, upload)).json()

    same = await uploaded(
        client, content, "a.txt", metadata='{"a": 1}', priority="3", schema="none", password="secret", split="auto"
    )
    own = {"id", "processing_job_id", "created_at", "updated_at", "duplicate_of"}
    assert {k: v for k, v in document.items() if k not in own} == {k: v for k, v in same.items() if k not in own}
    assert same["duplicate_of"] == document["id"]
    job = await client.get(f"/jobs/{document['processing_job_id']}")
    assert (job.json()["status"], job.json()["priority"]) == ("pending", 3)
    assert (await client.get(f"/documents/{document['id']}/file")).content == content
    assert [key for key in await api.blobs() if key.startswith("uploads/")] == []


async def test_completing_again_and_at_once_is_one_document(
    api: Running, client: httpx.AsyncClient, sender: httpx.AsyncClient
) -> None:
    upload = await begin(client)
    await send(sender, upload)

    answers = await asyncio.gather(*(complete(client, upload) for _ in range(4)))
    answers.append(await complete(client, upload))

    assert {answer.status_code for answer in answers} == {200}
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert await api.count("documents") == await api.count("jobs") == 1
    assert len([key for key in await api.blobs() if key.startswith("documents/")]) == 1


async def test_a_wrong_hash_or_a_missing_part_is_refused_and_the_upload_stays(
    api: Running, client: httpx.AsyncClient, sender: httpx.AsyncClient
) -> None:
    upload = await begin(client, sha256=hashlib.sha256(CONTENT).hexdigest())
    assert_problem(await complete(client, upload), 409, "upload_incomplete")
    await send(sender, upload, b"Z" + CONTENT[1:])
    assert_problem(await complete(client, upload), 422, "checksum_mismatch")
    assert await api.count("documents") == 0
    assert [key for key in await api.blobs() if key.startswith("documents/")] == []

    await send(sender, upload)
    assert (await complete(client, upload)).status_code == 200


async def test_a_part_must_have_its_announced_size(client: httpx.AsyncClient, sender: httpx.AsyncClient) -> None:
    upload = await begin(client)
    url = upload["parts"][0]["url"]

    assert_problem(await sender.put(url, content=CONTENT[:-1]), 422, "invalid_request")
    assert_problem(await sender.put(url, content=CONTENT + b"x"), 422, "invalid_request")
    assert_problem(await complete(client, upload), 409, "upload_incomplete")


async def test_what_cannot_be_read_is_refused_on_completion(
    api: Running, client: httpx.AsyncClient, sender: httpx.AsyncClient
) -> None:
    content = b"\x7fELF" + bytes(100)
    upload = await begin(client, content)
    await send(sender, upload, content)

    assert_problem(await complete(client, upload), 415, "unsupported_type")
    assert [key for key in await api.blobs() if key.startswith("documents/")] == []


async def test_wrong_options_are_refused_before_anything_is_sent(client: httpx.AsyncClient) -> None:
    for given, status, code in (
        ({"size": 2**40}, 413, "too_large"),
        ({"size": 0}, 422, "invalid_request"),
        ({"sha256": "xyz"}, 422, "invalid_request"),
        ({"project": "nowhere"}, 422, "unknown_project"),
        ({"schema": "nowhere"}, 422, "unknown_schema"),
        ({"ocr_engine": "nowhere"}, 422, "ocr_engine_unknown"),
        ({"size": 2**31, "part_bytes": MIB}, 422, "invalid_request"),
        ({"unknown": 1}, 422, "invalid_request"),
    ):
        answer = await client.post("/uploads", json={"filename": "a.txt", "size": 5, **given})
        assert_problem(answer, status, code)


async def test_a_cancelled_upload_is_gone_with_its_parts(
    api: Running, client: httpx.AsyncClient, sender: httpx.AsyncClient
) -> None:
    upload = await begin(client)
    await send(sender, upload)

    assert (await client.delete(f"/uploads/{upload['id']}")).status_code == 204

    assert await api.blobs() == set()
    assert_problem(await client.delete(f"/uploads/{upload['id']}"), 404, "not_found")
    assert_problem(await complete(client, upload), 404, "not_found")


async def test_a_completed_upload_cannot_be_cancelled(client: httpx.AsyncClient, sender: httpx.AsyncClient) -> None:
    upload = await begin(client)
    await send(sender, upload)
    document = (await complete(client, upload)).json()

    assert_problem(await client.delete(f"/uploads/{upload['id']}"), 409, "upload_completed")
    assert (await client.delete(f"/documents/{document['id']}")).status_code == 204
    assert_problem(await complete(client, upload), 404, "not_found")


async def test_another_tenant_or_project_cannot_complete_an_upload(
    api: Running, acme: Tenant, client: httpx.AsyncClient, sender: httpx.AsyncClient
) -> None:
    upload = await begin(client)
    await send(sender, upload)
    other = await api.admin(await api.tenant("other"))
    side = await api.admin(acme, project_id=await api.project(acme, "side"))

    for stranger in (other, side):
        assert_problem(await complete(stranger, upload), 404, "not_found")
        assert_problem(await stranger.delete(f"/uploads/{upload['id']}"), 404, "not_found")


async def test_a_signed_url_is_good_for_one_part_only(client: httpx.AsyncClient, sender: httpx.AsyncClient) -> None:
    upload = await begin(client)
    url = upload["parts"][0]["url"]
    signature = url.rpartition("=")[2]
    forged = [
        url.replace("/parts/1", "/parts/2"),
        url.replace(upload["id"], str(new_id())),
        url.replace(f"size={len(CONTENT)}", "size=9999"),
        url.replace("expires=1", "expires=2"),
        url.replace(signature, "0" * 64),
        url.replace(signature, "é"),
    ]
    for each in forged:
        assert_problem(await sender.put(each, content=CONTENT), 403, "signature_invalid")
    assert_problem(await sender.get(url.replace("/uploads/", "/downloads/")), 404, "not_found")


async def test_a_download_url_needs_no_key_and_serves_an_attachment_only(
    api: Running, acme: Tenant, client: httpx.AsyncClient, sender: httpx.AsyncClient
) -> None:
    document = await uploaded(client, b"<script>alert(1)</script>", "page.html")

    made = (await client.get(f"/documents/{document['id']}/download_url")).json()
    file = await sender.get(made["url"])

    assert file.content == b"<script>alert(1)</script>"
    assert hashlib.sha256(file.content).hexdigest() == made["sha256"]
    assert file.headers["content-disposition"].startswith("attachment")
    assert file.headers["content-type"] == "application/octet-stream"
    recorded = (await client.get("/audit")).json()["entries"]
    assert [each["action"] for each in recorded].count("document.downloaded") == 1
    assert_problem(await sender.get(made["url"].replace("signature=", "signature=0")), 403, "signature_invalid")
    other = await api.admin(await api.tenant("other"))
    assert_problem(await other.get(f"/documents/{document['id']}/download_url"), 404, "not_found")


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with ExitStack() as stack:
        running_stores: dict[str, Emulator] = {}

        def start(scheme: str) -> Emulator:
            if scheme not in running_stores:
                running_stores[scheme] = stack.enter_context(emulator(scheme, tmp_path_factory.mktemp(scheme)))
            return running_stores[scheme]

        yield start


@pytest.mark.process
@pytest.mark.parametrize(
    "scheme", [pytest.param("s3", marks=pytest.mark.slow), pytest.param("az", marks=pytest.mark.slow), "gs"]
)
async def test_the_bytes_go_to_the_object_store_and_come_from_there(
    stores: Any, scheme: str, database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server: Emulator = stores(scheme)
    server.use(monkeypatch)
    blob_url = f"{scheme}://{server.create_bucket()}/blobs"
    async with running(database_url, tmp_path, blob_url=blob_url) as api, httpx.AsyncClient() as outside:
        client = await api.admin(await api.tenant("acme"))
        content = CONTENT * 200_000
        upload = await begin(client, content, part_bytes=16 * MIB)
        assert len(upload["parts"]) == 2
        assert all(part["url"].startswith(f"http://127.0.0.1:{server.port}/") for part in upload["parts"])
        await send(outside, upload, content)
        single = await begin(client)
        await send(outside, single)

        for each, expected in ((upload, content), (single, CONTENT)):
            document = (await complete(client, each)).json()
            assert document["sha256"] == hashlib.sha256(expected).hexdigest()
            made = (await client.get(f"/documents/{document['id']}/download_url")).json()
            assert made["url"].startswith(f"http://127.0.0.1:{server.port}/")
            file = await outside.get(made["url"])
            assert (file.content, file.headers["content-disposition"]) == (expected, "attachment")
        assert [key for key in await api.blobs() if key.startswith("uploads/")] == []
