"""What POST /documents promises: one answer at once, and exactly one blob, document and job behind it."""

import hashlib
import json
import re
from pathlib import Path
from urllib.parse import unquote
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import rows as documents
from docsieve.domain.documents import original_key
from docsieve.domain.scope import Scope
from tests.api.forms import PDF, PROGRAM, field, file, form, nested, post, post_raw
from tests.api.running import Running, assert_problem, running, upload, uploaded

UNKEEPABLE = (
    "{",
    "nonsense",
    "[1]",
    '"text"',
    "null",
    '{"a": NaN}',
    '{"a": -Infinity}',
    '{"a": 1e999}',
    r'{"a": "\u0000"}',
    r'{"\u0000": 1}',
    r'{"a": "\ud800"}',
    '{"a": "\x00"}',
    nested(101),
    nested(300),
    "[" * 100_000,
    '{"a":' * 40_000,
    '{"a": ' + "9" * 5000 + "}",
)
BAD_FIELDS = (
    ("priority", "101"),
    ("priority", "-101"),
    ("priority", "soon"),
    ("priority", "1.5"),
    ("priority", "9" * 30),
    ("webhook_url", "ftp://example.org/x"),
    ("webhook_url", "nonsense"),
    ("webhook_url", "http://"),
    ("webhook_url", "http://["),
    ("webhook_url", "javascript:alert(1)"),
    ("project", "No Such Name"),
    ("engine", "a\x00b"),
    ("password", "a\x00b"),
)
NOT_ONE_FILE = (
    b"",
    b"garbage",
    form(),
    form(field("metadata", "{}")),
    form(file(), file()),
    form(file())[:-8],
    form(file())[:60],
    form(file(b"x" * 9000))[:5000],
    form(*[field(f"field{n}", "{}") for n in range(40)]),
    form(file(), field("metadata", "x" * 300_000)),
)
NOT_A_FORM = (
    "text/plain",
    "application/json",
    "multipart/form-data",
    "multipart/form-data; boundary=other",
    "multipart/form-data; boundary=" + "b" * 2000,
)
HOSTILE_NAMES = {
    b"../../etc/passwd": "passwd",
    rb"C:\\Users\\me\\brief.txt": "brief.txt",
    b"..": "..",
    b"/": "document",
    b"": "document",
    b"   ": "document",
    b"a\x00b\x01\x1b[31mc\td.txt": "ab[31mc d.txt",
    "a\u2028b\u0085c.txt".encode(): "a b c.txt",
    b"\xff\xfe.txt": "\ufffd\ufffd.txt",
    "Überweisung 請求書 🦊.pdf".encode(): "Überweisung 請求書 🦊.pdf",
    b"<script>alert(1)</script>": "script>",
    b"<img src=x onerror=alert(1)>": "<img src=x onerror=alert(1)>",
    b"a" * 10_000 + b".pdf": "a" * 251 + ".pdf",
}


async def _assert_nothing_kept(api: Running) -> None:
    assert (await api.count("documents"), await api.count("jobs"), await api.count("idempotency_keys")) == (0, 0, 0)
    assert await api.blobs() == set()


@pytest.mark.parametrize("path", ["/documents", "/documents/upload"])
async def test_an_upload_answers_with_the_document_and_leaves_blob_document_and_pending_job(
    api: Running, acme: Tenant, client: httpx.AsyncClient, path: str
) -> None:
    content = "Grüße".encode()
    response = await client.post(
        path,
        files={"file": ("brief.txt", content)},
        data={
            "metadata": '{"case": 7}',
            "priority": "5",
            "schema": "invoice@0",
            "engine": "local",
            "webhook_url": "https://example.org/done",
        },
    )
    assert response.status_code == 200
    answer = response.json()
    assert answer["filename"] == "brief.txt"
    assert answer["media_type"] == "text/plain"
    assert answer["size"] == len(content)
    assert answer["sha256"] == hashlib.sha256(content).hexdigest()
    assert answer["status"] == "pending"
    assert answer["project"] == "default"
    assert answer["metadata"] == {"case": 7}
    assert answer["schema"] == "invoice@0"
    assert answer["engine"] == "local"
    assert answer["webhook_url"] == "https://example.org/done"
    assert answer["duplicate_of"] is None
    assert answer["created_at"] is not None
    assert (await client.get(f"/documents/{answer['id']}")).json() == answer
    job = (await client.get(f"/jobs/{answer['processing_job_id']}")).json()
    assert (job["status"], job["job_type"], job["document_id"]) == ("pending", "process_document", answer["id"])
    assert job["priority"] == 5
    key = original_key(acme.id, UUID(answer["id"]))
    assert await api.blobs() == {key}
    assert await api.resources.blobs.get(key) == content
    assert (await api.count("documents"), await api.count("jobs")) == (1, 1)


