"""The requirement for background work (004) as one walk: Redis, two pools of ARQ workers, Google's store and model.

Real processes and a real Redis. Files are in a server on loopback that follows the API of Google Cloud Storage, and the
model is Google's SDK before a server that speaks Gemini's protocol and gets the addresses of those files.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from docsieve.services.maintenance.tasks import TASKS
from tests.acceptance.test_archives_and_batches import FIELDS, FIRST, PROMPT, SECOND, SINGLE, answer, packed
from tests.acceptance.test_cleanups import pass_time, scheduler_calls
from tests.backends import stored_keys
from tests.emulators.stores import emulator
from tests.llm.loopback import KEY, MODEL, Loopback, Reply, Request, Said, serving
from tests.llm.protocols.gemini import Gemini
from tests.redis_server import RedisServer
from tests.service import Service
from tests.services.access.test_oidc import AUDIENCE, EMAIL, PUBLIC


class DeliveryNotes(Loopback):
    """Gemini, which reads what it is shown. Questions about fields are counted."""

    def reply(self, request: Request) -> Reply:
        heard = self.protocol.heard(request)
        if "sender" not in heard.schema["properties"]:
            return Reply(body=self.protocol.said(Said('{"class": "other", "confidence": 0.5}')))
        self.requests.append(request)
        return Reply(body=self.protocol.said(Said(json.dumps(answer({"messages": heard.user})))))


@pytest.fixture
def gemini() -> Iterator[Loopback]:
    with serving(Gemini()) as loopback:
        loopback.__class__ = DeliveryNotes
        yield loopback


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The URL of a folder in Google Cloud Storage, with the environment that leads there."""
    with emulator("gs", tmp_path) as store:
        store.use(monkeypatch)
        yield f"gs://{store.create_bucket()}/blobs"


@pytest.fixture
def service(
    bucket: str, gemini: Loopback, redis: RedisServer, start_service: Callable[..., Service], tmp_path: Path
) -> Service:
    jwks = tmp_path / "keys.json"
    jwks.write_text(json.dumps({"keys": PUBLIC}))
    service = start_service(
        DOCSIEVE_REDIS_URL=redis.url,
        DOCSIEVE_BLOB_URL=bucket,
        DOCSIEVE_LLM=f"gemini:{MODEL}",
        DOCSIEVE_PROVIDER_KEYS=f"gemini={KEY}",
        DOCSIEVE_PROVIDER_URLS=f"gemini={gemini.url}",
        DOCSIEVE_MAINTENANCE_OIDC=f"audience={AUDIENCE},email={EMAIL},jwks={jwks.as_uri()}",
        DOCSIEVE_SCHEDULES=",".join(f"{task.name}=off" for task in TASKS),
    )
    service.api()
    return service


