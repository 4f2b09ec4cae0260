"""Extractions over HTTP, without a worker: the results are written as a worker writes them."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import pytest

from docsieve.db import documents, lessons
from docsieve.db.access.tenants import Tenant
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.schemas.ready import READY
from docsieve.domain.schemas.shape import shaped
from docsieve.domain.scope import Scope
from docsieve.jobs.learn import LearnHandler
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.kinds import Attempt
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.services.review.examples import Learn
from docsieve.tasks import registry
from tests.api.extracting import begun, complete, record_all, result
from tests.api.running import Running, assert_problem, uploaded

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "number": {"type": "string"},
        "date": {"type": "string", "format": "date"},
        "kind": {"type": "string", "enum": ["bill", "credit"]},
        "paid": {"type": "boolean"},
        "count": {"type": "integer"},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"text": {"type": "string"}, "price": {"type": "number"}}},
        },
    },
}
VALUE: dict[str, Any] = {
    "number": "A1",
    "date": "2026-01-31",
    "kind": "bill",
    "paid": None,
    "count": 2,
    "lines": [{"text": "Tea", "price": 3.5}, {"text": "Cake", "price": 4.0}],
}


async def completed(
    api: Running, client: httpx.AsyncClient, value: dict[str, Any] = VALUE, *, confidence: float = 0.9, **asked: Any
) -> dict[str, Any]:
    """A completed extraction over a fresh document; its id and the document's."""
    document = await uploaded(client, b"A1 " + str(confidence).encode())
    (job,) = await api.claim()
    await api.complete(job, "A1")
    started = await begun(client, document["id"], **{"schema": SCHEMA, **asked})
    await complete(api, started["id"], result(value, document["id"], confidence=confidence))
    answer: dict[str, Any] = (await client.get(f"/extractions/{started['id']}")).json()
    return answer


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
    assert (await client.get(fields)).json() == {"extraction_id": None, "schema": None, "fields": []}


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


async def test_corrections_keep_the_engines_value_and_record_author_and_time(
    api: Running, client: httpx.AsyncClient
) -> None:
    found = await completed(api, client)
    url, document_id = f"/extractions/{found['id']}", found["documents"][0]
    box = {"page": 1, "box": [1, 2, 3, 4], "document_id": document_id}
    fixes = [{"path": "number", "value": "A2", "note": "misread", **box}, {"path": "paid", "value": True}]
    answer = (await client.patch(f"{url}/fields", json={"fields": fixes})).json()
    again = (await client.patch(f"{url}/fields", json={"fields": [{"path": "number", "value": None}]})).json()
    assert answer["value"] == again["value"] == VALUE
    assert answer["corrected_value"] == {**VALUE, "number": "A2", "paid": True}
    assert again["corrected_value"] == {**VALUE, "number": None, "paid": True}
    kept = [(each["path"], each["old_value"], each["new_value"]) for each in again["corrections"]]
    assert kept == [("number", "A1", "A2"), ("paid", None, True), ("number", "A2", None)]
    first = again["corrections"][0]
    assert (first["page"], first["box"], first["document_id"]) == (1, [1.0, 2.0, 3.0, 4.0], document_id)
    assert (first["note"], len(first["made_by"]) > 0, first["made_at"] is not None) == ("misread", True, True)
    fields = (await client.get(f"/documents/{document_id}/fields")).json()["fields"]
    [number] = [each for each in fields if each["path"] == "number"]
    assert (number["value"], number["correction"]["new_value"]) == ("A1", None)


async def test_rows_can_be_added_at_the_end_and_taken_away(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client)
    fixes = [
        {"path": "lines[2].text", "value": "Milk"},
        {"path": "lines[3].price", "value": 1},
        {"path": "lines[0].text", "value": None},
        {"path": "lines[0].price", "value": None},
    ]
    answer = (await client.patch(f"/extractions/{found['id']}/fields", json={"fields": fixes})).json()
    assert answer["corrected_value"]["lines"] == [
        {"text": "Cake", "price": 4.0},
        {"text": "Milk", "price": None},
        {"text": None, "price": 1},
    ]


@pytest.mark.parametrize(
    "fix",
    [
        {"path": "no_such", "value": "x"},
        {"path": "lines", "value": "x"},
        {"path": "lines[].price", "value": 1},
        {"path": "lines[5].price", "value": 1},
        {"path": "lines[0]..price", "value": 1},
        {"path": "number", "value": 5},
        {"path": "count", "value": 2.5},
        {"path": "count", "value": True},
        {"path": "kind", "value": "letter"},
        {"path": "date", "value": "31.01.2026"},
        {"path": "number", "value": "x", "box": [1, 2, 3, 4]},
        {"path": "number", "value": "x", "page": 1, "box": [3, 2, 1, 4]},
        {"path": "number", "value": "x", "page": 9},
    ],
)
async def test_a_correction_that_does_not_fit_is_refused_and_none_is_kept(
    api: Running, client: httpx.AsyncClient, fix: dict[str, Any]
) -> None:
    found = await completed(api, client)
    fixes = {"fields": [{"path": "number", "value": "fine"}, fix]}
    answer = await client.patch(f"/extractions/{found['id']}/fields", json=fixes)
    assert_problem(answer, 422, "correction_invalid")
    assert (await client.get(f"/extractions/{found['id']}")).json()["corrections"] == []


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


