"""When work may start: run_at, processing windows, urgency, and changes of the clock."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from docsieve.db.connection.session import Database
from tests.api.running import Running, assert_problem, uploaded

NIGHTLY = {"start": "22:00", "end": "06:00", "time_zone": "Europe/Berlin"}


async def _opens(database: Database, now: str, *, batch: bool = True, **window: str) -> str | None:
    opens = await database.pool.fetchval(
        "select processing_window_opens($1, $2, $3)",
        json.dumps({**NIGHTLY, "applies_to": "all", **window}),
        batch,
        datetime.fromisoformat(now).replace(tzinfo=UTC),
    )
    return f"{opens.astimezone(UTC):%m-%d %H:%M}" if opens is not None else None


@pytest.mark.parametrize(
    ("now", "opens"),
    [
        ("2026-11-17 20:59", "11-17 21:00"),  # 21:59 in Berlin
        ("2026-11-17 21:00", None),
        ("2026-11-18 04:59", None),
        ("2026-11-18 05:00", "11-18 21:00"),
        # the nights in which clocks change
        ("2026-03-28 20:59", "03-28 21:00"),
        ("2026-03-29 03:59", None),
        ("2026-03-29 04:00", "03-29 20:00"),
        ("2026-10-24 19:59", "10-24 20:00"),
        ("2026-10-25 04:59", None),
        ("2026-10-25 05:00", "10-25 21:00"),
    ],
)
async def test_a_window_over_midnight_opens_and_closes_at_local_times(
    database: Database, now: str, opens: str | None
) -> None:
    assert await _opens(database, now) == opens


@pytest.mark.parametrize(
    ("now", "opens"),
    [
        # 02:30 is skipped: it opens as long after the change as it would have
        ("2026-03-29 00:59", "03-29 01:30"),
        ("2026-03-29 01:30", None),
        # 02:30 comes twice: it opens the first time
        ("2026-10-25 00:00", "10-25 00:30"),
        ("2026-10-25 00:30", None),
        ("2026-10-25 01:40", None),
    ],
)
async def test_a_window_that_opens_while_clocks_change_opens_once(
    database: Database, now: str, opens: str | None
) -> None:
    assert await _opens(database, now, start="02:30", end="05:00") == opens


async def test_a_window_for_batches_leaves_other_work_alone(database: Database) -> None:
    assert await _opens(database, "2026-11-17 12:00", batch=False, applies_to="batches") is None
    assert await _opens(database, "2026-11-17 12:00", batch=True, applies_to="batches") == "11-17 21:00"


def closed_now(**changes: str) -> dict[str, str]:
    """A window that opens in two hours."""
    now = datetime.now(UTC)
    start, end = now + timedelta(hours=2), now + timedelta(hours=3)
    return {"start": f"{start:%H:%M}", "end": f"{end:%H:%M}", "time_zone": "UTC", "applies_to": "all", **changes}


async def _set_window(client: httpx.AsyncClient, **changes: str) -> datetime:
    """When it opens."""
    window = closed_now(**changes)
    answer = await client.patch("/projects/default", json={"processing_window": window})
    assert answer.status_code == 200, answer.text
    assert answer.json()["processing_window"] == window
    opens = (datetime.now(UTC) + timedelta(hours=2)).replace(second=0, microsecond=0)
    return opens.replace(hour=int(window["start"][:2]), minute=int(window["start"][3:]))


async def _job(client: httpx.AsyncClient, document: dict[str, Any]) -> dict[str, Any]:
    job: dict[str, Any] = (await client.get(f"/documents/{document['id']}/status")).json()["job"]
    return job


def _moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


async def test_an_upload_with_a_time_is_pending_until_then_and_can_be_cancelled(
    api: Running, client: httpx.AsyncClient
) -> None:
    later = datetime.now(UTC) + timedelta(hours=3)
    document = await uploaded(client, run_at=later.isoformat())
    assert document["status"] == "pending"
    job = await _job(client, document)
    assert (job["status"], job["deferred_by"], _moment(job["run_at"])) == ("pending", "run_at", later)
    assert await api.claim() == []

    cancelled = await client.post(f"/jobs/{job['id']}/cancel")

    assert cancelled.status_code == 200
    assert (await client.get(f"/documents/{document['id']}/status")).json()["status"] == "cancelled"


async def test_a_time_in_the_past_means_at_once(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client, run_at="2020-01-01T00:00:00Z")
    job = await _job(client, document)
    assert (job["run_at"], job["deferred_by"]) == (None, None)
    assert len(await api.claim()) == 1


@pytest.mark.parametrize("when", ["2400-01-01T00:00:00Z", "tomorrow", "2026-11-18T22:00:00"])
async def test_a_time_that_is_too_far_ahead_or_has_no_zone_is_refused(client: httpx.AsyncClient, when: str) -> None:
    answer = await client.post("/documents", files={"file": b"Hello."}, data={"run_at": when})
    assert_problem(answer, 422, "invalid_request")
    assert "run_at" in answer.text


async def test_an_extraction_with_a_time_waits_for_it(api: Running, client: httpx.AsyncClient) -> None:
    document = await uploaded(client)
    later = datetime.now(UTC) + timedelta(hours=3)
    body = {"document_ids": [document["id"]], "schema": "invoice", "run_at": later.isoformat()}
    extraction = (await client.post("/extractions", json=body)).json()
    assert (extraction["status"], extraction["deferred_by"]) == ("pending", "run_at")
    assert _moment(extraction["run_at"]) == later
    assert [job.document_id for job in await api.claim(limit=9)] != [None], "only the reading is ready"
    listed = (await client.get("/extractions")).json()["extractions"]
    assert _moment(listed[0]["run_at"]) == later
    cancelled = (await client.post(f"/extractions/{extraction['id']}/cancel")).json()
    assert (cancelled["status"], cancelled["run_at"]) == ("cancelled", None)


async def test_all_work_outside_the_window_waits_until_it_opens(api: Running, client: httpx.AsyncClient) -> None:
    earlier = await uploaded(client)
    (job,) = await api.claim()
    await api.complete(job, "one")
    opens = await _set_window(client)
    document = await uploaded(client, b"later")
    body = {"document_ids": [document["id"]], "schema": "invoice"}
    extraction = (await client.post("/extractions", json=body)).json()
    assert (await client.post(f"/documents/{earlier['id']}/reprocess")).status_code == 200

    for waiting in (await _job(client, document), extraction, await _job(client, earlier)):
        assert (waiting["deferred_by"], _moment(waiting["run_at"])) == ("processing_window", opens)
    assert await api.claim(limit=9) == []


async def test_urgent_work_and_work_with_a_time_ignore_the_window(api: Running, client: httpx.AsyncClient) -> None:
    await _set_window(client)
    urgent = await uploaded(client, priority="50")
    now = await uploaded(client, b"now", run_at="2020-01-01T00:00:00Z")
    body = {"document_ids": [urgent["id"]], "schema": "invoice", "priority": 50}
    extraction = (await client.post("/extractions", json=body)).json()
    for ready in (await _job(client, urgent), await _job(client, now), extraction):
        assert (ready["run_at"], ready["deferred_by"]) == (None, None)
    assert len(await api.claim(limit=9)) == 3


async def test_a_window_for_batches_defers_their_start_only(api: Running, client: httpx.AsyncClient) -> None:
    opens = await _set_window(client, applies_to="batches")
    batch = (await client.post("/batches", json={"name": "nightly", "schema": "invoice"})).json()
    await uploaded(client, batch=batch["id"])
    (job,) = await api.claim()
    await api.complete(job, "one")

    started = (await client.post(f"/batches/{batch['id']}/start")).json()

    assert (started["status"], started["starting"], started["deferred_by"]) == ("running", True, "processing_window")
    assert _moment(started["starts_at"]) == opens
    assert started["run_at"] is None
    assert await api.claim(limit=9) == []
    cancelled = (await client.post(f"/batches/{batch['id']}/cancel")).json()
    assert (cancelled["status"], cancelled["starting"]) == ("cancelled", False)


async def test_an_urgent_batch_starts_at_once(api: Running, client: httpx.AsyncClient) -> None:
    await _set_window(client, applies_to="batches")
    batch = (await client.post("/batches", json={"name": "now", "schema": "invoice", "priority": 50})).json()
    await uploaded(client, batch=batch["id"])
    (job,) = await api.claim()
    await api.complete(job, "one")
    started = (await client.post(f"/batches/{batch['id']}/start")).json()
    assert (started["starting"], started["starts_at"]) == (False, None)
    assert len(await api.claim(limit=9)) == 1


@pytest.mark.parametrize(
    "window",
    [
        {"start": "22:00", "end": "22:00"},
        {"start": "24:00", "end": "06:00"},
        {"start": "22:00", "end": "06:00", "time_zone": "Mars/Olympus"},
        {"start": "22:00", "end": "06:00", "applies_to": "weekends"},
        {"start": "22:00"},
    ],
)
async def test_a_window_that_makes_no_sense_is_refused(client: httpx.AsyncClient, window: dict[str, str]) -> None:
    answer = await client.patch("/projects/default", json={"processing_window": window})
    assert_problem(answer, 422, "invalid_request")
    assert (await client.get("/projects/default")).json()["processing_window"] is None


async def test_a_window_can_be_removed(client: httpx.AsyncClient) -> None:
    await _set_window(client)
    await client.patch("/projects/default", json={"processing_window": None})
    job = await _job(client, await uploaded(client))
    assert job["run_at"] is None
