"""Each query names its tenant itself: the same walls, with row-level security out of the way."""

from uuid import UUID

import pytest

from docsieve.db import documents, intake, job_records, keys, projects
from docsieve.db.documents import ReadResult
from docsieve.db.intake import NewChild
from docsieve.db.job_records import JobFilter
from docsieve.domain.scope import Scope
from tests.api.running import Running, uploaded

pytestmark = pytest.mark.usefixtures("walls")


async def test_no_query_about_documents_reaches_into_another_tenant(api: Running) -> None:
    ours, theirs = await api.tenant("ours"), await api.tenant("theirs")
    client = await api.admin(theirs)
    document_id = UUID((await uploaded(client, key="once"))["id"])
    (job,) = await api.claim()
    async with api.resources.database.tenant(Scope(ours.id)) as session:
        assert await documents.find(session, document_id) is None
        assert await documents.source(session, document_id) is None
        assert await documents.status(session, document_id, count_ahead=10) is None
        assert await intake.find_idempotent(session, "once") is None
        assert await documents.delete(session, document_id) == []
        assert await intake.known_children(session, document_id) == set()
        await intake.add_children(session, document_id, [NewChild(job.id, job.id, "a", "a", "text/plain", 1, "0")])
        assert session.stopped == set()
    await api.complete(job, "one")
    async with api.resources.database.tenant(Scope(ours.id)) as session:
        assert await documents.pages_key(session, document_id) is None
        assert not await documents.begin_reprocessing(session, document_id, job_id=job.id, schema_ref=None, engine=None)
        wrong = ReadResult("x", 9, 9, 9, "text", "1", cached=False)
        await documents.record_reading(session, document_id, wrong, job_id=job.id, attempt=9)
    assert (await client.get(f"/documents/{document_id}")).json()["page_count"] == 1
    assert await api.count("documents") == 1


async def test_no_query_about_jobs_keys_or_projects_reaches_into_another_tenant(api: Running) -> None:
    ours, theirs = await api.tenant("ours"), await api.tenant("theirs")
    await api.project(theirs, "side")
    key_id = (await api.key(theirs, "read")).split("_")[1]
    job_id = UUID((await uploaded(await api.admin(theirs)))["processing_job_id"])
    wanted = JobFilter(kind="process_document")
    async with api.resources.database.tenant(Scope(ours.id)) as session:
        assert await job_records.find(session, job_id) is None
        assert await job_records.list_page(session, wanted, before=None, limit=10) == []
        assert set((await job_records.count_by_status(session, wanted)).values()) == {0}
        assert not await job_records.cancel(session, job_id)
        assert await job_records.cancel_matching(session, wanted) == 0
        assert session.stopped == set()
        assert await keys.revoke(session, key_id) is None
        assert await keys.list_all(session) == []
        assert await projects.find(session.connection, ours.id, "side") is None
        assert not await projects.delete(session, "side")
        assert [project.name for project in await projects.list_all(session)] == ["default"]
    (job,) = await api.claim()
    await api.fail(job)
    async with api.resources.database.tenant(Scope(ours.id)) as session:
        assert not await job_records.retry(session, job_id, allowance=3)
        assert await job_records.retry_matching(session, wanted, allowance=3) == 0
