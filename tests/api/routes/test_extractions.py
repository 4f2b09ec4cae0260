"""Extractions over HTTP, without a worker: the results are written as a worker writes them."""

from dataclasses import asdict, replace
from typing import Any

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.extraction import Doubt, Evidence
from docsieve.domain.schemas.ready import READY
from docsieve.domain.schemas.shape import shaped
from tests.api.extracting import SCHEMA, VALUE, begun, complete, completed, result
from tests.api.running import Running, assert_problem, uploaded


async def test_a_completed_extraction_shows_value_metadata_and_what_made_them(
    api: Running, client: httpx.AsyncClient
) -> None:
    found = await completed(api, client, metadata={"case": 7})
    assert (found["status"], found["value"], found["client_metadata"]) == ("completed", VALUE, {"case": 7})
    assert list(found["value"]) == list(SCHEMA["properties"])
    about = found["metadata"]["lines[1].price"]
    assert (about["confidence"], about["grounded"]) == (0.9, True)
    assert about["evidence"] == [
        {
            "document_id": found["documents"][0],
            "page": 1,
            "page_width": 612.0,
            "page_height": 792.0,
            "box": [10.0, 10.0, 90.0, 20.0],
            "text": "A1",
        }
    ]
    assert (found["engine"], found["engine_version"], found["confidence"]) == ("local", "1", 0.9)
    assert (found["corrected_value"], found["corrections"]) == (None, [])


async def test_doubts_are_the_same_in_the_extraction_and_in_all_lists_of_fields(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client, b"A1 or A2")
    (job,) = await api.claim()
    await api.complete(job, "A1 or A2")
    started = await begun(client, document["id"], schema=SCHEMA)
    found = result(VALUE, document["id"], confidence=0.4)
    place = Evidence(document["id"], 1, 612.0, 792.0, (40.0, 10.0, 50.0, 20.0), "A2")
    found.metadata["number"].doubts = [
        Doubt("two_candidates", "Two values fit: 'A1' and 'A2'.", "A2", [place]),
        Doubt("hard_to_read", "The scan is hard to read here.", None, []),
    ]
    await complete(api, started["id"], found)
    expected = [
        {
            "code": "two_candidates",
            "message": "Two values fit: 'A1' and 'A2'.",
            "other": "A2",
            "evidence": [asdict(place) | {"box": [40.0, 10.0, 50.0, 20.0]}],
        },
        {"code": "hard_to_read", "message": "The scan is hard to read here.", "other": None, "evidence": []},
    ]
    read = (await client.get(f"/extractions/{started['id']}")).json()
    assert read["metadata"]["number"]["doubts"] == expected
    for path in (f"/documents/{document['id']}/fields", f"/extractions/{started['id']}/fields", "/fields"):
        fields = {each["path"]: each for each in (await client.get(path)).json()["fields"]}
        assert fields["number"]["doubts"] == expected
        assert fields["kind"]["doubts"] == []


async def test_fields_before_there_are_any_say_so_until_nothing_more_will_come(
    api: Running, client: httpx.AsyncClient
) -> None:
    document = await uploaded(client, schema="invoice")
    fields = f"/documents/{document['id']}/fields"
    problem = assert_problem(await client.get(fields), 409, "document_not_ready")
    assert "its status is pending" in problem["detail"]
    [job] = await api.claim()
    assert_problem(await client.get(fields), 409, "document_not_ready")
    await api.complete(job, "one page")
    assert (await client.get(fields)).json() == {
        "schema_requested": True,
        "extraction_id": None,
        "schema": None,
        "fields": [],
    }


async def test_fields_of_a_document_without_a_schema_say_that_none_was_requested(client: httpx.AsyncClient) -> None:
    only_read, by_class = await uploaded(client, schema="none"), await uploaded(client)
    answer = await client.get(f"/documents/{only_read['id']}/fields")
    assert (answer.status_code, answer.json()["schema_requested"], answer.json()["fields"]) == (200, False, [])
    assert_problem(await client.get(f"/documents/{by_class['id']}/fields"), 409, "document_not_ready")


