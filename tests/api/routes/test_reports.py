"""Reports over HTTP: accepted whole or not at all, and the status of their jobs."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from tests.api.extracting import complete, result
from tests.api.forms import PROGRAM
from tests.api.running import Running, assert_problem, running

LETTER = ("letter.txt", b"Patient: Ada Quill\n")
LABORATORY = ("lab.txt", b"Glucose 5.4 mmol/l\n")


async def submit(
    client: httpx.AsyncClient, *files: tuple[str, bytes], path: str = "acme/projects/default", **sent: Any
) -> httpx.Response:
    return await client.post(f"/tenants/{path}/reports", files=[("file", each) for each in files], **sent)


async def submitted(client: httpx.AsyncClient, *files: tuple[str, bytes], **sent: Any) -> dict[str, Any]:
    answer = await submit(client, *files, **sent)
    assert answer.status_code == 200, answer.text
    report: dict[str, Any] = answer.json()
    return report


async def test_a_report_is_one_extraction_over_its_files_in_their_order(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    report = await submitted(admin, LETTER, LABORATORY, data={"webhook_url": "https://example.com/done"})
    assert report == {
        "success": True,
        "job_id": report["job_id"],
        "report_id": report["report_id"],
        "status": "pending",
        "message": "The files are stored. Parsing starts as soon as a worker is free.",
        "files_uploaded": 2,
        "total_size_mb": 0.0,
        "webhook_url": "https://example.com/done",
    }
    extraction = (await admin.get(f"/extractions/{report['report_id']}")).json()
    names = [(await admin.get(f"/documents/{each}")).json()["filename"] for each in extraction["documents"]]
    assert names == ["letter.txt", "lab.txt"]
    assert (extraction["schema"], extraction["engine"], extraction["job_id"]) == (
        "medical-report@0",
        "local",
        report["job_id"],
    )
    assert len(await api.blobs()) == 2


async def test_the_files_of_a_report_are_only_read_by_themselves(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    await submitted(admin, LETTER)
    [document] = (await admin.get("/documents")).json()["documents"]
    assert document["schema"] == "none"


async def test_a_report_uses_the_schema_and_engine_of_its_project(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    (await admin.patch("/projects/default", json={"schema": "invoice", "threshold": 0.9})).raise_for_status()
    report = await submitted(admin, LETTER)
    assert (await admin.get(f"/extractions/{report['report_id']}")).json()["schema"] == "invoice@0"


async def test_tenant_and_project_are_named_or_identified(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    project = (await admin.get("/projects/default")).json()["id"]
    for path in (f"{acme.id}/projects/{project}", f"acme/projects/{project}", f"{acme.id}/projects/default"):
        await submitted(admin, LETTER, path=path)
    for path in ("other/projects/default", "acme/projects/none", f"acme/projects/{acme.id}"):
        assert_problem(await submit(admin, LETTER, path=path), 404, "not_found")


async def test_the_webhook_may_be_in_the_query(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    report = await submitted(admin, LETTER, params={"webhook_url": "https://example.com/a"})
    assert report["webhook_url"] == "https://example.com/a"


@pytest.mark.parametrize(
    ("files", "status", "code", "named"),
    [
        ([LETTER, ("setup.exe", PROGRAM)], 415, "unsupported_type", "setup.exe"),
        ([LETTER, ("empty.txt", b"")], 422, "empty_document", "empty.txt"),
        ([LETTER, ("long.txt", b"x" * 900)], 413, "too_large", "long.txt"),
    ],
)
async def test_one_bad_file_refuses_the_report_by_name_and_leaves_nothing(
    database_url: str, tmp_path: Any, files: list[tuple[str, bytes]], status: int, code: str, named: str
) -> None:
    async with running(database_url, tmp_path, max_upload_bytes=900) as api:
        admin = await api.admin(await api.tenant("acme"))
        problem = assert_problem(await submit(admin, *files), status, code)
        assert problem["detail"].startswith(f"{named}: ")
        await _assert_nothing_remains(api)


@pytest.mark.parametrize(
    "sent",
    [
        {"data": {"webhook_url": "ftp://example.com"}},
        {"params": {"webhook_url": "nonsense"}},
        {"data": {"schema": "invoice"}},
    ],
)
async def test_a_field_that_is_not_valid_refuses_the_report_and_leaves_nothing(
    api: Running, acme: Tenant, sent: dict[str, Any]
) -> None:
    assert_problem(await submit(await api.admin(acme), LETTER, **sent), 422, "invalid_request")
    await _assert_nothing_remains(api)


async def test_a_report_without_a_file_or_with_too_many_is_refused(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    without = await admin.post("/tenants/acme/projects/default/reports", files={"webhook_url": (None, "")})
    assert "no part named 'file'" in assert_problem(without, 422, "invalid_request")["detail"]
    too_many = await submit(admin, *[LETTER] * 101)
    assert "at most 100 documents" in assert_problem(too_many, 422, "invalid_request")["detail"]
    await _assert_nothing_remains(api)


async def test_the_same_request_under_one_key_is_one_report(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    key = {"Idempotency-Key": "case-7"}
    first = await submitted(admin, LETTER, LABORATORY, headers=key)
    assert await submitted(admin, LETTER, LABORATORY, headers=key) == first
    assert (await api.count("documents"), await api.count("extractions")) == (2, 1)
    assert len(await api.blobs()) == 2
    for files in ([LETTER], [LABORATORY, LETTER]):
        assert_problem(await submit(admin, *files, headers=key), 409, "idempotency_conflict")
    assert len(await api.blobs()) == 2


async def test_the_status_of_a_report_has_its_data_once_it_is_completed(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    report = await submitted(admin, LETTER, params={"webhook_url": "https://example.com/a"})
    waiting = (await admin.get(f"/job/status/{report['job_id']}")).json()
    assert waiting == {
        "job_id": report["job_id"],
        "report_id": report["report_id"],
        "status": "pending",
        "message": "The report is waiting for a worker.",
        "created_at": waiting["created_at"],
        "started_at": None,
        "completed_at": None,
    }
    [document] = (await admin.get(f"/extractions/{report['report_id']}")).json()["documents"]
    (reading,) = await api.claim()
    await api.complete(reading, "Patient: Ada Quill")
    found = result({"patient": {"name": "Ada Quill"}}, document, confidence=0.6)
    await complete(api, report["report_id"], found)
    done = (await admin.get(f"/job/status/{report['job_id']}")).json()
    assert list(done)[7:] == [
        "files_processed",
        "successful_parses",
        "failed_parses",
        "parsing_time_seconds",
        "confidence_score",
        "confidence_summary",
        "parsed_data",
        "webhook_status",
    ]
    assert (done["status"], done["files_processed"], done["successful_parses"], done["failed_parses"]) == (
        "completed",
        1,
        1,
        0,
    )
    assert done["completed_at"] >= done["created_at"]
    assert (done["confidence_score"], done["confidence_summary"]) == (
        0.6,
        "Low confidence. 1 of 1 fields needs review.",
    )
    assert done["parsed_data"] == {"patient": {"name": "Ada Quill"}}
    assert done["webhook_status"] == {"delivered": False, "status": "not_sent", "attempts": 0, "last_attempt_at": None}


async def test_the_status_of_a_failed_report_has_its_retries_and_last_error(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    report = await submitted(admin, LETTER)
    jobs = await api.claim(limit=2)
    [job] = [each for each in jobs if each.id == UUID(report["job_id"])]
    started = (await admin.get(f"/job/status/{report['job_id']}")).json()
    assert (started["status"], started["message"]) == ("processing", "The report is being parsed.")
    assert started["started_at"] >= started["created_at"]
    await api.fail(job)
    failed = (await admin.get(f"/job/status/{report['job_id']}")).json()
    assert (failed["status"], failed["retry_count"], failed["max_retries"]) == ("failed", 0, 2)
    assert failed["last_error"] == failed["message"] == "It cannot be opened."
    assert "parsed_data" not in failed


async def _assert_nothing_remains(api: Running) -> None:
    assert await api.blobs() == set()
    for table in ("documents", "extractions", "jobs"):
        assert await api.count(table) == 0, table
