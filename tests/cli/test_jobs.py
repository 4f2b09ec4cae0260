import pytest

from tests.cli.terminal import CommandLine
from tests.service import Service


def submitted(service: Service, content: str) -> dict[str, str]:
    document = service.upload(content.encode()).raise_for_status().json()
    return {"document": document["id"], "job": document["processing_job_id"]}


@pytest.fixture
def failed(service: Service) -> dict[str, str]:
    ids = submitted(service, "%POISON no-such-poison")
    assert service.settled(ids["document"])["status"] == "failed"
    return ids


@pytest.fixture
def endless(service: Service) -> dict[str, str]:
    return submitted(service, "%POISON slow 5000")


def test_a_list_shows_the_jobs_that_match_and_the_counts(docsieve: CommandLine, failed: dict[str, str]) -> None:
    ran = docsieve("jobs", "list", "--document", failed["document"], "--status", "failed")
    assert ran.code == 0
    assert failed["job"] in ran.out
    assert "1 of 1 shown; total: 0 pending, 0 processing, 0 completed, 1 failed, 0 cancelled" in ran.out
    assert "There are no matching jobs" in docsieve("jobs", "list", "--job-type", "no_such_type").out


def test_a_list_as_json_is_as_long_as_asked_for(docsieve: CommandLine, service: Service) -> None:
    for number in range(3):
        submitted(service, f"document {number}")
    found = docsieve("jobs", "list", "--json", "--limit", 2).json()
    assert len(found["jobs"]) == 2
    assert found["total"] >= 3


def test_showing_a_job_includes_its_error(docsieve: CommandLine, failed: dict[str, str]) -> None:
    ran = docsieve("jobs", "show", failed["job"])
    assert ran.code == 0
    for expected in (failed["document"], "process_document", "corrupt_document", "no poison called no-such-poison"):
        assert expected in ran.out
    assert docsieve("jobs", "show", failed["job"], "--json").json()["error_code"] == "corrupt_document"


def test_a_job_that_is_not_there_is_one_clear_line(docsieve: CommandLine) -> None:
    ran = docsieve("jobs", "show", "00000000-0000-0000-0000-000000000001")
    assert (ran.code, ran.out, ran.err) == (1, "", "not_found: Job not found.\n")


def test_a_running_job_can_be_cancelled_once(docsieve: CommandLine, service: Service, endless: dict[str, str]) -> None:
    assert docsieve("jobs", "cancel", endless["job"]).code == 0
    assert service.status(endless["document"])["status"] == "cancelled"
    again = docsieve("jobs", "cancel", endless["job"])
    assert again.code == 1
    assert f"{endless['job']}: job_not_cancellable: " in again.err


def test_a_failed_job_can_be_retried(docsieve: CommandLine, service: Service, failed: dict[str, str]) -> None:
    assert docsieve("jobs", "retry", failed["job"]).code == 0
    assert service.settled(failed["document"])["job"]["attempts"] == 2


def test_changing_many_jobs_asks_first(docsieve: CommandLine, service: Service, endless: dict[str, str]) -> None:
    ran = docsieve("jobs", "cancel", "--document", endless["document"], stdin="n\n")
    assert ran.code == 1
    assert "Cancel 1 job?" in ran.err
    assert service.status(endless["document"])["status"] in ("pending", "processing")
    assert docsieve("jobs", "cancel", "--document", endless["document"], "--yes").out == "1 job cancelled.\n"
    assert service.status(endless["document"])["status"] == "cancelled"


def test_many_failed_jobs_are_retried_by_their_state(docsieve: CommandLine, failed: dict[str, str]) -> None:
    ran = docsieve("jobs", "retry", "--status", "failed", "--document", failed["document"], "-y")
    assert (ran.code, ran.out) == (0, "1 job queued again.\n")


def test_changing_jobs_without_saying_which_is_refused(docsieve: CommandLine) -> None:
    assert docsieve("jobs", "cancel").code == 2
    assert docsieve("jobs", "retry", "--yes").code == 2