async def test_fields_are_understood_before_and_after_the_file(client: httpx.AsyncClient) -> None:
    before = await post(client, field("metadata", '{"a": 1}'), field("priority", "3"), file())
    after = await post(client, file(), field("metadata", '{"a": 1}'), field("priority", "3"))
    around = await post(client, field("metadata", '{"a": 1}'), file(), field("priority", "3"))
    for response in (before, after, around):
        assert response.status_code == 200
        assert response.json()["metadata"] == {"a": 1}
        job = (await client.get(f"/jobs/{response.json()['processing_job_id']}")).json()
        assert job["priority"] == 3


async def test_empty_fields_of_a_form_mean_nothing(client: httpx.AsyncClient) -> None:
    answer = await uploaded(client, metadata="", priority="", project="", webhook_url="", password="")
    assert (answer["metadata"], answer["project"]) == ({}, "default")


async def test_metadata_that_cannot_be_kept_is_422(api: Running, client: httpx.AsyncClient) -> None:
    for metadata in UNKEEPABLE:
        problem = assert_problem(await post(client, file(), field("metadata", metadata)), 422, "invalid_request")
        assert problem["detail"].startswith("metadata: "), metadata[:40]
    await _assert_nothing_kept(api)


async def test_metadata_comes_back_as_it_was(client: httpx.AsyncClient) -> None:
    for metadata in (nested(99), r'{"a": "\\ \" \n ☃ 🦊"}', '{"n": 1e15, "i": 12345678901234567890, "f": 0.1}', "{}"):
        answer = await uploaded(client, metadata=metadata)
        assert answer["metadata"] == json.loads(metadata)
        assert (await client.get(f"/documents/{answer['id']}")).json() == answer


async def test_an_unknown_field_is_422_and_named(api: Running, client: httpx.AsyncClient) -> None:
    for value in ("blue", ""):
        problem = assert_problem(await post(client, file(), field("color", value)), 422, "invalid_request")
        assert "color" in problem["detail"]
    await _assert_nothing_kept(api)


async def test_a_bad_field_is_422_and_named(api: Running, client: httpx.AsyncClient) -> None:
    for name, value in BAD_FIELDS:
        problem = assert_problem(await post(client, file(), field(name, value)), 422, "invalid_request")
        assert problem["detail"].startswith(f"{name}: "), value
    await _assert_nothing_kept(api)


async def test_a_field_sent_twice_is_422_and_named(api: Running, client: httpx.AsyncClient) -> None:
    twice = await post(client, field("priority", "1"), file(), field("priority", "2"))
    assert assert_problem(twice, 422, "invalid_request")["detail"].startswith("priority: ")
    await _assert_nothing_kept(api)


async def test_priority_may_be_anything_from_minus_100_to_100(client: httpx.AsyncClient) -> None:
    for priority in ("-100", "0", "100"):
        assert (await upload(client, priority=priority)).status_code == 200


async def test_an_unknown_project_is_422(api: Running, client: httpx.AsyncClient) -> None:
    assert_problem(await upload(client, project="nowhere"), 422, "unknown_project")
    await _assert_nothing_kept(api)


async def test_an_empty_document_is_422(api: Running, client: httpx.AsyncClient) -> None:
    assert_problem(await upload(client, b""), 422, "empty_document")
    await _assert_nothing_kept(api)