async def test_fields_of_an_extraction_that_is_not_completed_say_so(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    [job] = await api.claim()
    await api.complete(job, "one page")
    fields = f"/documents/{document['id']}/fields"
    pending = await begun(client, document["id"], schema=SCHEMA)
    for parameters in ({}, {"extraction_id": pending["id"]}):
        problem = assert_problem(await client.get(fields, params=parameters), 409, "extraction_not_completed")
        assert "its status is pending" in problem["detail"]
    [job] = await api.claim()
    await api.fail(job)
    problem = assert_problem(await client.get(fields), 409, "extraction_not_completed")
    assert "its status is failed" in problem["detail"]
    done = await begun(client, document["id"], schema=SCHEMA)
    await complete(api, done["id"], result(VALUE, document["id"]))
    await begun(client, document["id"], schema=SCHEMA)
    assert (await client.get(fields)).json()["extraction_id"] == done["id"]


async def test_the_list_is_newest_first_and_can_be_narrowed(api: Running, client: httpx.AsyncClient) -> None:
    sure = await completed(api, client, schema="invoice", value=_empty_invoice())
    unsure = await completed(api, client, confidence=0.4)

    async def ids(query: str) -> list[str]:
        return [each["id"] for each in (await client.get(f"/extractions{query}")).json()["extractions"]]

    assert await ids("") == [unsure["id"], sure["id"]]
    assert await ids("?needs_review=true") == [unsure["id"]]
    assert await ids("?schema=invoice") == await ids("?schema=invoice@0") == [sure["id"]]
    assert await ids("?schema=invoice@1") == await ids("?status=failed") == await ids("?verified=true") == []
    assert await ids(f"?document_id={sure['documents'][0]}") == [sure["id"]]
    first = (await client.get("/extractions?limit=1")).json()
    assert await ids(f"?limit=1&cursor={first['next_cursor']}") == [sure["id"]]


def _empty_invoice() -> dict[str, Any]:
    value: dict[str, Any] = shaped(READY["invoice"], {})
    return value


async def test_fields_are_found_by_their_value(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client)
    answer = (await client.get("/fields", params={"pattern": "lines[].text", "value": "  cAKE "})).json()
    assert [(each["extraction_id"], each["path"]) for each in answer["fields"]] == [(found["id"], "lines[1].text")]
    assert (await client.get("/fields", params={"value": "no such value"})).json()["fields"] == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"schema": "no-such"}, 422, "unknown_schema"),
        ({"schema": "No Such!"}, 422, "unknown_schema"),
        ({"schema": {"type": "string"}}, 422, "schema_invalid"),
        ({"schema": "none"}, 422, "invalid_request"),
        ({"engine": "no-such"}, 422, "unknown_engine"),
        ({"prompt": "no-such"}, 422, "unknown_prompt"),
        ({"document_ids": []}, 422, "invalid_request"),
        ({"document_ids": ["00000000-0000-0000-0000-000000000001"]}, 404, "not_found"),
        ({"metadata": {"a": "\u0000"}}, 422, "invalid_request"),
        ({"no_such": 1}, 422, "invalid_request"),
    ],
)
async def test_an_extraction_that_cannot_be_is_refused_at_once(
    api: Running, client: httpx.AsyncClient, body: dict[str, Any], status: int, code: str
) -> None:
    document = await uploaded(client)
    answer = await client.post("/extractions", json={"document_ids": [document["id"]], "schema": SCHEMA, **body})
    assert_problem(answer, status, code)
    assert await api.count("extractions") == 0


async def test_documents_of_two_projects_are_not_one_extraction(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    await api.project(acme, "side")
    ids = [(await uploaded(client))["id"], (await uploaded(client, project="side"))["id"]]
    for wrong in (ids, [ids[0], ids[0]]):
        answer = await client.post("/extractions", json={"document_ids": wrong, "schema": SCHEMA})
        assert_problem(answer, 422, "invalid_request")


async def test_an_extraction_of_many_rows_is_written_and_answered_whole(
    api: Running, client: httpx.AsyncClient
) -> None:
    lines = [{"text": f"Item {number}", "price": number / 4} for number in range(5_000)]
    found = await completed(api, client, {**VALUE, "lines": lines})
    assert found["value"]["lines"] == lines
    assert len(found["metadata"]) == 10_005
    assert await api.count("document_fields") == 10_005
    fields = (await client.get(f"/documents/{found['documents'][0]}/fields")).json()["fields"]
    assert [each["path"] for each in fields] == list(found["metadata"])


async def test_an_extraction_over_several_documents_lists_the_fields_of_all_of_them(
    api: Running, client: httpx.AsyncClient
) -> None:
    ids = []
    for name in ("one.txt", "two.txt"):
        ids.append((await uploaded(client, name.encode(), name))["id"])
        [job] = await api.claim()
        await api.complete(job, "one page")
    started = await begun(client, *ids, schema=SCHEMA)
    fields = f"/extractions/{started['id']}/fields"
    assert_problem(await client.get(fields), 409, "extraction_not_completed")
    found = result(VALUE, ids[0])
    found.metadata["kind"].evidence[0] = replace(found.metadata["kind"].evidence[0], document_id=ids[1])
    await complete(api, started["id"], found)
    answer = (await client.get(fields)).json()
    assert {each["path"]: each["filename"] for each in answer["fields"][:3]} == {
        "number": "one.txt",
        "date": "one.txt",
        "kind": "two.txt",
    }
