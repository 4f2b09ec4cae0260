"""The requirement for background work (004), request by request, against real processes.

An archive is uploaded and unpacked, its contents are grouped into a batch with its own fields, and a model is asked
once per group. The scheduled clean-ups are tested in `test_cleanups.py`, and all of it with Redis in
`test_redis_pools.py`.
"""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.asked_model import AskedModel, asked_model, said_to
from tests.backends import stored_keys
from tests.service import Service

FIRST = b"Delivery note 17\nSender: Northwind Traders\nTotal weight: 40 kg\n"
SECOND = b"Delivery note 17, continued\nReceived by: Ida Brook\n"
SINGLE = b"Delivery note 18\nSender: Harbor Goods\nTotal weight: 12 kg\n"
FIELDS = [
    {"name": "sender", "type": "string", "description": "who sent the goods", "required": True},
    {"name": "weight", "type": "number", "description": "total weight in kilograms"},
]
PROMPT = "These are delivery notes of {{project}}. Weights are in kilograms."


def packed(**files: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return content.getvalue()


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """What the model finds in the documents that it is shown."""
    combined = "Northwind" in said_to(body)
    return {"sender": "Northwind Traders", "weight": 40} if combined else {"sender": "Harbor Goods", "weight": 12}


@pytest.fixture
def model() -> Iterator[AskedModel]:
    with asked_model(answer) as model:
        yield model


@pytest.fixture
def service(start_service: Callable[..., Service], model: AskedModel) -> Service:
    """An API that answers without any worker."""
    service = start_service(**model.settings)
    service.api()
    return service


def test_an_archive_is_unpacked_in_its_own_queue_into_documents_of_their_own(service: Service) -> None:
    content = packed(**{"notes/../17/first.txt": FIRST, "17/second.txt": SECOND, "__MACOSX/._x": b"litter"})
    archive = service.upload(content, "notes.zip", metadata='{"case": 7}').raise_for_status().json()
    assert (archive["status"], archive["media_type"]) == ("pending_unpacking", "application/zip")
    job = service.client.get(f"/jobs/{archive['processing_job_id']}").json()
    assert (job["job_type"], job["queue"], job["status"]) == ("unpack_archive", "archive", "pending")

    service.worker()

    assert _unpacked(service, archive["id"])["status"] == "unpacked"
    children = _children(service, archive["id"])
    assert sorted(each["archive_path"] for each in children) == ["17/first.txt", "17/second.txt"]
    assert all(each["metadata"] == {"case": 7} for each in children)
    for child in children:
        assert service.settled(child["id"])["status"] == "ready"
        text = service.client.get(f"/documents/{child['id']}/text").json()["text"]
        assert text.startswith("Delivery note 17")
    # each original is stored under its own flat key, and the directory of the job is gone
    originals = [key for key in stored_keys(service.environment) if key.startswith("documents/")]
    assert len(originals) == 3
    service.wait_until(lambda: not _work_left(service), what="the temporary directory is deleted")


def test_a_batch_asks_once_per_group_with_its_fields_and_prompt_and_keeps_one_result_each(
    service: Service, model: AskedModel
) -> None:
    client = service.client
    client.post("/prompts", json={"name": "notes", "template": PROMPT}).raise_for_status()
    body = {"name": "march", "engine": "llm", "prompt": "notes", "fields": FIELDS, "persist_data": True}
    batch = client.post("/batches", json=body).raise_for_status().json()
    assert (batch["status"], batch["persist_data"]) == ("pending_configuration", True)

    archive = service.upload(packed(**{"b.txt": SECOND, "a.txt": FIRST}), "notes.zip", batch=batch["id"])
    archive_id = archive.raise_for_status().json()["id"]
    single = service.upload(SINGLE, "single.txt", batch=batch["id"]).raise_for_status().json()
    service.worker()
    _unpacked(service, archive_id)
    by_path = {each["archive_path"]: each["id"] for each in _children(service, archive_id)}
    ordered = [by_path["a.txt"], by_path["b.txt"]]
    for document_id in (*ordered, single["id"]):
        assert service.settled(document_id)["extraction"] is None

    groups = [{"name": "combined", "documents": ordered}, {"name": "single", "documents": [single["id"]]}]
    group_by = {"mode": "explicit", "groups": groups}
    client.patch(f"/batches/{batch['id']}", json={"group_by": group_by}).raise_for_status()
    preview = client.get(f"/batches/{batch['id']}/groups").raise_for_status().json()["groups"]
    assert [(each["name"], _ids(each["documents"])) for each in preview] == [
        ("combined", ordered),
        ("single", [single["id"]]),
    ]

    started = client.post(f"/batches/{batch['id']}/start").raise_for_status().json()
    assert started["status"] == "running"
    batch = service.wait_until(lambda: _completed(service, batch["id"]), what="the batch is completed")
    assert (batch["progress"]["total"], batch["progress"]["completed"], batch["progress"]["failed"]) == (2, 2, 0)
    results = client.get(f"/batches/{batch['id']}/results").raise_for_status().json()["results"]
    assert {each["group"]: each["value"] for each in results} == {
        "combined": {"sender": "Northwind Traders", "weight": 40},
        "single": {"sender": "Harbor Goods", "weight": 12},
    }
    assert {each["group"]: _ids(each["documents"]) for each in results}["combined"] == ordered
    jobs = client.get("/jobs", params={"job_type": "extract_fields"}).json()
    assert (jobs["total"], {each["queue"] for each in jobs["jobs"]}) == (2, {"default"})
    _assert_asked_once_per_group(model)


def _assert_asked_once_per_group(model: AskedModel) -> None:
    assert len(model.questions) == 2
    for question in model.questions:
        assert "These are delivery notes of default." in said_to(question)
        asked_for = question["response_format"]["json_schema"]["schema"]
        assert asked_for["properties"].keys() == {"sender", "weight"}
        assert "total weight in kilograms" in json.dumps(asked_for)
    [combined] = [said_to(each) for each in model.questions if "Northwind" in said_to(each)]
    assert combined.index("Sender: Northwind") < combined.index("Received by: Ida Brook")


def _unpacked(service: Service, archive_id: str) -> dict[str, Any]:
    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = service.client.get(f"/documents/{archive_id}").raise_for_status().json()
        return found if found["status"] in ("unpacked", "failed") else None

    archive: dict[str, Any] = service.wait_until(ended, what="the archive is unpacked")
    return archive


def _children(service: Service, archive_id: str) -> list[dict[str, Any]]:
    children: list[dict[str, Any]] = service.client.get("/documents", params={"parent_id": archive_id}).json()[
        "documents"
    ]
    return children


def _completed(service: Service, batch_id: str) -> dict[str, Any] | None:
    batch: dict[str, Any] = service.client.get(f"/batches/{batch_id}").raise_for_status().json()
    return batch if batch["status"] == "completed" else None


def _work_left(service: Service) -> list[Path]:
    return [path for path in Path(service.folder, "data").glob("tmp/worker-*/*") if path.exists()]


def _ids(documents: list[Any]) -> list[str]:
    return [each["id"] if isinstance(each, dict) else each for each in documents]
