"""Maintenance over HTTP: who may run tasks, what is enqueued, and what the list shows."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from docsieve.db.queue import jobs as queue_sql
from docsieve.jobs.registry import scheduled
from docsieve.queue.scheduler import Scheduler
from docsieve.services.maintenance.tasks import TASKS
from tests.api.running import Running, assert_problem, running
from tests.services.access.test_oidc import AUDIENCE, EMAIL, PUBLIC, token

TOKEN = "a-token-that-a-scheduler-knows"


@pytest.fixture
async def api(database_url: str, tmp_path: Path) -> AsyncIterator[Running]:
    settings = {"maintenance_token": TOKEN, "schedules": "prune_jobs=02:30 Europe/Berlin,check_files=off"}
    async with running(database_url, tmp_path, **settings) as started:
        yield started


@pytest.fixture
async def operator(api: Running) -> httpx.AsyncClient:
    return await api.admin(await api.tenant("default"))


async def _finish(api: Running, **result: Any) -> None:
    async with api.resources.database.system() as connection:
        [job] = await queue_sql.claim(connection, "maintenance", limit=1, worker_id="w", lease_seconds=30)
        assert await queue_sql.complete(connection, [job], worker_id="w", result=f'{{"blobs": {result["blobs"]}}}')


async def test_a_task_is_enqueued_once_until_it_has_ended(api: Running, operator: httpx.AsyncClient) -> None:
    first = await operator.post("/maintenance/sweep_blobs")
    assert first.status_code == 202
    job = first.json()
    assert (job["job_type"], job["queue"], job["status"]) == ("sweep_blobs", "maintenance", "pending")
    assert (await operator.post("/maintenance/sweep_blobs")).json()["id"] == job["id"]
    assert await api.count("jobs") == 1

    await _finish(api, blobs=3)

    ended = (await operator.get(f"/jobs/{job['id']}")).json()
    assert (ended["status"], ended["result"]) == ("completed", {"blobs": 3})
    assert (await operator.post("/maintenance/sweep_blobs")).json()["id"] != job["id"]


async def test_twenty_requests_at_once_are_one_job(api: Running, operator: httpx.AsyncClient) -> None:
    answers = await asyncio.gather(*(operator.post("/maintenance/prune_jobs") for _ in range(20)))
    assert len({answer.json()["id"] for answer in answers}) == 1


async def test_a_dry_run_or_a_limit_is_a_separate_job(api: Running, operator: httpx.AsyncClient) -> None:
    ids = set()
    for query in ("", "?dry_run=true", "?limit=5", "?dry_run=true&limit=5"):
        ids.add((await operator.post(f"/maintenance/sweep_blobs{query}")).json()["id"])
    assert len(ids) == 4


@pytest.mark.parametrize("query", ["?limit=0", "?dry_run=perhaps", "?limits=5"])
async def test_a_wrong_option_is_422(operator: httpx.AsyncClient, query: str) -> None:
    assert_problem(await operator.post(f"/maintenance/sweep_blobs{query}"), 422, "invalid_request")


async def test_an_unknown_task_is_404_and_says_which_there_are(operator: httpx.AsyncClient) -> None:
    problem = await operator.post("/maintenance/nonsense")
    assert_problem(problem, 404, "not_found")
    assert "sweep_blobs" in problem.json()["detail"]


async def test_a_scheduler_may_use_the_shared_token_for_maintenance_and_nothing_else(api: Running) -> None:
    scheduler = await api.client(Authorization=f"Bearer {TOKEN}", **{"User-Agent": "Google-Cloud-Scheduler"})
    answer = await scheduler.post(
        "/maintenance/delete_abandoned_batches",
        content=b'{"any": "thing"}',
        headers={"Content-Type": "application/octet-stream"},
    )
    assert answer.status_code == 202, answer.text
    assert (await scheduler.get("/maintenance")).status_code == 200
    for path in ("/documents", "/jobs", f"/jobs/{answer.json()['id']}", "/tenants", "/keys"):
        assert_problem(await scheduler.get(path), 401, "unauthorized")


async def _recorded(operator: httpx.AsyncClient) -> list[tuple[Any, ...]]:
    entries = (await operator.get("/audit", params={"action": "maintenance.started"})).json()["entries"]
    return [(each["actor"]["kind"], each["actor"]["id"], each["object_id"], each["details"]) for each in entries]


async def test_a_run_is_recorded_once_with_the_key_or_token_that_asked_for_it(
    api: Running, operator: httpx.AsyncClient
) -> None:
    job = (await operator.post("/maintenance/sweep_blobs?dry_run=true")).json()["id"]
    await operator.post("/maintenance/sweep_blobs?dry_run=true")  # is told of the same job
    scheduler = await api.client(Authorization=f"Bearer {TOKEN}")
    other = (await scheduler.post("/maintenance/prune_jobs?limit=5")).json()["id"]
    key = operator.headers["X-API-Key"].split("_")[1]
    assert await _recorded(operator) == [
        ("scheduler", None, "prune_jobs", {"job": other, "dry_run": False, "limit": 5}),
        ("key", key, "sweep_blobs", {"job": job, "dry_run": True, "limit": None}),
    ]


@pytest.fixture
async def trusting(database_url: str, tmp_path: Path) -> AsyncIterator[Running]:
    """An application that knows the keys of an issuer."""
    jwks = tmp_path / "keys.json"
    jwks.write_text(json.dumps({"keys": PUBLIC}))
    oidc = f"audience={AUDIENCE},email={EMAIL},jwks={jwks.as_uri()}"
    async with running(database_url, tmp_path, maintenance_oidc=oidc) as started:
        yield started


async def test_a_scheduler_may_use_an_openid_connect_token(trusting: Running) -> None:
    operator = await trusting.admin(await trusting.tenant("default"))
    scheduler = await trusting.client(Authorization=f"Bearer {token(sub='scheduler-7')}")
    assert (await scheduler.post("/maintenance/delete_abandoned_batches")).status_code == 202
    assert [each[:2] for each in await _recorded(operator)] == [("scheduler", "scheduler-7")]
    assert (await scheduler.get("/maintenance")).status_code == 200
    assert_problem(await scheduler.get("/documents"), 401, "unauthorized")


@pytest.mark.parametrize("changed", [{"aud": "https://another.example"}, {"exp": 1}, {"email": "me@example.com"}])
async def test_a_token_for_something_else_starts_nothing(trusting: Running, changed: dict[str, Any]) -> None:
    scheduler = await trusting.client(Authorization=f"Bearer {token(**changed)}")
    assert_problem(await scheduler.post("/maintenance/delete_abandoned_batches"), 401, "token_invalid")
    assert await trusting.count("jobs") == 0


async def test_without_an_issuer_no_token_is_accepted(api: Running) -> None:
    scheduler = await api.client(Authorization=f"Bearer {token()}")
    assert_problem(await scheduler.post("/maintenance/delete_abandoned_batches"), 401, "unauthorized")


async def test_other_tokens_and_keys_are_refused(api: Running) -> None:
    acme = await api.admin(await api.tenant("acme"))
    assert_problem(await acme.post("/maintenance/sweep_blobs"), 403, "forbidden")
    for wrong in (TOKEN[:-1], f"{TOKEN}x", "", "ключ"):
        stranger = await api.client()
        answer = await stranger.post("/maintenance/sweep_blobs", headers={b"Authorization": f"Bearer {wrong}".encode()})
        assert_problem(answer, 401, "unauthorized")
    assert await api.count("jobs") == 0


async def test_jobs_of_the_server_are_visible_to_the_operator_only(api: Running, operator: httpx.AsyncClient) -> None:
    job = (await operator.post("/maintenance/sweep_blobs")).json()
    acme = await api.admin(await api.tenant("acme"))
    for method, path in (("GET", ""), ("POST", "/cancel"), ("POST", "/retry")):
        assert_problem(await acme.request(method, f"/jobs/{job['id']}{path}"), 404, "not_found")
    cancelled = await operator.post(f"/jobs/{job['id']}/cancel")
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelled")


async def test_the_list_shows_schedule_next_run_and_last_result(api: Running, operator: httpx.AsyncClient) -> None:
    resources = api.resources
    await operator.post("/maintenance/sweep_blobs")
    await _finish(api, blobs=7)
    await operator.post("/maintenance/sweep_blobs?dry_run=true")
    await _finish(api, blobs=9)
    await Scheduler(resources.database, scheduled(resources.settings), wake=lambda queues: None).fire()

    listed = (await operator.get("/maintenance")).json()["tasks"]

    tasks = {each["name"]: each for each in listed}
    assert tasks.keys() == {each.name for each in TASKS}
    sweep = tasks["sweep_blobs"]
    assert (sweep["schedule"], sweep["last"]["result"]) == ("1h", {"blobs": 7}), "the last one that was no dry run"
    assert sweep["current"]["status"] == "pending"
    assert sweep["next_run_at"] is not None
    assert tasks["prune_jobs"]["schedule"] == "02:30 Europe/Berlin"
    assert tasks["prune_jobs"]["current"] is None, "it waits for its time"
    off = tasks["check_files"]
    assert (off["schedule"], off["next_run_at"], off["current"]) == (None, None, None)