async def test_fields_are_found_by_their_value(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client)
    answer = (await client.get("/fields", params={"pattern": "lines[].text", "value": "  cAKE "})).json()
    assert [(each["extraction_id"], each["path"]) for each in answer["fields"]] == [(found["id"], "lines[1].text")]
    assert (await client.get("/fields", params={"value": "no such value"})).json()["fields"] == []


async def test_an_extraction_that_is_not_completed_cannot_be_corrected_verified_or_compared(
    client: httpx.AsyncClient,
) -> None:
    pending = await begun(client, (await uploaded(client))["id"], schema=SCHEMA)
    url = f"/extractions/{pending['id']}"
    fixes = {"fields": [{"path": "number", "value": "A2"}]}
    for answer in (
        await client.patch(f"{url}/fields", json=fixes),
        await client.post(f"{url}/verify"),
        await client.get(f"{url}/compare/{pending['id']}"),
    ):
        assert_problem(answer, 409, "extraction_not_completed")


async def test_two_extractions_are_compared_field_by_field(api: Running, client: httpx.AsyncClient) -> None:
    here = await completed(api, client)
    other = {
        **VALUE,
        "number": " a1. ",
        "date": None,
        "paid": True,
        "count": 3,
        "lines": [{"text": "Tea", "price": 3.5}],
    }
    there = await completed(api, client, other, confidence=0.8)
    compared = (await client.get(f"/extractions/{here['id']}/compare/{there['id']}")).json()
    outcomes = {each["path"]: each["outcome"] for each in compared["fields"]}
    assert outcomes == {
        "number": "same",
        "date": "only_here",
        "kind": "same",
        "paid": "only_there",
        "count": "differs",
        "lines[0].text": "same",
        "lines[0].price": "same",
        "lines[1].text": "only_here",
        "lines[1].price": "only_here",
    }
    [count] = [each for each in compared["fields"] if each["path"] == "count"]
    assert (count["here"], count["there"]) == (2, 3)
    assert (count["confidence_here"], count["confidence_there"]) == (0.9, 0.8)


async def test_verified_extractions_are_exported_as_an_evaluation_set(api: Running, client: httpx.AsyncClient) -> None:
    await client.post("/schemas", json={"name": "slip", "schema": SCHEMA})
    kept = await completed(api, client, schema="slip")
    await completed(api, client, schema="slip", confidence=0.8)
    await client.patch(f"/extractions/{kept['id']}/fields", json={"fields": [{"path": "number", "value": "A2"}]})
    await client.post(f"/extractions/{kept['id']}/verify")
    exported = await client.get("/extractions/dataset", params={"schema": "slip"})
    assert exported.status_code == 200
    with zipfile.ZipFile(io.BytesIO(exported.content)) as archive:
        assert archive.testzip() is None
        [line] = [json.loads(line) for line in archive.read("ground_truth.jsonl").decode().splitlines()]
        assert line["fields"] == {**VALUE, "number": "A2"}
        assert archive.read(line["file"]) == b"A1 0.9"
        assert json.loads(archive.read("schema.json")) == SCHEMA
    everything = await client.get("/extractions/dataset", params={"schema": "slip", "verified": False})
    with zipfile.ZipFile(io.BytesIO(everything.content)) as archive:
        assert len(archive.read("ground_truth.jsonl").splitlines()) == 2


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"schema": "no-such"}, 422, "unknown_schema"),
        ({"schema": "No Such!"}, 422, "unknown_schema"),
        ({"schema": {"type": "string"}}, 422, "schema_invalid"),
        ({"schema": None}, 422, "invalid_request"),
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


async def test_a_key_limited_to_a_project_corrects_and_teaches_there(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    limited = await api.admin(acme, project_id=await api.project(acme, "side"))
    await client.post("/schemas", json={"name": "slip", "schema": SCHEMA})
    found = await completed(api, limited, schema="slip")
    fixes = {"fields": [{"path": "number", "value": "A2"}]}
    assert (await limited.patch(f"/extractions/{found['id']}/fields", json=fixes)).status_code == 200
    assert (await limited.post(f"/extractions/{found['id']}/verify")).status_code == 200
    learning = (await client.get("/jobs?job_type=learn")).json()
    assert (learning["total"], learning["jobs"][0]["run_at"] is not None) == (1, True)


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


async def test_what_a_deleted_document_has_taught_is_unlearned(
    api: Running, acme: Tenant, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    scope, document_id = Scope(acme.id), UUID((await uploaded(client))["id"])
    async with api.resources.database.tenant(scope) as session:
        project_id = (await documents.projects_of(session, [document_id]))[document_id]
    await record_all(api, scope, document_id, project_id)
    assert (await client.delete(f"/documents/{document_id}")).status_code == 204
    [job] = (await client.get("/jobs?job_type=learn")).json()["jobs"]
    claimed = ClaimedJob(UUID(job["id"]), 1, "", acme.id, None, None, "learn", "maintenance", "", 1, 0)
    async with Sandbox(Limits(), tasks=registry, children=1) as sandbox:
        handler = LearnHandler(api.resources, sandbox, WorkDirs(tmp_path))
        closing = await handler(Learn(schema_name="bill"), Attempt(claimed))
    async with api.resources.database.tenant(scope) as session:
        assert await lessons.active(session, "bill", "local") is not None
        await closing(session)
        assert await lessons.active(session, "bill", "local") is None
        [kept] = await lessons.list_all(session, "bill")
        assert (kept.active, kept.score_trained) == (False, 0.9)
