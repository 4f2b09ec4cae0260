"""Lessons from reviewed extractions, and how they are unlearned."""

from pathlib import Path
from uuid import UUID

import httpx

from docsieve.db.access.tenants import Tenant
from docsieve.db.documents import rows as documents
from docsieve.db.extractions import lessons
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.scope import Scope
from docsieve.jobs.learn import LearnHandler
from docsieve.pipelines.workdir import WorkDirs
from docsieve.queue.kinds import Attempt
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.pool import Sandbox
from docsieve.services.review.examples import Learn
from docsieve.tasks import registry
from tests.api.extracting import SCHEMA, completed, record_all
from tests.api.running import Running, uploaded


async def test_a_key_limited_to_a_project_corrects_and_teaches_there(
    api: Running, acme: Tenant, client: httpx.AsyncClient
) -> None:
    limited = await api.admin(acme, project_id=await api.project(acme, "side"))
    await client.post("/schemas", json={"name": "slip", "schema": SCHEMA})
    found = await completed(api, limited, schema="slip")
    fixes = {"fields": [{"path": "number", "value": "A2"}]}
    assert (await limited.patch(f"/extractions/{found['id']}/fields", json=fixes)).status_code == 200
    assert (await limited.post(f"/extractions/{found['id']}/verify")).status_code == 200
    learning = (await client.get("/jobs?job_type=learn")).json()
    assert (learning["total"], learning["jobs"][0]["run_at"] is not None) == (1, True)


async def test_what_a_deleted_document_has_taught_is_unlearned(
    api: Running, acme: Tenant, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    scope, document_id = Scope(acme.id), UUID((await uploaded(client))["id"])
    async with api.resources.database.tenant(scope) as session:
        project_id = (await documents.projects_of(session, [document_id]))[document_id]
    await record_all(api, scope, document_id, project_id)
    async with api.resources.database.tenant(scope) as session:
        assert await lessons.active(session, "bill", "local") is not None
    assert (await client.delete(f"/documents/{document_id}")).status_code == 204
    [job] = (await client.get("/jobs?job_type=learn")).json()["jobs"]
    claimed = ClaimedJob(UUID(job["id"]), 1, "", acme.id, None, None, "learn", "maintenance", "", 1, 0)
    async with Sandbox(Limits(), tasks=registry, children=1) as sandbox:
        handler = LearnHandler(api.resources, sandbox, WorkDirs(tmp_path))
        closing = await handler(Learn(schema_name="bill"), Attempt(claimed))
    async with api.resources.database.tenant(scope) as session:
        assert await lessons.active(session, "bill", "local") is None
        await closing(session)
        assert await lessons.active(session, "bill", "local") is None
        [kept] = await lessons.list_all(session, "bill")
        assert (kept.active, kept.score_trained) == (False, 0.9)
