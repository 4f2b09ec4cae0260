"""Accepting fields, and undoing corrections and acceptances."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.analysis.proof.results import finish
from docsieve.db.access.tenants import Tenant
from docsieve.domain.extraction import Proposal
from docsieve.domain.scope import Scope
from docsieve.services.review.examples import ExampleDocuments, gather
from tests.analysis.proof.samples import document, page_of
from tests.api.extracting import SCHEMA, VALUE, begun, complete, completed, result
from tests.api.running import Running, assert_problem, uploaded


async def _fields(client: httpx.AsyncClient, extraction: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """By path, as the document shows them."""
    answer = (await client.get(f"/documents/{extraction['documents'][0]}/fields")).json()
    return {each["path"]: each for each in answer["fields"]}


async def _do(client: httpx.AsyncClient, extraction: dict[str, Any], action: str, *paths: str) -> dict[str, Any]:
    response = await client.post(f"/extractions/{extraction['id']}/fields/{action}", json={"paths": list(paths)})
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def _correct(client: httpx.AsyncClient, extraction: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    fixes = {"fields": [{"path": path, "value": value}]}
    response = await client.patch(f"/extractions/{extraction['id']}/fields", json=fixes)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def test_an_accepted_field_says_by_whom_and_no_longer_needs_review(
    api: Running, client: httpx.AsyncClient
) -> None:
    found = await completed(api, client, confidence=0.4)
    answer = await _do(client, found, "accept", "number", "lines[0].text")
    fields = await _fields(client, found)
    number = fields["number"]
    assert (number["value"], number["needs_review"], number["correction"]) == ("A1", False, None)
    assert (number["accepted"]["made_by_name"], len(number["accepted"]["made_by"]) > 0) == ("a key", True)
    assert (fields["date"]["needs_review"], fields["date"]["accepted"]) == (True, None)
    assert (answer["corrected_value"], answer["needs_review"], answer["verified_at"]) == (None, True, None)
    assert [(each["path"], each["action"], each["made_by_name"]) for each in answer["corrections"]] == [
        ("number", "accept", "a key"),
        ("lines[0].text", "accept", "a key"),
    ]


async def test_accepting_twice_is_accepting_once(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client)
    await _do(client, found, "accept", "number", "number")
    answer = await _do(client, found, "accept", "number")
    assert len(answer["corrections"]) == 1


async def test_accepting_all_that_needs_review_leaves_nothing_to_review(
    api: Running, client: httpx.AsyncClient
) -> None:
    found = await completed(api, client, confidence=0.4)
    paths = [path for path, each in (await _fields(client, found)).items() if each["needs_review"]]
    answer = await _do(client, found, "accept", *paths)
    assert answer["needs_review"] is False
    page = (await client.get("/fields?needs_review=true")).json()
    assert (page["fields"], page["left"], page["documents_left"]) == ([], 0, 0)
    shown = (await client.get(f"/documents/{found['documents'][0]}")).json()
    assert (shown["confidence"], shown["needs_review"]) == (0.4, False)


async def test_undoing_brings_back_the_leaf_as_it_was_one_step_at_a_time(
    api: Running, client: httpx.AsyncClient
) -> None:
    found = await completed(api, client, confidence=0.4)
    before = (await _fields(client, found))["number"]
    paths = [path for path, each in (await _fields(client, found)).items() if each["needs_review"]]
    await _do(client, found, "accept", *(path for path in paths if path != "number"))
    await _correct(client, found, "number", "A2")
    await _correct(client, found, "number", "A3")
    assert (await _do(client, found, "accept", "number"))["needs_review"] is False
    accepted = (await _fields(client, found))["number"]
    assert (accepted["correction"]["new_value"], accepted["accepted"] is not None) == ("A3", True)

    assert (await _do(client, found, "undo", "number"))["corrected_value"]["number"] == "A3"
    assert (await _fields(client, found))["number"]["accepted"] is None
    assert (await _do(client, found, "undo", "number"))["corrected_value"]["number"] == "A2"
    assert (await _fields(client, found))["number"]["needs_review"] is False
    last = await _do(client, found, "undo", "number")
    assert (last["corrected_value"], last["needs_review"]) == (None, True)
    assert (await _fields(client, found))["number"] == before
    assert (await client.get(f"/documents/{found['documents'][0]}")).json()["needs_review"] is True

    history = [each for each in last["corrections"] if each["path"] == "number"]
    assert [(each["action"], each["old_value"], each["new_value"], each["undone"]) for each in history] == [
        ("correct", "A1", "A2", True),
        ("correct", "A2", "A3", True),
        ("accept", "A3", "A3", True),
        ("undo", "A3", "A3", False),
        ("undo", "A3", "A2", False),
        ("undo", "A2", "A1", False),
    ]


async def test_a_field_that_needed_no_review_needs_none_after_undoing(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client)
    await _correct(client, found, "number", "A2")
    answer = await _do(client, found, "undo", "number")
    assert (answer["needs_review"], (await _fields(client, found))["number"]["needs_review"]) == (False, False)


async def _doubts_agree(client: httpx.AsyncClient, extraction: dict[str, Any]) -> bool:
    """Whether the extraction needs review, having looked that its fields, its document and the queue say the same."""
    fields = await _fields(client, extraction)
    doubtful = {path for path, field in fields.items() if field["needs_review"]}
    queued = {each["path"] for each in (await client.get("/fields", params={"needs_review": True})).json()["fields"]}
    read = (await client.get(f"/extractions/{extraction['id']}")).json()["needs_review"]
    document = (await client.get(f"/documents/{extraction['documents'][0]}")).json()["needs_review"]
    assert queued == doubtful
    assert read is document is bool(doubtful)
    return bool(doubtful)


async def test_an_extraction_needs_review_exactly_while_one_of_its_fields_does(
    api: Running, client: httpx.AsyncClient
) -> None:
    """Nothing was found and a rule says that one of two optional fields must be there."""
    properties = {"vat_id": {"type": "string"}, "tax_id": {"type": "string"}, "note": {"type": "string"}}
    schema = {"type": "object", "properties": properties, "x-rules": [{"rule": "present(vat_id) or present(tax_id)"}]}
    sent = await uploaded(client, b"Dear Sir")
    (job,) = await api.claim()
    await api.complete(job, "Dear Sir")
    found = await begun(client, sent["id"], schema=schema)
    material = document(page_of(["Dear Sir"]), id=sent["id"])
    await complete(api, found["id"], finish([material], schema, Proposal(), engine="local", threshold=0.7))
    assert await _doubts_agree(client, found)
    await _do(client, found, "accept", "vat_id")
    assert await _doubts_agree(client, found)
    await _correct(client, found, "tax_id", "DE 12")
    assert not await _doubts_agree(client, found)
    await _do(client, found, "undo", "tax_id")
    assert await _doubts_agree(client, found)
    await client.post(f"/extractions/{found['id']}/verify")
    assert not await _doubts_agree(client, found)
    await _do(client, found, "undo", "vat_id")
    assert await _doubts_agree(client, found)


async def test_a_verified_extraction_needs_review_again_when_something_doubtful_is_taken_back(
    api: Running, client: httpx.AsyncClient
) -> None:
    found = await completed(api, client, confidence=0.4)
    await _correct(client, found, "number", "A2")
    await client.post(f"/extractions/{found['id']}/verify")
    answer = await _do(client, found, "undo", "number")
    assert (answer["needs_review"], answer["verified_at"], answer["verified_by"]) == (True, None, None)
    needs = {path: field["needs_review"] for path, field in (await _fields(client, found)).items()}
    assert [path for path in needs if needs[path]] == ["number"]


async def test_a_verified_extraction_stays_so_when_a_sure_field_is_taken_back(
    api: Running, client: httpx.AsyncClient
) -> None:
    found = await completed(api, client)
    await _correct(client, found, "number", "A2")
    await client.post(f"/extractions/{found['id']}/verify")
    answer = await _do(client, found, "undo", "number")
    assert (answer["needs_review"], answer["verified_at"] is not None) == (False, True)


async def test_review_asks_for_the_newest_of_several_extractions_with_one_schema_and_by_project(
    api: Running, client: httpx.AsyncClient
) -> None:
    (await client.post("/schemas", json={"name": "order", "schema": SCHEMA})).raise_for_status()
    first = await completed(api, client, confidence=0.4, schema="order")
    asked = (await client.get("/fields", params={"needs_review": True})).json()
    assert {field["extraction_id"] for field in asked["fields"]} == {first["id"]}
    [document_id] = first["documents"]
    second = await begun(client, document_id, schema="order")
    await complete(api, second["id"], result(VALUE, document_id, confidence=0.4))
    again = (await client.get("/fields", params={"needs_review": True, "project": "default"})).json()
    assert {field["extraction_id"] for field in again["fields"]} == {second["id"]}
    assert (again["left"], again["documents_left"]) == (asked["left"], 1)
    elsewhere = (await client.get("/fields", params={"project": "nowhere"})).json()
    assert (elsewhere["fields"], elsewhere["left"]) == ([], 0)


async def test_a_row_that_was_added_is_gone_once_it_is_taken_back(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client)
    await _correct(client, found, "lines[2].text", "Milk")
    answer = await _do(client, found, "undo", "lines[2].text")
    assert (answer["corrected_value"], answer["value"]) == (None, VALUE)
    assert_problem(
        await client.post(f"/extractions/{found['id']}/fields/accept", json={"paths": ["lines[2].text"]}),
        422,
        "correction_invalid",
    )


@pytest.mark.parametrize("paths", [["date"], ["number", "date"], ["no such"]])
async def test_where_there_is_nothing_to_take_back_nothing_is(
    api: Running, client: httpx.AsyncClient, paths: list[str]
) -> None:
    found = await completed(api, client)
    await _correct(client, found, "number", "A2")
    answer = await client.post(f"/extractions/{found['id']}/fields/undo", json={"paths": paths})
    assert_problem(answer, 409, "nothing_to_undo")
    kept = (await client.get(f"/extractions/{found['id']}")).json()
    assert (len(kept["corrections"]), kept["corrected_value"]["number"]) == (1, "A2")


@pytest.mark.parametrize("paths", [["no such"], ["lines"], ["lines[9].text"], ["number", "lines[].text"]])
async def test_a_field_that_is_not_part_of_the_extraction_cannot_be_accepted(
    api: Running, client: httpx.AsyncClient, paths: list[str]
) -> None:
    found = await completed(api, client)
    answer = await client.post(f"/extractions/{found['id']}/fields/accept", json={"paths": paths})
    assert_problem(answer, 422, "correction_invalid")
    assert (await client.get(f"/extractions/{found['id']}")).json()["corrections"] == []


async def test_accepted_fields_teach_and_undone_ones_do_not(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await client.post("/schemas", json={"name": "slip", "schema": SCHEMA})
    found = await completed(api, client, schema="slip")

    async def examples() -> list[ExampleDocuments]:
        async with api.resources.database.tenant(Scope(acme.id)) as session:
            return await gather(session, "slip")

    await _do(client, found, "accept", "number", "paid")
    await _correct(client, found, "count", 3)
    assert (await client.get("/jobs?job_type=learn")).json()["total"] == 1
    [example] = await examples()
    assert (example.known, example.whole) == ({"number": "A1", "paid": None, "count": 3}, False)
    await _do(client, found, "undo", "number", "count")
    [example] = await examples()
    assert example.known == {"paid": None}
    await _do(client, found, "undo", "paid")
    assert await examples() == []


async def test_the_review_list_is_paged_and_shows_how_much_is_left(api: Running, client: httpx.AsyncClient) -> None:
    unsure = await completed(api, client, confidence=0.4)
    worse = await completed(api, client, confidence=0.2)
    await completed(api, client, confidence=0.9)
    everything = (await client.get("/fields", params={"needs_review": True, "limit": 200})).json()
    count = len(everything["fields"])
    assert (everything["left"], everything["documents_left"], everything["next_cursor"]) == (count, 2, None)
    assert [each["confidence"] for each in everything["fields"]] == [0.2] * (count // 2) + [0.4] * (count // 2)
    assert {each["filename"] for each in everything["fields"]} == {"a.txt"}
    seen: list[tuple[str, str]] = []
    cursor: dict[str, str] = {}
    while True:
        page = (await client.get("/fields", params={"needs_review": True, "limit": 3, **cursor})).json()
        assert page["left"] == count
        seen += [(each["extraction_id"], each["path"]) for each in page["fields"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert seen == [(each["extraction_id"], each["path"]) for each in everything["fields"]]
    await _do(client, worse, "accept", "number")
    left = (await client.get("/fields", params={"needs_review": True, "limit": 1})).json()
    assert (left["left"], left["documents_left"]) == (count - 1, 2)
    await client.post(f"/extractions/{unsure['id']}/verify")
    assert (await client.get("/fields", params={"limit": 1})).json()["documents_left"] == 1
    assert (await client.get("/fields", params={"pattern": "date"})).json()["left"] == 1
    [number] = (await client.get("/fields", params={"pattern": "number", "needs_review": False})).json()["fields"][:1]
    assert (UUID(number["extraction_id"]), number["accepted"]["made_by_name"]) == (UUID(worse["id"]), "a key")
    for wrong in ("AAAA", cursor["cursor"][:-3], "x" * 300):
        assert_problem(await client.get("/fields", params={"cursor": wrong}), 422, "invalid_request")


async def test_a_verified_extraction_no_longer_needs_review(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client, confidence=0.4)
    url = f"/extractions/{found['id']}"

    async def to_review() -> list[str]:
        return [each["path"] for each in (await client.get("/fields?needs_review=true")).json()["fields"]]

    before = await to_review()
    assert "number" in before and "paid" not in before
    await client.patch(f"{url}/fields", json={"fields": [{"path": "number", "value": "A1"}]})
    assert set(before) - set(await to_review()) == {"number"}
    assert (await client.get(url)).json()["needs_review"] is True
    verified = (await client.post(f"{url}/verify")).json()
    assert (verified["needs_review"], verified["verified_at"] is not None) == (False, True)
    assert await to_review() == []
