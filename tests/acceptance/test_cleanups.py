"""The scheduled clean-ups of the requirement for background work (004), request by request, against real processes.

A scheduler that is not ours calls the endpoint, the endpoint enqueues a job, and a worker deletes files and rows.
"""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import asyncpg
import httpx
import pytest

from tests.backends import stored_keys
from tests.jobs.unpack_archive.conftest import family, unpacked, zipped
from tests.service import Service
from tests.services.access.test_oidc import AUDIENCE, EMAIL, PUBLIC, token


@pytest.fixture(scope="module")
def shared(share_service: Callable[..., Service], tmp_path_factory: pytest.TempPathFactory) -> Service:
    """No task runs by itself. The keys that Google would publish are in a file."""
    jwks = tmp_path_factory.mktemp("issuer") / "keys.json"
    jwks.write_text(json.dumps({"keys": PUBLIC}))
    tasks = ("delete_abandoned_batches", "delete_opt_out_data", "delete_archive_originals", "sweep_blobs")
    off = ",".join(f"{name}=off" for name in tasks)
    service = share_service(
        DOCSIEVE_MAINTENANCE_OIDC=f"audience={AUDIENCE},email={EMAIL},jwks={jwks.as_uri()}", DOCSIEVE_SCHEDULES=off
    )
    service.api()
    service.worker()
    return service


@pytest.fixture
def service(shared: Service) -> Service:
    shared.delete_documents()
    return shared


def scheduler_calls(service: Service, task: str) -> dict[str, Any]:
    """The result of the job that the endpoint enqueues for a scheduler that sends a signed token and a body."""
    answer = httpx.post(
        f"{service.url}/api/v1/maintenance/{task}",
        headers={
            "Authorization": f"Bearer {token()}",
            "User-Agent": "Google-Cloud-Scheduler",
            "Content-Type": "application/octet-stream",
        },
        content=b"run",
    )
    assert answer.status_code == 202, answer.text
    job = answer.json()
    assert (job["job_type"], job["queue"]) == (task, "maintenance")

    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = service.client.get(f"/jobs/{job['id']}").json()
        return found if found["status"] not in ("pending", "processing") else None

    found = service.wait_until(ended, what=f"{task} has ended")
    assert found["status"] == "completed", found["error_message"]
    result: dict[str, Any] = found["result"]
    return result


def pass_time(service: Service, interval: str) -> None:
    async def move() -> None:
        connection = await asyncpg.connect(service.environment["DOCSIEVE_DATABASE_URL"])
        for table, columns in {
            "batches": ("created_at", "updated_at", "completed_at"),
            "documents": ("created_at", "updated_at"),
            "extractions": ("created_at", "completed_at"),
        }.items():
            moved = ", ".join(f"{column} = {column} - interval '{interval}'" for column in columns)
            await connection.execute(f"update {table} set {moved}")
        await connection.close()

    asyncio.run(move())


def files(service: Service) -> list[str]:
    wanted = ("documents/", "pages/", "images/")
    return [key for key in stored_keys(service.environment) if key.startswith(wanted)]


def batch(service: Service, **options: Any) -> str:
    body = {"name": "b", "schema": "invoice", "engine": "local", **options}
    return str(service.client.post("/batches", json=body).raise_for_status().json()["id"])


def _is_completed(service: Service, batch_id: str) -> bool:
    return bool(service.client.get(f"/batches/{batch_id}").json()["status"] == "completed")


def test_an_abandoned_batch_is_deleted_with_its_files(service: Service) -> None:
    abandoned, kept = batch(service), batch(service)
    for name in (b"Invoice 1", b"Invoice 2"):
        service.settled(service.upload(name, batch=abandoned).json()["id"])
    service.settled(service.upload(b"Invoice 3", batch=kept).json()["id"])
    pass_time(service, "8 days")
    service.client.patch(f"/batches/{kept}", json={"name": "still wanted"}).raise_for_status()

    result = scheduler_calls(service, "delete_abandoned_batches")

    assert (result["batches"], result["documents"]) == (1, 2)
    assert service.client.get(f"/batches/{abandoned}").status_code == 404
    assert service.client.get(f"/batches/{kept}").status_code == 200
    assert service.client.get("/documents").json()["total"] == 1
    assert len(files(service)) == 2, "original and pages of the one that is kept"
    service.client.delete(f"/batches/{kept}").raise_for_status()


def test_data_that_is_not_to_be_kept_is_deleted_after_its_grace_period(service: Service) -> None:
    dropped, kept = batch(service, persist_data=False), batch(service)
    for name, its in ((b"Invoice 1\nTotal: 5.00", dropped), (b"Invoice 2\nTotal: 6.00", kept)):
        service.settled(service.upload(name, batch=its).json()["id"])
        service.client.post(f"/batches/{its}/start").raise_for_status()
        service.wait_until(partial(_is_completed, service, its), what="the batch is completed")
    alone = service.upload(b"Invoice 4", persist_data="false").json()["id"]
    service.settled(alone)
    assert scheduler_calls(service, "delete_opt_out_data")["documents"] == 0, "the grace period is not over"
    pass_time(service, "25 hours")

    result = scheduler_calls(service, "delete_opt_out_data")

    assert (result["batches"], result["documents"]) == (1, 2)
    assert service.client.get(f"/batches/{dropped}").status_code == 404
    assert service.client.get(f"/documents/{alone}").status_code == 404
    assert service.client.get("/documents").json()["total"] == 1
    assert [each["batch_id"] for each in service.client.get("/extractions").json()["extractions"]] == [kept]
    assert len(files(service)) == 2
    service.client.delete(f"/batches/{kept}").raise_for_status()


def test_the_file_of_an_unpacked_archive_is_deleted_and_its_contents_stay(service: Service) -> None:
    archive = unpacked(service, zipped(("a.txt", b"Invoice 1"), ("b.txt", b"Invoice 2")))
    children = family(service, archive["id"])
    before = len(files(service))
    pass_time(service, "25 hours")

    result = scheduler_calls(service, "delete_archive_originals")

    assert (result["archives"], result["bytes"]) == (1, archive["size"])
    assert len(files(service)) == before - 1
    found = service.client.get(f"/documents/{archive['id']}").json()
    assert (found["status"], found["entries"]["created"]) == ("unpacked", 2)
    assert service.client.get(f"/documents/{archive['id']}/file").json()["code"] == "original_deleted"
    for child in children:
        assert service.client.get(f"/documents/{child['id']}/file").content.startswith(b"Invoice")


def test_a_scheduler_with_the_wrong_token_starts_nothing(service: Service) -> None:
    url = f"{service.url}/api/v1/maintenance/delete_opt_out_data"
    for wrong in ("wrong", token(aud="https://another.example"), token(exp=1)):
        assert httpx.post(url, headers={"Authorization": f"Bearer {wrong}"}).status_code == 401
    assert httpx.post(url).status_code == 401
