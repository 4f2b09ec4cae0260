"""Documents that are downloaded from where their upload says, by a real worker from a real server."""

from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.cli.terminal import CommandLine
from tests.file_server import FileServer, Reply, serving_files
from tests.jobs.unpack_archive.conftest import zipped
from tests.service import Service

TEXT = b"Invoice number: INV-2041\nTotal: 118.50 EUR\n"
MAX_BYTES = 400_000


@pytest.fixture(scope="module")
def files() -> Iterator[FileServer]:
    with serving_files() as running:
        yield running


@pytest.fixture(scope="module")
def shared(share_service: Callable[..., Service], files: FileServer) -> Service:
    service = share_service(
        DOCSIEVE_OUTBOUND_ALLOW="127.0.0.0/8",
        DOCSIEVE_SOURCES_ALLOW=f"{files.url}/files",
        DOCSIEVE_MAX_UPLOAD_BYTES=str(MAX_BYTES),
    )
    service.api()
    service.worker()
    return service


@pytest.fixture
def service(shared: Service, files: FileServer) -> Iterator[Service]:
    files.asked.clear()
    files.waiting.clear()
    yield shared
    files.open.set()
    shared.delete_documents()


def named(service: Service, source: str, *, key: str | None = None, **fields: str) -> httpx.Response:
    form = {name: (None, value) for name, value in {**fields, "source": source}.items()}
    headers = {"Idempotency-Key": key} if key is not None else {}
    return service.client.post("/documents", files=form, headers=headers)


def document(service: Service, document_id: str) -> dict[str, Any]:
    found: dict[str, Any] = service.client.get(f"/documents/{document_id}").raise_for_status().json()
    return found


def test_a_document_is_downloaded_read_and_like_any_other(service: Service, files: FileServer) -> None:
    source = files.serve("/files/my%20letter.txt", TEXT)

    accepted = named(service, f"{source}?token=secret", metadata='{"a": 1}', schema="none").raise_for_status().json()

    assert (accepted["status"], accepted["source"]) == ("pending_download", source)
    assert (accepted["media_type"], accepted["size"], accepted["sha256"]) == (None, None, None)
    assert service.settled(accepted["id"])["status"] == "ready"
    found = document(service, accepted["id"])
    same = service.upload(TEXT, "my letter.txt", metadata='{"a": 1}', schema="none").raise_for_status().json()
    for name in ("filename", "media_type", "size", "sha256", "metadata", "schema"):
        assert found[name] == same[name], name
    assert same["duplicate_of"] == found["id"]
    assert service.client.get(f"/documents/{found['id']}/file").content == TEXT
    assert files.asked == ["/files/my%20letter.txt?token=secret"]
    assert "authorization" not in files.headers[-1]
    assert "token=secret" not in service.client.get("/jobs").text
    assert "token=secret" not in service.logs()


def test_an_archive_is_downloaded_and_unpacked(service: Service, files: FileServer) -> None:
    source = files.serve("/files/letters.zip", zipped(("one.txt", b"The first."), ("two.txt", b"The second.")))
    accepted = named(service, source).raise_for_status().json()
    assert service.settled(accepted["id"])["status"] == "unpacked"
    assert document(service, accepted["id"])["entries"]["created"] == 2


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply(b"x" * (MAX_BYTES + 1)), "too_large"),
        (Reply(b""), "empty_document"),
        (Reply(b"\x7fELF\x02\x01\x01" + bytes(4096)), "unsupported_type"),
        (Reply(status=404), "source_not_found"),
        (Reply(status=403), "source_refused"),
        (Reply(TEXT, announced=len(TEXT) + 1), "source_unavailable"),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_file_that_cannot_be_had_or_accepted_fails_with_the_reason(
    service: Service, files: FileServer, reply: Reply, code: str
) -> None:
    accepted = named(service, files.serve("/files/a.txt", reply)).raise_for_status().json()
    state = service.settled(accepted["id"])
    assert (state["status"], state["error"]["code"]) == ("failed", code)
    assert state["job"]["attempts"] == (3 if code == "source_unavailable" else 1)
    assert service.client.get(f"/documents/{accepted['id']}/file").json()["code"] == "document_not_ready"


def test_more_bytes_than_announced_are_not_read(service: Service, files: FileServer) -> None:
    chunked = b"%x\r\n%b\r\n" % (MAX_BYTES + 1, b"x" * (MAX_BYTES + 1)) + b"0\r\n\r\n"
    source = files.serve("/files/a.txt", Reply(chunked, announced=-1, headers={"Transfer-Encoding": "chunked"}))
    accepted = named(service, source).raise_for_status().json()
    assert service.settled(accepted["id"])["error"]["code"] == "too_large"


def test_a_source_that_recovers_is_asked_again_and_one_that_failed_can_be_retried(
    service: Service, files: FileServer
) -> None:
    source = files.serve("/files/a.txt", Reply(status=503), Reply(TEXT, announced=500), Reply(TEXT))
    first = named(service, source).raise_for_status().json()
    state = service.settled(first["id"])
    assert (state["status"], len(files.asked)) == ("ready", 3)

    missing = named(service, f"{files.url}/files/late.txt").raise_for_status().json()
    assert service.settled(missing["id"])["status"] == "failed"
    files.serve("/files/late.txt", TEXT)
    service.client.post(f"/documents/{missing['id']}/reprocess").raise_for_status()
    assert service.settled(missing["id"])["status"] == "ready"