async def test_the_media_type_is_detected_from_the_content_and_not_from_the_name(
    api: Running, client: httpx.AsyncClient
) -> None:
    assert_problem(await upload(client, PROGRAM, "invoice.pdf"), 415, "unsupported_type")
    await _assert_nothing_kept(api)
    assert (await uploaded(client, PDF, "scan.png"))["media_type"] == "application/pdf"


async def test_a_document_over_the_limit_is_413_and_not_kept(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, max_upload_bytes=1000) as api:
        client = await api.admin(await api.tenant("acme"))
        assert (await upload(client, b"x" * 1000)).status_code == 200
        blobs = await api.blobs()
        for size in (1001, 50_000, 3_000_000):
            assert_problem(await upload(client, b"y" * size), 413, "too_large")
        assert (await api.blobs(), await api.count("documents")) == (blobs, 1)


async def test_a_body_that_is_not_one_file_in_a_form_is_422(api: Running, client: httpx.AsyncClient) -> None:
    for body in NOT_ONE_FILE:
        assert_problem(await post_raw(client, body), 422, "invalid_request")
    for content_type in NOT_A_FORM:
        assert_problem(await post_raw(client, form(file()), content_type), 422, "invalid_request")
    await _assert_nothing_kept(api)


async def test_a_hostile_file_name_is_kept_as_harmless_text(client: httpx.AsyncClient) -> None:
    for sent, kept in HOSTILE_NAMES.items():
        response = await post(client, file(filename=sent))
        assert response.status_code == 200, response.text
        assert response.json()["filename"] == kept
        download = await client.get(f"/documents/{response.json()['id']}/file")
        attachment, _, name = download.headers["content-disposition"].partition("; filename*=UTF-8''")
        assert (attachment, unquote(name)) == ("attachment", kept)
        assert re.fullmatch(r"[A-Za-z0-9%._~-]+", name)
        assert download.content == b"Hello."


@pytest.mark.usefixtures("walls")
async def test_the_same_content_is_a_duplicate_within_the_tenant_and_never_across(
    api: Running, client: httpx.AsyncClient
) -> None:
    stranger = await api.admin(await api.tenant("other"))
    assert (await uploaded(stranger))["duplicate_of"] is None
    first = await uploaded(client)
    assert first["duplicate_of"] is None
    assert (await uploaded(client, filename="b.txt"))["duplicate_of"] == first["id"]
    assert (await uploaded(client))["duplicate_of"] == first["id"]


async def test_the_same_content_in_an_unseen_project_is_not_a_duplicate(api: Running, acme: Tenant) -> None:
    await uploaded(await api.admin(acme))
    limited = await api.admin(acme, project_id=await api.project(acme, "side"))
    assert (await uploaded(limited))["duplicate_of"] is None


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ('{"type": "object", "properties": {}}', "schema_invalid"),
        ('{"type": "object", "properties": {"total": {"type": "wrong"}}}', "schema_invalid"),
        ('{"type": "object"', "invalid_request"),
        ("no-such-schema", "unknown_schema"),
        ("[]", "unknown_schema"),
    ],
)
async def test_a_schema_that_cannot_be_extracted_is_422_and_nothing_is_kept(
    api: Running, acme: Tenant, schema: str, code: str
) -> None:
    assert_problem(await upload(await api.admin(acme), schema=schema), 422, code)
    assert await api.blobs() == set()


async def test_a_json_schema_in_the_form_is_kept_as_it_was_sent(api: Running, acme: Tenant) -> None:
    schema = {"type": "object", "properties": {"zebra": {"type": "string"}, "ant": {"type": "number"}}}
    document = await uploaded(await api.admin(acme), schema=json.dumps(schema))
    assert document["schema"] is None
    async with api.resources.database.tenant(Scope(acme.id)) as session:
        source = await documents.source(session, UUID(document["id"]))
    assert source is not None
    assert source.schema_ref is not None
    assert list(json.loads(source.schema_ref)["properties"]) == ["zebra", "ant"]
