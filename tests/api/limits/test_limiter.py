"""Limits as clients meet them: 429 with the time to wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from docsieve.db.access import tenants
from docsieve.limits import parse_limits, parse_quotas
from tests.api.forms import CONTENT_TYPE, file, form
from tests.api.running import Running, assert_problem, running, upload, uploaded

FORM = {"Content-Type": CONTENT_TYPE}


@asynccontextmanager
async def limited(database_url: str, folder: Path, **limits: str) -> AsyncIterator[tuple[Running, httpx.AsyncClient]]:
    async with running(database_url, folder, limits=limits) as api:
        yield api, await api.admin(await api.tenant("acme"))


async def test_requests_beyond_the_limit_get_429_with_the_time_to_wait(database_url: str, tmp_path: Path) -> None:
    async with limited(database_url, tmp_path, requests="3/h") as (api, client):
        assert [(await client.get("/documents")).status_code for _ in range(3)] == [200] * 3
        refused = await client.get("/documents")
        problem = assert_problem(refused, 429, "rate_limited")
        assert problem["detail"].startswith("The limit requests of 3 per 3600 s is reached.")
        assert 1100 < int(refused.headers["Retry-After"]) <= 1200
        assert refused.headers["RateLimit-Policy"] == '"requests";q=3;w=3600'
        assert refused.headers["RateLimit-Limit"] == "3"
        assert refused.headers["RateLimit-Remaining"] == "0"
        assert refused.headers["RateLimit-Reset"] == refused.headers["Retry-After"]
        other = await api.admin(await api.tenant("other"))
        assert (await other.get("/documents")).status_code == 200


async def test_all_keys_of_a_tenant_share_its_limit_and_each_may_have_one(database_url: str, tmp_path: Path) -> None:
    async with running(database_url, tmp_path, limits={"requests": "4/h", "key_requests": "3/h"}) as api:
        acme = await api.tenant("acme")
        first, second = await api.admin(acme), await api.admin(acme)
        for _ in range(3):
            assert (await first.get("/documents")).status_code == 200
        assert "key_requests" in assert_problem(await first.get("/documents"), 429, "rate_limited")["detail"]
        assert (await second.get("/documents")).status_code == 200
        assert "limit requests" in assert_problem(await second.get("/documents"), 429, "rate_limited")["detail"]


async def test_an_operator_gives_a_tenant_other_limits(database_url: str, tmp_path: Path) -> None:
    async with limited(database_url, tmp_path, requests="2/h") as (api, client):
        operator = await api.admin(await api.tenant("default"))
        answer = await operator.patch("/tenants/acme", json={"limits": {"requests": "off", "uploads": "1"}})
        assert answer.json()["limits"] == {"requests": "off", "uploads": "1"}
        assert [(await client.get("/documents")).status_code for _ in range(9)] == [200] * 9
        wrong = await operator.patch("/tenants/acme", json={"limits": {"requests": "fast"}})
        assert "write it as 100/s" in assert_problem(wrong, 422, "invalid_request")["detail"]


async def test_an_upload_larger_than_the_allowed_bytes_is_taken_and_the_next_one_waits(
    database_url: str, tmp_path: Path
) -> None:
    async with limited(database_url, tmp_path, upload_bytes="1KB/h") as (api, client):
        await uploaded(client, b"x" * 5_000)
        refused = await upload(client, b"small")
        assert "upload_bytes" in assert_problem(refused, 429, "rate_limited")["detail"]
        assert int(refused.headers["Retry-After"]) > 3600
        assert await api.count("documents") == 1


async def test_bytes_of_a_body_without_a_length_are_charged_as_they_arrive(database_url: str, tmp_path: Path) -> None:
    async with limited(database_url, tmp_path, upload_bytes="1KB/h") as (_, client):
        sent = await client.post("/documents", content=_in_pieces(form(file(b"x" * 5_000))), headers=FORM)
        assert sent.status_code == 200, sent.text
        assert_problem(await upload(client, b"small"), 429, "rate_limited")


async def test_an_upload_in_progress_takes_a_place_until_it_ends(database_url: str, tmp_path: Path) -> None:
    async with limited(database_url, tmp_path, uploads="1") as (_, client):
        going, sending = asyncio.Event(), asyncio.Event()
        body = _held(form(file(b"slow")), sending, going)
        slow = asyncio.create_task(client.post("/documents", content=body, headers=FORM))
        await sending.wait()
        refused = await upload(client, b"second")
        assert "limit uploads of 1 at once" in assert_problem(refused, 429, "rate_limited")["detail"]
        assert refused.headers["RateLimit-Policy"] == '"uploads";q=1'
        going.set()
        assert (await slow).status_code == 200
        await uploaded(client, b"third")
        assert_problem(await upload(client, b""), 422, "empty_document")
        await uploaded(client, b"after one that failed")


async def test_failed_sign_ins_are_throttled_by_key_and_leave_other_keys_alone(api: Running) -> None:
    acme = await api.tenant("acme")
    await api.tenant("default")
    right, other = await api.key(acme, "admin"), await api.key(acme, "admin")
    client = await api.client()
    wrong = right[:-8] + "00000000"
    failures = [client.post("/session", json={"key": wrong}) for _ in range(11)]
    for each in await asyncio.gather(*failures):
        assert_problem(each, 401, "unauthorized")
    refused = await client.post("/session", json={"key": right})
    assert "sign_ins_per_key" in assert_problem(refused, 429, "rate_limited")["detail"]
    assert 1 <= int(refused.headers["Retry-After"]) <= 6
    assert (await client.post("/session", json={"key": other})).status_code == 200


async def test_failed_sign_ins_are_throttled_by_address_whatever_they_try(api: Running) -> None:
    await api.tenant("default")
    client = await api.client()
    tries = [client.post("/session", json={"link": f"guess {number}"}) for number in range(60)]
    for each in await asyncio.gather(*tries):
        assert_problem(each, 401, "link_expired")
    # one more per second is allowed, which a slow machine needs for its sixty
    refused: list[httpx.Response] = []
    while not refused:
        more = await asyncio.gather(*(client.post("/session", json={"link": "a guess"}) for _ in range(60)))
        refused = [answer for answer in more if answer.status_code == 429]
    assert "sign_ins_per_address" in assert_problem(refused[0], 429, "rate_limited")["detail"]


async def test_the_limits_of_a_tenant_are_unchanged_by_other_changes(api: Running) -> None:
    await api.tenant("acme")
    operator = await api.admin(await api.tenant("default"))
    await operator.patch("/tenants/acme", json={"limits": {"uploads": "5"}, "quotas": {"pages": 7}})
    await operator.patch("/tenants/acme", json={"weight": 2.0})
    async with api.resources.database.system() as connection:
        found = await tenants.find(connection, "acme")
    assert found is not None and (found.limits, found.quotas) == ({"uploads": "5"}, {"pages": 7})


@pytest.mark.parametrize("written", ["100", "100/d", "0/s", "-1/s", "1.5/s", ""])
def test_a_rate_that_is_written_wrongly_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="requests"):
        parse_limits({"requests": written})


def test_unknown_limits_and_quotas_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown limit request;"):
        parse_limits({"request": "1/s"})
    with pytest.raises(ValueError, match="unknown: files"):
        parse_quotas({"files": "1"})


async def _in_pieces(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), 1_000):
        yield content[start : start + 1_000]


async def _held(content: bytes, sending: asyncio.Event, going: asyncio.Event) -> AsyncIterator[bytes]:
    yield content[:10]
    sending.set()
    await going.wait()
    yield content[10:]
