"""Pages that are shown while later ones are still being read, by real workers that are cancelled and killed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from docsieve.domain.ids import new_id
from tests.service import Service
from tests.signals import named

READ, PAGES = 19, 30


SETTINGS = {"DOCSIEVE_SHUTDOWN_SECONDS": "5", "DOCSIEVE_LEASE_SECONDS": "6"}


@pytest.fixture(scope="module")
def shared_service(share_service: Callable[..., Service]) -> Service:
    service = share_service(**SETTINGS)
    service.api()
    service.worker()
    return service


@pytest.fixture
def rest(service: Service) -> Path:
    return service.folder / f"rest-{new_id()}"


@pytest.fixture
def half_read(service: Service, rest: Path) -> str:
    """A document whose page 20 is being read until there is a file `rest`."""
    return read_half(service, rest)


def read_half(service: Service, rest: Path) -> str:
    document_id: str = service.upload(f"%POISON stops {READ} {PAGES} {rest}".encode()).json()["id"]
    service.wait_until(lambda: shown(service, document_id) == READ, what="19 pages shown")
    return document_id


def document(service: Service, document_id: str) -> dict[str, Any]:
    found: dict[str, Any] = service.client.get(f"/documents/{document_id}").raise_for_status().json()
    return found


def shown(service: Service, document_id: str) -> int | None:
    pages: int | None = document(service, document_id)["pages_shown"]
    return pages


def found(service: Service, words: str) -> list[tuple[str, int]]:
    answer = service.client.get("/search", params={"q": words}).raise_for_status().json()
    return [(hit["document_id"], hit["page"]) for hit in answer["hits"] if "words" in hit["matched_by"]]


def completed(service: Service, extraction_id: str) -> dict[str, Any] | None:
    extraction: dict[str, Any] = service.client.get(f"/extractions/{extraction_id}").raise_for_status().json()
    return extraction if extraction["status"] == "completed" else None


def page_status(service: Service, document_id: str, number: int) -> int:
    return service.client.get(f"/documents/{document_id}/pages/{number}").status_code


def assert_shows_nothing(service: Service, document_id: str) -> None:
    assert document(service, document_id)["pages_shown"] is None
    assert page_status(service, document_id, 1) == 409
    assert service.client.get(f"/documents/{document_id}/pages/1/image").status_code == 409
    assert service.client.get(f"/documents/{document_id}/text").json()["code"] == "document_not_ready"
    assert found(service, "topic3") == []


def assert_is_complete(service: Service, document_id: str) -> None:
    assert service.settled(document_id)["status"] == "ready"
    assert document(service, document_id)["pages_shown"] is None
    text = service.client.get(f"/documents/{document_id}/text").json()
    assert (text["complete"], text["page_count"]) == (True, PAGES)
    assert [each["text"].split()[0] for each in text["pages"]] == [f"topic{number}" for number in range(1, PAGES + 1)]
    assert found(service, "topic3") == [(document_id, 3)]
    assert found(service, f"topic{PAGES}") == [(document_id, PAGES)]


def test_the_first_page_is_shown_and_found_while_page_20_is_being_read(
    service: Service, half_read: str, rest: Path
) -> None:
    assert document(service, half_read)["status"] == "processing"
    page = service.client.get(f"/documents/{half_read}/pages/1").raise_for_status().json()
    assert page["number"] == 1 and page["lines"][0]["words"][0]["text"] == "topic1"
    assert page_status(service, half_read, READ) == 200
    assert page_status(service, half_read, READ + 1) == 409
    image = service.client.get(f"/documents/{half_read}/pages/1/image").raise_for_status()
    assert image.headers["content-type"] == "image/webp"
    assert found(service, "topic3") == [(half_read, 3)]
    progress = service.wait_until(lambda: service.status(half_read)["progress"], what="progress")
    assert progress["pages"] == PAGES and progress["seconds_left"] is not None

    rest.touch()

    assert_is_complete(service, half_read)
    assert service.client.get(f"/documents/{half_read}/pages/1").json() == page


def test_text_of_the_first_pages_says_that_it_is_not_all(service: Service, half_read: str) -> None:
    text = service.client.get(f"/documents/{half_read}/text").raise_for_status()
    assert (text.json()["complete"], text.json()["page_count"]) == (False, READ)
    plain = service.client.get(f"/documents/{half_read}/text", headers={"Accept": "text/plain"}).raise_for_status()
    assert plain.headers["X-Complete"] == "false"
    assert plain.text.count("\f") == READ - 1


def test_values_wait_for_the_last_page(service: Service, half_read: str, rest: Path) -> None:
    asked = {"document_ids": [half_read], "schema": "invoice"}
    extraction = service.client.post("/extractions", json=asked).raise_for_status().json()["id"]
    assert service.client.get(f"/extractions/{extraction}").json()["status"] in ("pending", "processing")
    rest.touch()
    assert_is_complete(service, half_read)
    done = service.wait_until(lambda: completed(service, extraction), what="the extraction")
    assert done["value"] is not None


def test_event_streams_tell_of_pages_and_webhooks_do_not(service: Service, half_read: str, rest: Path) -> None:
    with service.client.stream("GET", "/events", params={"document": half_read}) as events:
        lines = events.iter_lines()
        rest.touch()
        told = [next(line for line in lines if line.startswith("event:")) for _ in range(2)]
    assert told == ["event: document.pages_read", "event: document.ready"]
    refused = service.client.post(
        "/webhooks/endpoints", json={"url": "https://example.com", "events": ["document.pages_read"]}
    )
    assert refused.status_code == 422
    assert service.client.get("/webhooks/deliveries").json()["deliveries"] == []


def test_a_cancelled_document_shows_none_of_its_pages(service: Service, half_read: str) -> None:
    job_id = service.status(half_read)["job"]["id"]
    service.client.post(f"/jobs/{job_id}/cancel").raise_for_status()
    assert_shows_nothing(service, half_read)
    assert service.status(half_read)["status"] == "cancelled"


def test_pages_of_a_killed_worker_stay_until_those_of_the_next_replace_them(
    start_service: Callable[..., Service],
) -> None:
    service = start_service(**SETTINGS)
    rest = service.folder / "rest"
    service.api()
    doomed = service.worker()
    document_id = read_half(service, rest)
    doomed.kill()
    assert page_status(service, document_id, 1) == 200
    next_worker = service.worker()
    service.signals.until(named("pages.shown", document_id, pid=next_worker.pid))
    service.wait_until(lambda: shown(service, document_id) == READ, what="19 pages shown again")
    assert found(service, "topic3") == [(document_id, 3)]
    rest.touch()
    assert_is_complete(service, document_id)
