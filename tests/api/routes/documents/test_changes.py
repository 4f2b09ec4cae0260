"""Many documents at once: those that can be changed are, and each other one is told why not."""

from typing import Any

import httpx
import pytest

from docsieve.domain.ids import new_id
from tests.api.running import Running, assert_problem, uploaded


async def _some(api: Running, client: httpx.AsyncClient) -> tuple[list[str], list[str], str]:
    """Two ready documents, two that wait, and the id of none."""
    ids = [(await uploaded(client, str(number).encode()))["id"] for number in range(4)]
    for job in await api.claim(limit=2):
        await api.complete(job, "page")
    return ids[:2], ids[2:], str(new_id())


def _reasons(answer: dict[str, Any]) -> dict[str, str]:
    assert all(each["message"] for each in answer["skipped"])
    return {each["id"]: each["code"] for each in answer["skipped"]}


async def _status(client: httpx.AsyncClient, document_id: str) -> str:
    status: str = (await client.get(f"/documents/{document_id}")).json()["status"]
    return status


async def test_many_are_reprocessed_and_those_under_way_are_skipped(api: Running, client: httpx.AsyncClient) -> None:
    ready, waiting, nowhere = await _some(api, client)
    body = {"ids": [*ready, ready[0], *waiting, nowhere], "schema": "invoice", "engine": "local"}
    answer = (await client.post("/documents/reprocess", json=body)).json()
    assert answer["count"] == 2
    assert _reasons(answer) == {**dict.fromkeys(waiting, "document_busy"), nowhere: "not_found"}
    for document_id in ready:
        shown = (await client.get(f"/documents/{document_id}")).json()
        assert (shown["status"], shown["schema"], shown["engine"]) == ("pending", "invoice", "local")
    first = await api.claim(limit=2)
    assert {str(job.document_id) for job in first} == set(ready)  # ahead of those that waited longer
    assert {job.project_id for job in first} != {None}


async def test_nothing_is_reprocessed_with_a_schema_or_engine_that_is_none(
    api: Running, client: httpx.AsyncClient
) -> None:
    ready, _, _ = await _some(api, client)
    for options, code in (({"schema": "no-such"}, "unknown_schema"), ({"engine": "no-such"}, "unknown_engine")):
        answer = await client.post("/documents/reprocess", json={"ids": ready, **options})
        assert_problem(answer, 422, code)
    assert [await _status(client, each) for each in ready] == ["ready", "ready"]


async def test_many_are_cancelled_and_those_with_nothing_under_way_are_skipped(
    api: Running, client: httpx.AsyncClient
) -> None:
    ready, waiting, nowhere = await _some(api, client)
    await api.claim()
    answer = (await client.post("/documents/cancel", json={"ids": [*ready, *waiting, nowhere]})).json()
    assert answer["count"] == 2
    assert _reasons(answer) == {**dict.fromkeys(ready, "job_not_cancellable"), nowhere: "not_found"}
    assert [await _status(client, each) for each in (*ready, *waiting)] == ["ready"] * 2 + ["cancelled"] * 2
    again = (await client.post("/documents/cancel", json={"ids": waiting})).json()
    assert (again["count"], set(_reasons(again).values())) == (0, {"job_not_cancellable"})


async def test_many_are_deleted_with_their_bytes(api: Running, client: httpx.AsyncClient) -> None:
    ready, waiting, nowhere = await _some(api, client)
    answer = (await client.post("/documents/delete", json={"ids": [*ready, waiting[0], ready[0], nowhere]})).json()
    assert (answer["count"], _reasons(answer)) == (3, {nowhere: "not_found"})
    assert [each["id"] for each in (await client.get("/documents")).json()["documents"]] == [waiting[1]]
    assert await api.count("jobs") == 1
    [left] = await api.blobs()
    assert waiting[1] in left


