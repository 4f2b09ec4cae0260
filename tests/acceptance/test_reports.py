"""The requirement for reports (003), request by request, against real processes and a real receiver of webhooks."""

import io
import zipfile
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import httpx
import pytest

from docsieve.services.samples import SAMPLES
from docsieve.webhooks import verify_webhook
from tests.asked_model import asked_model
from tests.service import ADMIN_KEY, Service
from tests.webhook_receiver import ALLOW, Answer, Receiver, receiving

HEADERS = {"X-API-Key": ADMIN_KEY, "Tenant-ID": "default"}
PENDING = ["job_id", "report_id", "status", "message", "created_at", "started_at", "completed_at"]
LETTER = SAMPLES["medical-report"]
LABORATORY = b"Laboratory report\n\nPatient: Ada Quill\nGlucose: 5.4 mmol/l\n"
DAMAGED = b"%PDF-1.4\nnot really\n"


@pytest.fixture(scope="module")
def shared_service(share_service: Callable[..., Service]) -> Service:
    service = share_service(**ALLOW)
    service.api()
    service.worker()
    return service


@pytest.fixture
def service(shared_service: Service) -> Iterator[Service]:
    yield shared_service
    shared_service.delete_documents()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with receiving() as started:
        yield started


def test_one_file_is_answered_at_once_and_parsed_in_the_background(service: Service) -> None:
    answer = _submit(service, (LETTER.filename, LETTER.content()))
    assert answer.status_code == 200
    accepted = answer.json()
    assert list(accepted) == [
        "success",
        "job_id",
        "report_id",
        "status",
        "message",
        "files_uploaded",
        "total_size_mb",
        "webhook_url",
    ]
    assert (accepted["success"], accepted["status"], accepted["files_uploaded"]) == (True, "pending", 1)
    assert accepted["total_size_mb"] == round(len(LETTER.content()) / 1024**2, 2)
    assert accepted["webhook_url"] is None
    report = _ended(service, accepted["job_id"])
    assert list(report) == [
        *PENDING,
        "files_processed",
        "successful_parses",
        "failed_parses",
        "parsing_time_seconds",
        "confidence_score",
        "confidence_summary",
        "parsed_data",
        "webhook_status",
    ]
    assert (report["status"], report["report_id"]) == ("completed", accepted["report_id"])
    assert (report["files_processed"], report["successful_parses"], report["failed_parses"]) == (1, 1, 0)
    assert report["created_at"] <= report["started_at"] <= report["completed_at"]
    assert report["parsing_time_seconds"] == pytest.approx(report["completed_at"] - report["started_at"], abs=0.01)
    assert 0 < report["confidence_score"] <= 1
    assert "confidence" in report["confidence_summary"]
    assert report["parsed_data"]["patient"]["name"]
    assert report["webhook_status"] == {
        "delivered": False,
        "status": None,
        "attempts": 0,
        "last_attempt_at": None,
    }


def test_the_webhook_of_a_completed_report_gets_its_data_and_the_status_says_so(
    service: Service, receiver: Receiver
) -> None:
    secret = service.client.post("/webhooks/secret/rotate").raise_for_status().json()["secret"]
    answer = _submit(service, (LETTER.filename, LETTER.content()), webhook_url=receiver.url)
    accepted = answer.raise_for_status().json()
    assert accepted["webhook_url"] == receiver.url
    [received] = receiver.until(1)
    report = _notified(service, accepted["job_id"], "success")
    message = verify_webhook(received.headers, received.body, secret)
    assert list(message) == [
        "job_id",
        "tenant_id",
        "project_id",
        "report_id",
        "status",
        "timestamp",
        "parsed_data",
    ]
    assert (message["job_id"], message["report_id"]) == (accepted["job_id"], accepted["report_id"])
    assert (message["tenant_id"], message["project_id"]) == ("default", "default")
    assert (message["status"], message["parsed_data"]) == ("completed", report["parsed_data"])
    assert datetime.fromisoformat(message["timestamp"]).timestamp() == pytest.approx(report["completed_at"], abs=1e-3)
    webhook = report["webhook_status"]
    assert (webhook["delivered"], webhook["attempts"]) == (True, 1)
    assert webhook["last_attempt_at"] >= report["completed_at"]


def test_the_webhook_of_a_failed_report_is_sent_again_until_it_is_accepted(
    service: Service, receiver: Receiver
) -> None:
    receiver.answers = [Answer(503)]
    accepted = _submit(service, ("scan.pdf", DAMAGED), webhook_url=receiver.url).json()
    first, second = receiver.until(2)
    assert first.id == second.id
    assert first.message == second.message
    assert (first.message["status"], first.message["parsed_data"]) == ("failed", None)
    report = _notified(service, accepted["job_id"], "success")
    assert (report["status"], report["webhook_status"]["attempts"]) == ("failed", 2)


