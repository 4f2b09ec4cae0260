"""Idempotency-Key: the same request may be sent any number of times and happens once."""

import asyncio

import httpx
import pytest

from docsieve.db.access.tenants import Tenant
from docsieve.domain.ids import new_id
from docsieve.services.intake import UploadedFile, UploadOptions
from tests.api.running import Running, assert_problem, upload, uploaded


async def _assert_happened_once(api: Running) -> None:
    counts = [await api.count(table) for table in ("documents", "jobs", "idempotency_keys")]
    assert (counts, len(await api.blobs())) == ([1, 1, 1], 1)


async def test_the_same_request_again_is_answered_with_the_same_document(
    api: Running, client: httpx.AsyncClient
) -> None:
    first = await upload(client, key="once", metadata='{"a": 1, "b": 2}')
    again = await upload(client, key="once", metadata='{"b": 2, "a": 1}')
    assert again.status_code == 200
    assert again.json() == first.json()
    await _assert_happened_once(api)


async def test_another_request_with_the_same_key_is_409(api: Running, client: httpx.AsyncClient) -> None:
    await uploaded(client, key="once")
    others = (
        await upload(client, b"Other.", key="once"),
        await upload(client, filename="b.txt", key="once"),
        await upload(client, key="once", metadata='{"a": 1}'),
        await upload(client, key="once", priority="1"),
        await upload(client, key="once", password="secret"),
    )
    for response in others:
        assert_problem(response, 409, "idempotency_conflict")
    await _assert_happened_once(api)


async def test_the_password_belongs_to_the_request(api: Running, client: httpx.AsyncClient) -> None:
    first = await uploaded(client, key="once", password="secret")
    assert (await uploaded(client, key="once", password="secret"))["id"] == first["id"]
    assert_problem(await upload(client, key="once", password="other"), 409, "idempotency_conflict")
    assert_problem(await upload(client, key="once"), 409, "idempotency_conflict")
    await _assert_happened_once(api)


def test_nothing_stored_lets_a_password_be_guessed() -> None:
    file = UploadedFile(new_id(), "a.txt", "text/plain", 6, "00")
    assert file.fingerprint(UploadOptions(password="one")) == file.fingerprint(UploadOptions(password="two"))


@pytest.mark.usefixtures("walls")
async def test_a_key_of_another_tenant_is_another_key(api: Running, client: httpx.AsyncClient) -> None:
    stranger = await api.admin(await api.tenant("other"))
    assert (await uploaded(client, key="once"))["id"] != (await uploaded(stranger, b"Other.", key="once"))["id"]


async def test_a_key_used_in_an_unseen_project_is_409_and_says_nothing_of_its_document(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    hidden = await uploaded(client, key="once")
    limited = await api.admin(acme, project_id=await api.project(acme, "side"))
    response = await upload(limited, key="once")
    assert_problem(response, 409, "idempotency_conflict")
    assert hidden["id"] not in response.text
    await _assert_happened_once(api)


async def test_an_invalid_key_is_422(client: httpx.AsyncClient) -> None:
    for key in ("", "two words", "x" * 256, "tab\there"):
        assert_problem(await upload(client, key=key), 422, "invalid_request")
    assert (await upload(client, key="x" * 255)).status_code == 200


async def test_twenty_requests_at_once_with_one_key_are_one_document(api: Running, client: httpx.AsyncClient) -> None:
    responses = await asyncio.gather(*(upload(client, b"x" * 5000, key="once") for _ in range(20)))
    assert {response.status_code for response in responses} == {200}
    assert len({response.json()["id"] for response in responses}) == 1
    await _assert_happened_once(api)


async def test_two_different_requests_at_once_with_one_key_are_one_document_and_one_conflict(
    api: Running, client: httpx.AsyncClient
) -> None:
    responses = await asyncio.gather(upload(client, b"One.", key="once"), upload(client, b"Two.", key="once"))
    assert sorted(response.status_code for response in responses) == [200, 409]
    await _assert_happened_once(api)


async def test_a_request_that_was_refused_does_not_use_up_its_key(api: Running, client: httpx.AsyncClient) -> None:
    assert_problem(await upload(client, key="once", project="nowhere"), 422, "unknown_project")
    assert_problem(await upload(client, b"", key="once"), 422, "empty_document")
    assert (await upload(client, key="once")).status_code == 200
    await _assert_happened_once(api)


async def test_a_key_is_free_again_when_its_document_is_deleted(api: Running, client: httpx.AsyncClient) -> None:
    first = await uploaded(client, key="once")
    await client.delete(f"/documents/{first['id']}")
    assert (await uploaded(client, b"Other.", key="once"))["id"] != first["id"]
    await _assert_happened_once(api)