async def test_deleting_one_of_two_with_the_same_content_keeps_the_pages_of_the_other(
    api: Running, client: httpx.AsyncClient
) -> None:
    twins = [(await uploaded(client, b"same"))["id"] for _ in range(3)]
    for job in await api.claim(limit=3):
        await api.complete(job, "page")
    assert (await client.post("/documents/delete", json={"ids": twins[:2]})).json()["count"] == 2
    assert (await client.get(f"/documents/{twins[2]}/text")).status_code == 200
    assert (await client.post("/documents/delete", json={"ids": twins[2:]})).json()["count"] == 1
    assert await api.blobs() == set()


@pytest.mark.parametrize("action", ["delete", "reprocess", "cancel"])
async def test_a_selection_of_nothing_or_of_too_many_is_422(client: httpx.AsyncClient, action: str) -> None:
    bodies: list[dict[str, Any]] = [
        {},
        {"ids": []},
        {"ids": ["x"]},
        {"ids": [str(new_id())] * 1001},
        {"ids": [str(new_id())], "all": 1},
    ]
    for body in bodies:
        assert_problem(await client.post(f"/documents/{action}", json=body), 422, "invalid_request")


async def _sealed(api: Running, document_id: str) -> str | None:
    async with api.resources.database.system() as connection:
        sealed = await connection.fetchval("select sealed_password from documents where id = $1", document_id)
    return api.resources.sealer.unseal(sealed) if sealed is not None else None


async def test_a_password_given_later_is_sealed_in_the_place_of_the_one_before(
    api: Running, client: httpx.AsyncClient
) -> None:
    secrets = ["first-secret", "second-secret"]
    document = await uploaded(client, password=secrets[0])
    for options, kept in (({}, secrets[0]), ({"password": secrets[1]}, secrets[1]), ({}, secrets[1])):
        (job,) = await api.claim()
        await api.fail(job)
        answer = await client.post(f"/documents/{document['id']}/reprocess", json=options)
        assert answer.status_code == 200
        assert await _sealed(api, document["id"]) == kept
        (again,) = (await client.get("/jobs", params={"status": "pending"})).json()["jobs"]
        for told in (answer.text, str(again), (await client.get(f"/documents/{document['id']}")).text):
            assert not any(secret in told for secret in secrets)
    async with api.resources.database.system() as connection:
        stored = str(
            await connection.fetch("select to_jsonb(t) from jobs t union all select to_jsonb(t) from documents t")
        )
    assert not any(secret in stored for secret in secrets)


async def test_a_password_for_many_is_kept_by_those_that_are_read_again_alone(
    api: Running, client: httpx.AsyncClient
) -> None:
    ready, waiting, _ = await _some(api, client)
    body = {"ids": [*ready, *waiting], "password": "open sesame"}
    assert (await client.post("/documents/reprocess", json=body)).json()["count"] == 2
    kept = [await _sealed(api, each) for each in (*ready, *waiting)]
    assert kept == ["open sesame", "open sesame", None, None]


@pytest.mark.parametrize("password", ["", "secret\x00", "secret" * 200, 5])
async def test_what_cannot_be_a_password_is_422_and_not_repeated(client: httpx.AsyncClient, password: Any) -> None:
    document = await uploaded(client)
    for path, body in ((f"{document['id']}/reprocess", {}), ("reprocess", {"ids": [document["id"]]})):
        answer = await client.post(f"/documents/{path}", json={**body, "password": password})
        assert_problem(answer, 422, "invalid_request")
        assert "secret" not in answer.text


async def test_pages_shared_with_a_twin_outlive_a_document_that_was_given_a_password_since(
    api: Running, client: httpx.AsyncClient
) -> None:
    kept, deleted = [(await uploaded(client, b"same"))["id"] for _ in range(2)]
    for job in await api.claim(limit=2):
        await api.complete(job, "page")
    body = {"password": "open sesame"}
    assert (await client.post(f"/documents/{deleted}/reprocess", json=body)).status_code == 200
    assert (await client.delete(f"/documents/{deleted}")).status_code == 204
    assert (await client.get(f"/documents/{kept}/text")).json()["text"] == "page"
