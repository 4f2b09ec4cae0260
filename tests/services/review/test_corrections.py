"""Corrections of extracted values."""

from typing import Any

import httpx
import pytest

from tests.api.extracting import SCHEMA, VALUE, begun, completed
from tests.api.running import Running, assert_problem, uploaded


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
