"""kill -9 while a tenant or expired documents are deleted: another worker finishes."""

from collections.abc import Callable

import httpx
import pytest

from tests.service import ADMIN_KEY, Service

TENANT_STEPS = ["tenant.slice_deleted", "tenant.blobs_deleted"]
RETENTION_STEP = "retention.slice_deleted"
STEPS = [*TENANT_STEPS, RETENTION_STEP]


@pytest.fixture
def service(start_service: Callable[..., Service]) -> Service:
    return start_service(DOCSIEVE_LEASE_SECONDS="2", DOCSIEVE_SHUTDOWN_SECONDS="5")


@pytest.mark.parametrize("step", TENANT_STEPS)
def test_a_killed_deletion_of_a_tenant_is_finished_by_another_worker(service: Service, step: str) -> None:
    service.api()
    operator = service.client
    operator.post("/tenants", json={"name": "acme"}).raise_for_status()
    made = operator.post("/tenants/acme/keys", json={"name": "first", "scopes": ["admin"]}).raise_for_status()
    with httpx.Client(base_url=operator.base_url, headers={"X-API-Key": made.json()["key"]}) as acme:
        for number in range(3):
            acme.post("/documents", files={"file": (f"{number}.txt", str(number).encode())}).raise_for_status()
    deletion = operator.delete("/tenants/acme").raise_for_status().json()

    killed = service.worker("maintenance=1", DOCSIEVE_FAULT=step)
    assert killed.wait(60) == -9
    service.worker("maintenance=1")

    path = f"/tenant-deletions/{deletion['id']}"
    service.wait_until(lambda: operator.get(path).json()["certificate"] is not None, what="the certificate")
    certificate = operator.get(path).json()["certificate"]
    assert (certificate["rows"]["documents"], certificate["objects"]) == (3, 3)
    assert operator.get("/tenants/acme").status_code == 404
    assert not [each for each in (service.data_dir / "blobs").rglob("*") if each.is_file()]
    assert operator.headers["X-API-Key"] == ADMIN_KEY


def test_a_killed_run_of_the_retention_task_loses_nothing_and_the_next_deletes_the_rest(service: Service) -> None:
    service.api()
    past = "2020-01-01T00:00:00Z"
    documents = [
        service.upload(str(number).encode(), delete_after=past).raise_for_status().json()["id"] for number in range(3)
    ]
    kept = service.upload(b"kept").raise_for_status().json()["id"]

    service.client.post("/maintenance/delete_expired").raise_for_status()
    killed = service.worker("maintenance=1", DOCSIEVE_FAULT=RETENTION_STEP)
    assert killed.wait(60) == -9
    service.worker("maintenance=1")

    def left() -> bool:
        listed = service.client.get("/documents").raise_for_status().json()["documents"]
        return [each["id"] for each in listed] == [kept]

    service.wait_until(left, what="expired documents are deleted")
    for document in documents:
        entries = service.client.get("/audit", params={"object_id": document}).json()["entries"]
        assert [each["action"] for each in entries] == ["document.files_deleted", "document.deleted"]
