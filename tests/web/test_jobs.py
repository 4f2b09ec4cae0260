"""What runs, what waits and what failed; trying again and cancelling, one or many."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.web.people import Office, Person


def test_failed_jobs_say_why_and_all_are_tried_again(
    office: Office, arrive: Callable[..., Person], shared_folder: Path
) -> None:
    mended = shared_folder / "mended"
    ids = [office.upload(f"%POISON flaky {mended} {number}".encode(), f"flaky-{number}.txt") for number in range(3)]
    assert {office.settled(document_id)["status"] for document_id in ids} == {"failed"}
    person = arrive()
    person.sign_in(office.admin_key, "/jobs?status=failed")
    person.sees("The flaky parser failed.")
    Path(f"{mended} 0").touch()
    person.page.get_by_role("button", name="Retry flaky-0.txt").click()
    office.service.wait_until(
        lambda: office.client.get("/jobs").json()["failed_count"] == 2, what="the first tried again"
    )
    assert office.settled(ids[0])["status"] == "ready"
    for number in (1, 2):
        Path(f"{mended} {number}").touch()
    person.page.get_by_role("button", name=re.compile("Retry all 2")).click()
    office.service.wait_until(lambda: office.client.get("/jobs").json()["failed_count"] == 0, what="all tried again")
    for document_id in ids[1:]:
        assert office.settled(document_id)["status"] == "ready"


def test_a_running_job_shows_its_progress_and_can_be_cancelled(
    office: Office, arrive: Callable[..., Person], shared_folder: Path
) -> None:
    document_id = office.upload(f"%POISON until {shared_folder / 'never'}".encode(), "endless.txt")
    office.service.wait_until(
        lambda: office.client.get(f"/documents/{document_id}/status").json()["status"] == "processing"
    )
    person = arrive()
    person.sign_in(office.admin_key, "/jobs")
    running = person.page.get_by_role("region", name="Running now")
    expect(running).to_contain_text("endless.txt")
    person.page.get_by_role("button", name="Cancel endless.txt").first.click()
    office.service.wait_until(lambda: office.settled(document_id)["status"] == "cancelled", what="cancelled")
    expect(running).not_to_contain_text("endless.txt")