def test_an_archive_goes_through_two_pools_of_arq_workers_to_one_result_per_group_and_is_cleaned_up(
    service: Service, gemini: Loopback, redis: RedisServer, bucket: str
) -> None:
    client = service.client
    for template in ("This template is no longer active.", PROMPT):
        client.post("/prompts", json={"name": "notes", "template": template}).raise_for_status()
    body = {"name": "march", "engine": "llm", "prompt": "notes", "fields": FIELDS, "persist_data": False}
    batch_id = client.post("/batches", json=body).raise_for_status().json()["id"]
    abandoned_id = client.post("/batches", json={**body, "name": "april"}).raise_for_status().json()["id"]
    content = packed(**{"b.txt": SECOND, "a.txt": FIRST, "c.txt": SINGLE})
    archive = service.upload(content, "notes.zip", batch=batch_id).raise_for_status().json()
    assert archive["status"] == "pending_unpacking"
    assert _message(service, redis, "arq:zip_queue") == ("unpack_zip_file_task", archive["processing_job_id"])

    service.pool("archive")
    service.wait_until(lambda: _status(service, archive["id"]) == "unpacked", what="the archive is unpacked")
    children = client.get("/documents", params={"parent_id": archive["id"]}).json()["documents"]
    by_path = {each["archive_path"]: each["id"] for each in children}
    assert {each["status"] for each in children} == {"pending"}, "the pool of archives reads no documents"
    assert _originals(service) == {archive["id"], *by_path.values()}
    assert _message(service, redis, "arq:queue")[0] == "process_document_task"

    service.pool("default")
    abandoned = service.upload(SINGLE, batch=abandoned_id).raise_for_status().json()
    for document_id in (*by_path.values(), abandoned["id"]):
        assert service.settled(document_id)["status"] == "ready"
    groups = [
        {"name": "combined", "documents": [by_path["a.txt"], by_path["b.txt"]]},
        {"name": "single", "documents": [by_path["c.txt"]]},
    ]
    client.patch(f"/batches/{batch_id}", json={"group_by": {"mode": "explicit", "groups": groups}}).raise_for_status()
    client.post(f"/batches/{batch_id}/start").raise_for_status()
    service.wait_until(lambda: _completed(service, batch_id), what="the batch is completed")
    results = client.get(f"/batches/{batch_id}/results").raise_for_status().json()["results"]
    assert {each["group"]: each["value"] for each in results} == {
        "combined": {"sender": "Northwind Traders", "weight": 40},
        "single": {"sender": "Harbor Goods", "weight": 12},
    }
    assert len(client.get("/extractions").json()["extractions"]) == len(results) == 2
    _assert_asked_once_per_group(gemini, bucket, by_path)
    _assert_cleaned_up(service, archive["id"], batch_id, abandoned_id)
    assert not [key for key in redis.client.keys("arq:*") if not key.endswith(b"health-check")]


def _message(service: Service, redis: RedisServer, queue: str) -> tuple[str, str]:
    """The first message of a queue: the function that it calls, and the job that it names."""

    def first() -> tuple[str, str] | None:
        for job_id in redis.client.zrange(queue, 0, 0):
            message = json.loads(redis.client.get(b"arq:job:" + job_id) or "{}")
            assert message["a"] == [job_id.decode()]
            return message["f"], job_id.decode()
        return None

    return service.wait_until(first, what=f"a message in {queue}")


def _status(service: Service, document_id: str) -> str:
    status: str = service.client.get(f"/documents/{document_id}").raise_for_status().json()["status"]
    return status


def _completed(service: Service, batch_id: str) -> bool:
    batch: dict[str, Any] = service.client.get(f"/batches/{batch_id}").raise_for_status().json()
    return bool(batch["status"] == "completed")


def _originals(service: Service) -> set[str]:
    """The documents whose uploaded file is in the bucket."""
    return {key.rpartition("/")[2] for key in stored_keys(service.environment) if key.startswith("documents/")}


def _assert_asked_once_per_group(gemini: Loopback, bucket: str, by_path: dict[str, str]) -> None:
    """With the active prompt, the schema, and the addresses of the files in the order of the group."""
    heard = gemini.heard()
    assert len(heard) == 2
    for question in heard:
        assert "These are delivery notes of default." in question.system + question.user
        assert "no longer active" not in question.system + question.user
        assert question.schema["properties"].keys() == {"sender", "weight"}
        assert {media_type for _, media_type in question.files} == {"text/plain"}
        assert all(uri.startswith(f"{bucket}/documents/") for uri, _ in question.files)
    named = sorted([uri.rpartition("/")[2] for uri, _ in question.files] for question in heard)
    assert named == sorted([[by_path["a.txt"], by_path["b.txt"]], [by_path["c.txt"]]])


def _assert_cleaned_up(service: Service, archive_id: str, batch_id: str, abandoned_id: str) -> None:
    """By functions in the pool of default work that a scheduler starts."""
    pass_time(service, "8 days")
    scheduler_calls(service, "delete_archive_originals")
    assert archive_id not in _originals(service)
    assert len(_originals(service)) == 4, "the files that were in the archive, and that of the abandoned batch"
    assert scheduler_calls(service, "delete_abandoned_batches")["batches"] == 1
    assert scheduler_calls(service, "delete_opt_out_data")["batches"] == 1
    assert service.client.get(f"/documents/{archive_id}").status_code == 404
    for each in (batch_id, abandoned_id):
        assert service.client.get(f"/batches/{each}").status_code == 404
    assert stored_keys(service.environment) == set()
