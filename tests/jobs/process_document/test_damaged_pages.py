"""Page files that a disk has damaged: whatever meets one has it read again from the original."""

import asyncio
import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from docsieve.db.connection.session import Database
from docsieve.db.queue.new_jobs import enqueue_alone
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import NewJob
from docsieve.domain.scope import SYSTEM_TENANT
from docsieve.services.maintenance.tasks import CheckFiles
from tests.cli.terminal import CommandLine
from tests.service import Service

TEXT = "Invoice 4711 of 2 November 2026\n" + "forty seven umbrellas for the garden\n" * 200
SCHEMA = {"type": "object", "properties": {"invoice_number": {"type": "string"}}}


def garbled(content: bytes) -> bytes:
    """The first page is spoiled, index and trailer are as they were."""
    return content[:20] + bytes(byte ^ 0xFF for byte in content[20:60]) + content[60:]


def truncated(content: bytes) -> bytes:
    return content[: len(content) // 2]


def emptied(content: bytes) -> bytes:
    return b""


Damaging = Callable[[bytes], bytes]
in_every_way = pytest.mark.parametrize("damaging", [garbled, truncated, emptied])


@pytest.fixture
def document(service: Service) -> str:
    document_id: str = service.upload(TEXT.encode(), "umbrellas.txt").raise_for_status().json()["id"]
    assert service.settled(document_id)["status"] == "ready"
    return document_id


def stored(service: Service, folder: str) -> Path:
    [file] = [path for path in (service.folder / "data" / "blobs" / folder).rglob("*") if path.is_file()]
    return file


def damage(service: Service, damaging: Damaging, folder: str = "pages") -> None:
    file = stored(service, folder)
    file.write_bytes(damaging(file.read_bytes()))


def text_of(service: Service, document_id: str) -> str | None:
    answer = service.client.get(f"/documents/{document_id}/text")
    return answer.json()["text"] if answer.status_code == 200 else None


@in_every_way
def test_the_same_bytes_sent_again_are_read_although_the_stored_pages_are_damaged(
    service: Service, document: str, damaging: Damaging
) -> None:
    before = text_of(service, document)
    damage(service, damaging)

    again = service.upload(TEXT.encode(), "again.txt").raise_for_status().json()["id"]

    assert service.settled(again)["status"] == "ready"
    assert text_of(service, again) == text_of(service, document) == before


@pytest.mark.parametrize(
    ("path", "damaging"),
    [
        *itertools.product(("text", "pages/1/image"), (garbled, truncated, emptied)),
        ("pages/1", garbled),
        *(pytest.param("pages/1", damaging, marks=pytest.mark.slow) for damaging in (truncated, emptied)),
        ("details", truncated),  # these are in the index, so a garbled page does not matter to them
        pytest.param("details", emptied, marks=pytest.mark.slow),
    ],
)
def test_a_route_that_meets_damage_says_so_and_has_the_pages_read_again(
    service: Service, document: str, path: str, damaging: Damaging
) -> None:
    before = text_of(service, document)
    damage(service, damaging)

    answer = service.client.get(f"/documents/{document}/{path}")

    assert (answer.status_code, answer.json()["code"]) == (503, "pages_damaged"), answer.text
    assert int(answer.headers["retry-after"]) > 0
    service.wait_until(lambda: service.client.get(f"/documents/{document}/{path}").status_code == 200, what=path)
    assert text_of(service, document) == before
    assert service.settled(document)["status"] == "ready"
    jobs = service.client.get("/jobs", params={"document_id": document}).json()["jobs"]
    assert len(jobs) == 2, "one for the upload, one for the repair"


@in_every_way
def test_an_extraction_over_damaged_pages_has_them_read_again_and_completes(
    service: Service, document: str, damaging: Damaging
) -> None:
    damage(service, damaging)
    asked = service.client.post("/extractions", json={"document_ids": [document], "schema": SCHEMA})
    extraction_id = asked.raise_for_status().json()["id"]

    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = service.client.get(f"/extractions/{extraction_id}").raise_for_status().json()
        return found if found["status"] in ("completed", "failed", "cancelled") else None

    assert service.wait_until(ended, what="the extraction has ended")["status"] == "completed"
    assert text_of(service, document) is not None


def test_a_repair_makes_no_additional_extraction(service: Service) -> None:
    service.client.post("/schemas", json={"name": "bill", "schema": SCHEMA}).raise_for_status()
    document_id = service.upload(TEXT.encode(), schema="bill").raise_for_status().json()["id"]
    assert service.settled(document_id)["extraction"]["status"] == "completed"
    damage(service, emptied)

    assert service.client.get(f"/documents/{document_id}/text").status_code == 503
    service.wait_until(lambda: text_of(service, document_id), what="the text is back")

    found = service.client.get("/extractions", params={"document_id": document_id}).json()["extractions"]
    assert len(found) == 1


@pytest.mark.parametrize("damaging", [truncated, emptied])
def test_an_image_of_a_page_that_is_cut_short_is_made_again(
    service: Service, document: str, damaging: Damaging
) -> None:
    before = service.client.get(f"/documents/{document}/pages/1/image").raise_for_status().content
    damage(service, damaging, "images")

    assert service.client.get(f"/documents/{document}/pages/1/image").raise_for_status().content == before


def test_an_original_that_is_cut_short_is_not_sent_as_if_it_were_whole(service: Service, document: str) -> None:
    damage(service, truncated, "documents")

    answer = service.client.get(f"/documents/{document}/file")

    assert (answer.status_code, answer.json()["code"]) == (500, "original_damaged")


def test_pages_whose_original_is_gone_too_are_reported_and_not_tried_for_ever(service: Service, document: str) -> None:
    damage(service, emptied)
    stored(service, "documents").unlink()

    assert service.client.get(f"/documents/{document}/text").status_code == 503
    state = service.settled(document)

    assert (state["status"], state["error"]["code"]) == ("failed", "blob_missing")
    answer = service.client.get(f"/documents/{document}/text")
    assert (answer.status_code, answer.json()["code"]) == (503, "pages_damaged")
    assert service.status(document)["status"] == "failed"


@pytest.mark.parametrize(
    "damaging", [garbled, *(pytest.param(each, marks=pytest.mark.slow) for each in (truncated, emptied))]
)
def test_doctor_finds_damaged_files_has_pages_read_again_and_names_a_lost_original(
    service: Service, document: str, damaging: Damaging
) -> None:
    # The engine that is tried in the shortest time; trying the backends of the other takes ten seconds each time.
    docsieve = CommandLine({**service.environment, "DOCSIEVE_OCR_ENGINE": "tesseract"})
    healthy = {each["check"]: each for each in docsieve("doctor", "--deep", "--json").json()}
    assert healthy["stored pages"]["level"] == healthy["originals"]["level"] == "ok"
    damage(service, damaging)

    ran = docsieve("doctor", "--deep", "--json")
    found = {each["check"]: each for each in ran.json()}

    assert ran.code == 0 and found["originals"]["level"] == "ok"
    assert found["stored pages"]["level"] == "warning" and document in found["stored pages"]["reason"]
    service.wait_until(lambda: text_of(service, document), what="the text is back")

    damage(service, damaging, "documents")

    ran = docsieve("doctor", "--deep", "--json")
    found = {each["check"]: each for each in ran.json()}
    assert ran.code == 1 and found["stored pages"]["level"] == "ok"
    assert found["originals"]["level"] == "problem" and document in found["originals"]["reason"]


def test_the_maintenance_job_repairs_pages_and_counts_damaged_originals(service: Service, document: str) -> None:
    other = service.upload(b"another one", "other.txt").raise_for_status().json()["id"]
    assert service.settled(other)["status"] == "ready"
    for file in (path for path in (service.folder / "data" / "blobs" / "pages").rglob("*") if path.is_file()):
        file.write_bytes(garbled(file.read_bytes()))
    [original] = (service.folder / "data" / "blobs" / "documents").rglob(other)
    original.write_bytes(b"another 0ne")

    _enqueue_check(service.environment["DOCSIEVE_DATABASE_URL"])

    counted = "docsieve_damaged_originals 1.0"
    service.wait_until(lambda: counted in httpx.get(f"{service.url}/metrics").text, what="it is counted")
    assert service.settled(document)["status"] == "ready"
    assert text_of(service, document) is not None
    state = service.settled(other)
    assert (state["status"], state["error"]["code"]) == ("failed", "original_damaged"), "no pages of other bytes"


def _enqueue_check(database_url: str) -> None:
    async def enqueue() -> None:
        database = await Database.open(database_url, connections=1)
        try:
            job = NewJob(CheckFiles(older_than_days=0.0), max_attempts=1, id=new_id())
            await enqueue_alone(database, SYSTEM_TENANT, [job])
        finally:
            await database.close()

    asyncio.run(enqueue())
