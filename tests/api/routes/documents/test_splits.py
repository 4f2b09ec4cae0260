"""Cuts of packets over HTTP, without a worker."""

import httpx

from tests.api.running import Running, assert_problem, uploaded
from tests.services.packets.samples import letter, pdf

PACKET = pdf(letter("Beta Office Inc.", pages=3))


async def read_packet(api: Running, client: httpx.AsyncClient, content: bytes = PACKET) -> str:
    """A document with three pages, as a worker leaves it."""
    document = await uploaded(client, content, "scan.pdf")
    (job,) = await api.claim()
    await api.complete(job, "page one", "page two", "page three")
    return str(document["id"])


async def test_a_document_without_pages_has_no_splits_yet(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client, PACKET, "scan.pdf")
    assert_problem(await client.get(f"/documents/{document['id']}/splits"), 409, "document_not_ready")


async def test_a_document_that_was_not_split_has_no_cuts(api: Running, client: httpx.AsyncClient) -> None:
    document_id = await read_packet(api, client)
    found = (await client.get(f"/documents/{document_id}/splits")).json()
    assert (found["cuts"], found["parts"], found["revision"], found["page_count"]) == ([], [], 0, 3)


async def test_a_change_is_applied_and_its_parts_are_announced(api: Running, client: httpx.AsyncClient) -> None:
    document_id = await read_packet(api, client)
    changed = await client.patch(
        f"/documents/{document_id}/splits", json={"cuts": [{"action": "add", "after_page": 1}], "revision": 0}
    )
    assert changed.status_code == 200
    body = changed.json()
    assert body["splitting"] is True and body["needs_review"] is False
    assert [(part["first_page"], part["last_page"], part["document_id"]) for part in body["parts"]] == [
        (1, 1, None),
        (2, 3, None),
    ]


async def test_a_change_that_is_wrong_changes_nothing(api: Running, client: httpx.AsyncClient) -> None:
    document_id = await read_packet(api, client)
    good = {"action": "add", "after_page": 1}
    for wrong in (
        {"action": "add", "after_page": 3},
        {"action": "accept", "after_page": 2},
        {"action": "remove", "after_page": 2},
        {"action": "move", "after_page": 1},
        {"action": "move", "after_page": 1, "to_page": 9},
    ):
        answer = await client.patch(f"/documents/{document_id}/splits", json={"cuts": [good, wrong]})
        assert_problem(answer, 422, "cut_invalid")
    assert (await client.get(f"/documents/{document_id}/splits")).json()["cuts"] == []


async def test_of_two_people_the_second_is_told_that_the_cuts_have_changed(
    api: Running, client: httpx.AsyncClient
) -> None:
    document_id = await read_packet(api, client)
    for after_page, status in ((1, 200), (2, 409)):
        change = {"cuts": [{"action": "add", "after_page": after_page}], "revision": 0}
        answer = await client.patch(f"/documents/{document_id}/splits", json=change)
        assert answer.status_code == status
    assert_problem(answer, 409, "splits_changed")


async def test_a_text_cannot_be_split(api: Running, client: httpx.AsyncClient) -> None:
    document_id = await read_packet(api, client, b"Three pages of text.")
    answer = await client.patch(f"/documents/{document_id}/splits", json={"cuts": []})
    assert_problem(answer, 409, "document_not_splittable")


async def test_an_unknown_way_of_splitting_is_rejected(api: Running, client: httpx.AsyncClient) -> None:
    answer = await client.post("/documents", files={"file": ("a.pdf", PACKET)}, data={"split": "maybe"})
    assert_problem(answer, 422, "invalid_request")