def test_a_webhook_that_is_refused_shows_that_it_is_tried_again(service: Service, receiver: Receiver) -> None:
    receiver.answer = lambda _: Answer(500)
    accepted = _submit(service, (LETTER.filename, LETTER.content()), webhook_url=receiver.url).json()
    webhook = _notified(service, accepted["job_id"], "retrying")["webhook_status"]
    assert webhook["delivered"] is False
    assert webhook["attempts"] >= 1
    [delivery] = service.client.get("/webhooks/deliveries", params={"subject_id": accepted["report_id"]}).json()[
        "deliveries"
    ]
    assert (delivery["status"], delivery["last_status"]) == ("pending", 500)


def test_a_file_that_fails_does_not_sink_the_report(service: Service) -> None:
    files = ((LETTER.filename, LETTER.content()), ("scan.pdf", DAMAGED), ("lab.txt", LABORATORY))
    report = _ended(service, _submit(service, *files).json()["job_id"])
    assert (report["status"], report["files_processed"]) == ("completed", 3)
    assert (report["successful_parses"], report["failed_parses"]) == (2, 1)
    extraction = service.client.get(f"/extractions/{report['report_id']}").json()
    assert [each["filename"] for each in extraction["missing"]] == ["scan.pdf"]
    assert report["webhook_status"]["status"] is None


def test_a_report_without_a_readable_file_fails_with_its_retries_and_last_error(service: Service) -> None:
    report = _ended(service, _submit(service, ("scan.pdf", DAMAGED)).json()["job_id"])
    assert list(report) == [*PENDING, "webhook_status", "retry_count", "max_retries", "last_error"]
    assert report["status"] == "failed"
    assert (report["retry_count"], report["max_retries"]) == (0, 2)
    assert "failed" in report["last_error"]


def test_a_report_is_processing_while_its_files_are_read(service: Service) -> None:
    accepted = _submit(service, ("slow.txt", b"%POISON slow 5000")).json()

    def started() -> dict[str, Any] | None:
        found = _status(service, accepted["job_id"]).json()
        return found if found["started_at"] is not None else None

    report = service.wait_until(started, what="a worker took the report")
    assert list(report) == PENDING
    assert (report["status"], report["completed_at"]) == ("processing", None)
    [document] = service.client.get(f"/extractions/{accepted['report_id']}").json()["documents"]
    service.client.post("/documents/cancel", json={"ids": [document]}).raise_for_status()
    assert _ended(service, accepted["job_id"])["status"] == "failed"


def test_a_model_that_fails_falls_back_as_the_project_says(start_service: Callable[..., Service]) -> None:
    with asked_model("not an object") as model:
        service = start_service(**model.settings)
        service.api()
        service.worker()
        _assert_falls_back(service)


def _assert_falls_back(service: Service) -> None:
    defaults = {"engine": "llm", "fallback_engine": "local"}
    service.client.patch("/projects/default", json=defaults).raise_for_status()
    report = _ended(service, _submit(service, (LETTER.filename, LETTER.content())).json()["job_id"])
    assert report["status"] == "completed"
    extraction = service.client.get(f"/extractions/{report['report_id']}").json()
    assert (extraction["engine"], extraction["model"]) == ("local", None)
    assert extraction["fallback_from"]["engine"] == "llm"
    assert extraction["fallback_from"]["code"] == "answer_malformed"


def test_the_files_of_a_zip_are_parsed_in_their_order(service: Service) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("case/page 10.txt", "Diagnosis: none\n")
        archive.writestr("case/page 2.txt", LABORATORY)
        archive.writestr(f"case/page 1 {LETTER.filename}", LETTER.content())
        archive.writestr("case/.DS_Store", "litter")
    accepted = _submit(service, ("case.zip", content.getvalue()), ("more.txt", b"Follow-up in May.\n")).json()
    assert accepted["files_uploaded"] == 2
    report = _ended(service, accepted["job_id"])
    assert report["status"] == "completed", report
    assert (report["files_processed"], report["failed_parses"]) == (4, 0)
    extraction = service.client.get(f"/extractions/{report['report_id']}").json()
    names = [service.client.get(f"/documents/{each}").json()["filename"] for each in extraction["documents"]]
    assert names == [f"page 1 {LETTER.filename}", "page 2.txt", "page 10.txt", "more.txt"]


def _submit(service: Service, *files: tuple[str, bytes], **query: str) -> httpx.Response:
    return service.client.post(
        "/tenants/default/projects/default/reports",
        files=[("file", each) for each in files],
        params=query,
        headers=HEADERS,
    )


def _status(service: Service, job_id: str) -> httpx.Response:
    return service.client.get(f"/job/status/{job_id}", headers=HEADERS).raise_for_status()


def _ended(service: Service, job_id: str) -> dict[str, Any]:
    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = _status(service, job_id).json()
        return found if found["status"] in ("completed", "failed") else None

    report: dict[str, Any] = service.wait_until(ended, seconds=90, what="the report ends")
    return report


def _notified(service: Service, job_id: str, status: str) -> dict[str, Any]:
    """The report, once its webhook has this status."""

    def notified() -> dict[str, Any] | None:
        found: dict[str, Any] = _status(service, job_id).json()
        return found if found.get("webhook_status", {}).get("status") == status else None

    report: dict[str, Any] = service.wait_until(notified, seconds=90, what=f"the webhook is {status}")
    return report
