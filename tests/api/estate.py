"""A tenant that has something of every noun that operations name."""

from dataclasses import dataclass

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.domain.ids import new_id
from tests.api.extracting import begun, complete, result
from tests.api.operations import OPERATIONS, Noun
from tests.api.running import Running, uploaded


@dataclass(frozen=True)
class Estate:
    """What one tenant has: something of every noun, all in one project, and an admin of the whole tenant."""

    tenant: Tenant
    admin: httpx.AsyncClient
    things: dict[Noun, str]


async def estate_of(api: Running, name: str) -> Estate:
    tenant = await api.tenant(name)
    project = f"{name}-project"
    project_id = await api.project(tenant, project)
    admin = await api.admin(tenant)
    document = await uploaded(admin, f"of {name}".encode(), project=project)
    (job,) = await api.claim()
    await api.complete(job, "page one")
    await admin.post("/classes", json={"name": f"{name}-class", "description": "what only they have"})
    schema = {"type": "object", "properties": {"total": {"type": "number"}}}
    await admin.post("/schemas", json={"name": f"{name}-schema", "schema": schema})
    await admin.post("/prompts", json={"name": f"{name}-prompt", "template": "Be exact."})
    extraction = await begun(admin, document["id"], schema=f"{name}-schema")
    await complete(api, extraction["id"], result({"total": 5.0}, document["id"], confidence=0.1))
    batch = await admin.post("/batches", json={"name": f"of {name}", "project": project, "schema": f"{name}-schema"})
    added = {"document_ids": [document["id"]]}
    assert (await admin.post(f"/batches/{batch.json()['id']}/documents", json=added)).json()["added"] == 1
    hook = {"url": "https://example.com/hook", "project": project}
    endpoint = (await admin.post("/webhooks/endpoints", json=hook)).json()["id"]
    delivery = (await admin.post(f"/webhooks/endpoints/{endpoint}/test")).json()["id"]
    key = (await api.key(tenant, "read", project_id=project_id)).split("_")[1]
    hold = await admin.post("/holds", json={"document_id": document["id"], "reason": "a case"})
    upload = await admin.post("/uploads", json={"filename": "a.txt", "size": 6, "project": project})
    things: dict[Noun, str] = {
        "upload": upload.json()["id"],
        "document": document["id"],
        "job": document["processing_job_id"],
        "key": key,
        "project": project,
        "class": f"{name}-class",
        "tenant": name,
        "schema": f"{name}-schema",
        "prompt": f"{name}-prompt",
        "extraction": extraction["id"],
        "report": extraction["job_id"],
        "desk": f"{name}/projects/{project}",
        "batch": batch.json()["id"],
        "hold": hold.json()["id"],
        "deletion": str(new_id()),
        "endpoint": endpoint,
        "delivery": delivery,
    }
    return Estate(tenant, admin, things)


def thing_for(name: str, things: dict[Noun, str]) -> str:
    names = OPERATIONS[name].names
    return things[names] if names is not None else ""