def test_cancelling_stops_the_download_and_deleting_leaves_nothing(service: Service, files: FileServer) -> None:
    files.open.clear()
    accepted = named(service, files.serve("/files/a.txt", TEXT * 1000)).raise_for_status().json()
    assert files.waiting.wait(60)
    assert service.status(accepted["id"])["status"] == "downloading"

    service.client.post("/documents/cancel", json={"ids": [accepted["id"]]}).raise_for_status()

    assert service.settled(accepted["id"])["status"] == "cancelled"
    files.open.set()
    service.client.delete(f"/documents/{accepted['id']}").raise_for_status()
    blobs = service.data_dir / "blobs"
    service.wait_until(lambda: not [path for path in blobs.rglob("*") if path.is_file()], what="no file is left")


def test_one_key_is_one_document_and_is_not_used_for_another_source(service: Service, files: FileServer) -> None:
    source = files.serve("/files/a.txt", TEXT)
    first = named(service, source, key="k1").raise_for_status().json()
    service.settled(first["id"])
    assert named(service, source, key="k1").raise_for_status().json()["id"] == first["id"]
    assert named(service, f"{source}?other", key="k1").json()["code"] == "idempotency_conflict"
    assert len(files.asked) == 1


def test_the_bytes_of_a_download_count_and_one_beyond_the_quota_fails_until_that_is_raised(
    service: Service, files: FileServer
) -> None:
    before = _bytes_used(service)
    service.client.patch("/tenants/default", json={"quotas": {"bytes": before}}).raise_for_status()
    accepted = named(service, files.serve("/files/a.txt", TEXT)).raise_for_status().json()
    assert service.settled(accepted["id"])["error"]["code"] == "quota_exceeded"
    assert _bytes_used(service) == before

    service.client.patch("/tenants/default", json={"quotas": {}}).raise_for_status()
    service.client.post(f"/documents/{accepted['id']}/reprocess").raise_for_status()

    assert service.settled(accepted["id"])["status"] == "ready"
    assert _bytes_used(service) == before + len(TEXT)
    assert len(files.asked) == 1, "the downloaded file is used"


def _bytes_used(service: Service) -> int:
    used: int = service.client.get("/usage").raise_for_status().json()["intake"]["bytes"]["used"]
    return used


def test_a_source_that_is_not_allowed_is_refused_at_once_and_never_called(service: Service, files: FileServer) -> None:
    for source, code in [
        (f"{files.url}/other/a.txt", "source_not_allowed"),
        (f"{files.url}/files/../other/a.txt", "invalid_request"),
        (f"http://localhost:{files.port}/files/a.txt", "source_not_allowed"),
        ("s3://bucket/a.txt", "source_not_allowed"),
        ("file:///etc/passwd", "invalid_request"),
    ]:
        refused = named(service, source)
        assert (refused.status_code, refused.json()["code"]) == (422, code), source
    assert files.asked == []


def test_a_form_with_a_file_and_a_source_is_refused(service: Service, files: FileServer) -> None:
    refused = service.upload(TEXT, source=f"{files.url}/files/a.txt")
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_request")
    assert "source" in refused.json()["detail"]
    neither = service.client.post("/documents", files={"schema": (None, "none")})
    assert (neither.status_code, neither.json()["code"]) == (422, "invalid_request")


def test_the_command_line_submits_a_url_and_waits_for_its_document(service: Service, files: FileServer) -> None:
    ran = CommandLine(service.environment)("submit", files.serve("/files/note.txt", TEXT), "--wait", "--schema", "none")
    assert (ran.code, ran.err) == (0, "")
    assert "ready" in ran.out


def test_a_document_that_is_being_downloaded_is_listed_and_in_its_batch(service: Service, files: FileServer) -> None:
    other = service.upload(TEXT, schema="none").raise_for_status().json()["id"]
    batch = service.client.post("/batches", json={"name": "letters"}).raise_for_status().json()["id"]
    files.open.clear()
    accepted = named(service, files.serve("/files/a.txt", TEXT), batch=batch).raise_for_status().json()["id"]

    (listed,) = service.client.get(f"/batches/{batch}/documents").raise_for_status().json()["documents"]
    assert (listed["id"], listed["sha256"], listed["media_type"]) == (accepted, None, None)
    for sort, order in (("size", [accepted, other]), ("-size", [other, accepted])):
        assert _ids_page_by_page(service, sort) == order

    files.open.set()
    assert service.settled(accepted)["status"] == "ready"


def _ids_page_by_page(service: Service, sort: str) -> list[str]:
    found, query = [], {"sort": sort, "limit": "1"}
    while True:
        page = service.client.get("/documents", params=query).raise_for_status().json()
        found += [each["id"] for each in page["documents"]]
        if page["next_cursor"] is None:
            return found
        query["cursor"] = page["next_cursor"]
