"""Extractions that were stored when the whole and its fields decided by two rules whether they need review."""

from importlib import import_module
from typing import Any

import httpx

from tests.api.running import Running
from tests.api.test_extractions import completed

REVIEW = import_module("docsieve.db.migrations.versions.0012_review")
FAILED = '[{"name": "rule", "passed": false, "message": "one of both"}]'


async def _as_stored_before(api: Running, extraction_id: str, *, failed: str | None = None) -> None:
    async with api.resources.database.system() as connection:
        await connection.execute(
            """
            update extractions set needs_review = true, metadata = (
                select json_object_agg(key, value::jsonb - 'needs_review') from json_each(metadata))
            where id = $1
            """,
            extraction_id,
        )
        await connection.execute(
            "update document_fields set checks = $2 where extraction_id = $1 and path = $3",
            extraction_id,
            FAILED,
            failed,
        )


async def _migrated(api: Running, client: httpx.AsyncClient, extraction_id: str) -> dict[str, Any]:
    async with api.resources.database.system() as connection:
        await connection.execute(REVIEW.ROWS)
        await connection.execute(REVIEW.METADATA)
    answer: dict[str, Any] = (await client.get(f"/extractions/{extraction_id}")).json()
    return answer


async def test_an_empty_field_that_failed_a_rule_comes_into_the_queue(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client)
    await _as_stored_before(api, found["id"], failed="paid")
    migrated = await _migrated(api, client, found["id"])
    queue = (await client.get("/fields", params={"needs_review": True})).json()["fields"]
    assert [each["path"] for each in queue] == ["paid"]
    assert migrated["needs_review"]
    assert [path for path, leaf in migrated["metadata"].items() if leaf["needs_review"]] == ["paid"]
    assert list(migrated["metadata"]) == list(found["metadata"])


async def test_an_extraction_none_of_whose_fields_needs_review_needs_none(
    api: Running, client: httpx.AsyncClient
) -> None:
    found = await completed(api, client)
    await _as_stored_before(api, found["id"])
    assert not (await _migrated(api, client, found["id"]))["needs_review"]
    document = (await client.get(f"/documents/{found['documents'][0]}")).json()
    assert document["needs_review"] is False


async def test_a_decision_from_before_can_be_taken_back(api: Running, client: httpx.AsyncClient) -> None:
    found = await completed(api, client, confidence=0.4)
    url = f"/extractions/{found['id']}"
    await client.post(f"{url}/fields/accept", json={"paths": ["number"]})
    await _as_stored_before(api, found["id"])
    await _migrated(api, client, found["id"])
    await client.post(f"{url}/fields/undo", json={"paths": ["number"]})
    queue = (await client.get("/fields", params={"needs_review": True, "pattern": "number"})).json()["fields"]
    assert [each["path"] for each in queue] == ["number"]
