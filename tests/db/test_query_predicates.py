"""Each query names its tenant itself: the same walls, with row-level security out of the way."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from docsieve.db.access import keys, projects
from docsieve.db.documents import deletion, intake
from docsieve.db.documents import lists as document_lists
from docsieve.db.documents import rows as documents
from docsieve.db.documents.intake import NewDocument
from docsieve.db.documents.lists import DocumentFilter
from docsieve.db.documents.rows import ReadResult
from docsieve.db.extractions import corrections, fields, lessons
from docsieve.db.extractions import documents as extraction_documents
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.fields import FieldFilter
from docsieve.db.extractions.rows import ExtractionFilter
from docsieve.db.queue import attempts, job_records
from docsieve.db.queue.job_records import JobFilter
from docsieve.db.webhooks import deliveries, endpoints, secrets
from docsieve.db.webhooks.deliveries import DeliveryFilter
from docsieve.domain.extraction import ExtractionOutcome
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import JobFailure
from docsieve.domain.scope import Scope
from docsieve.services.documents import processing_job
from tests.api.extracting import record_all, result
from tests.api.running import Running, uploaded

pytestmark = pytest.mark.usefixtures("walls")


async def test_no_query_about_documents_reaches_into_another_tenant(api: Running) -> None:
    ours, theirs = await api.tenant("ours"), await api.tenant("theirs")
    client = await api.admin(theirs)
    document_id = UUID((await uploaded(client, key="once"))["id"])
    (job,) = await api.claim()
    database = api.resources.database
    assert await documents.status(database, Scope(ours.id), document_id, max_position=10, api_key=None) is None
    async with database.tenant(Scope(ours.id)) as session:
        assert await documents.find(session, document_id) is None
        assert await documents.source(session, document_id) is None
        assert await intake.find_idempotent(session, "once") is None
        assert await documents.families(session, [document_id]) == []
        assert await deletion.delete(session, [document_id]) == []
        assert await documents.current_jobs(session, [document_id]) == {}
        assert await attempts.of_document(session, document_id, limit=9) == []
        everything = await document_lists.list_page(session, DocumentFilter(), limit=9)
        assert (everything.documents, everything.total) == ([], 0)
        assert await intake.known_children(session, document_id) == set()
        child = NewDocument(new_id(), "a", "text/plain", 1, "0", parent_path="a")
        await intake.add_children(session, document_id, [child], [processing_job(child.id, max_attempts=3)])
        assert session.stopped == set()
    await api.complete(job, "one")
    async with api.resources.database.tenant(Scope(ours.id)) as session:
        assert await documents.pages_key(session, document_id) is None
        again = {document_id: processing_job(document_id, max_attempts=3)}
        moved = await documents.begin_reprocessing(session, again, schema_ref=None, engine=None)
        assert moved == {}
        wrong = ReadResult("x", 9, 9, 9, "text", "1", cached=False)
        await documents.record_reading(session, document_id, wrong, job_id=job.id, attempt=9)
    assert (await client.get(f"/documents/{document_id}")).json()["page_count"] == 1
    assert await api.count("documents") == 1


async def test_no_query_about_jobs_keys_or_projects_reaches_into_another_tenant(api: Running) -> None:
    ours, theirs = await api.tenant("ours"), await api.tenant("theirs")
    await api.project(theirs, "side")
    key_id = (await api.key(theirs, "read")).split("_")[1]
    job_id = UUID((await uploaded(await api.admin(theirs)))["processing_job_id"])
    wanted = JobFilter(job_type="process_document")
    async with api.resources.database.tenant(Scope(ours.id)) as session:
        assert await job_records.find(session, job_id) is None
        assert await job_records.list_page(session, wanted, before=None, limit=10) == []
        assert set((await job_records.count_by_status(session, wanted)).values()) == {0}
        assert not await job_records.cancel(session, job_id)
        assert await job_records.count_by_queue(session) == []
        assert await job_records.cancel_matching(session, JobFilter(ids=[job_id])) == 0
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


async def test_no_query_about_extractions_reaches_into_another_tenant(api: Running) -> None:
    ours, theirs = await api.tenant("ours"), await api.tenant("theirs")
    client = await api.admin(theirs)
    document_id = UUID((await uploaded(client))["id"])
    async with api.resources.database.tenant(Scope(theirs.id)) as session:
        project_id = (await documents.projects_of(session, [document_id]))[document_id]
    extraction_id = await record_all(api, Scope(theirs.id), document_id, project_id)
    before = (await client.get(f"/extractions/{extraction_id}")).json()
    async with api.resources.database.tenant(Scope(ours.id)) as session:
        assert await documents.projects_of(session, [document_id]) == {}
        assert await extractions.find(session, extraction_id) is None
        assert await extractions.find_for_update(session, extraction_id) is None
        assert await extraction_documents.parts(session, extraction_id) == []
        assert await extractions.head_of_document(session, document_id) is None
        assert await extractions.find_head(session, extraction_id) is None
        assert await extractions.list_page(session, ExtractionFilter(), before=None, limit=9) == []
        assert not await extractions.verify(session, extraction_id, by="us")
        failure = JobFailure("wrong", "wrong")
        outcome = ExtractionOutcome(result({"total": 5.0}, str(document_id)), "1")
        assert not await extractions.complete(session, extraction_id, outcome, job_id=extraction_id, attempt=9)
        assert not await extractions.fail(session, extraction_id, failure, job_id=extraction_id, attempt=9)
        assert await fields.text_page(session, extraction_id, document_id, after=0, limit=9) == []
        assert await fields.worst_first(session, FieldFilter(value="5.0"), limit=9) == []
        assert await fields.count_left(session, FieldFilter()) == (0, 0)
        await fields.mark_reviewed(session, extraction_id, None)
        await fields.mark_doubtful(session, extraction_id, ["total"])
        assert await corrections.of_extraction(session, extraction_id) == []
        assert await corrections.of_fields(session, [(extraction_id, "total")]) == []
        assert await lessons.active(session, "bill", "local") is None
        assert await lessons.list_all(session, "bill") == []
        assert await lessons.teachers(session, "bill", limit=9) == []
        assert await lessons.count_teaching(session, "bill") == 0
        assert await lessons.taught_by(session, [document_id]) == []
        await lessons.retire(session, "bill")
    assert (await client.get(f"/extractions/{extraction_id}")).json() == before
    async with api.resources.database.tenant(Scope(theirs.id)) as session:
        assert await lessons.active(session, "bill", "local") is not None


async def test_no_query_about_webhooks_reaches_into_another_tenant(api: Running) -> None:
    ours, theirs = await api.tenant("ours"), await api.tenant("theirs")
    client = await api.admin(theirs)
    endpoint = (await client.post("/webhooks/endpoints", json={"url": "https://example.com/"})).json()
    endpoint_id = UUID(endpoint["id"])
    delivery = (await client.post(f"/webhooks/endpoints/{endpoint_id}/test")).json()
    delivery_id = UUID(delivery["id"])
    async with api.resources.database.tenant(Scope(ours.id)) as session:
        assert await endpoints.find(session, endpoint_id) is None
        assert await endpoints.list_page(session, before=None, limit=9) == []
        assert await endpoints.count(session) == 0
        assert not await endpoints.change(session, endpoint_id, {"enabled": False})
        assert not await endpoints.count_failure(session, endpoint_id, pause_seconds=9, disable_days=0)
        await endpoints.disable(session, endpoint_id, "gone")
        assert await endpoints.announce_test(session, endpoint_id) is None
        assert not await endpoints.delete(session, endpoint_id)
        assert await secrets.expire(session, endpoint_id, "hmac", seconds=0) is None
        assert await secrets.valid(session, endpoint_id) == []
        assert await deliveries.find(session, delivery_id) is None
        assert await deliveries.attempts_of(session, delivery_id) == []
        assert await deliveries.newest_of(session, endpoint_id) is None
        assert await deliveries.of_event(session, endpoint_id, UUID(delivery["event_id"])) is None
        assert await deliveries.list_page(session, DeliveryFilter(), before=None, limit=9) == []
        assert not await deliveries.replay(session, delivery_id)
        since = datetime(2026, 1, 1, tzinfo=UTC)
        assert await deliveries.replay_since(session, endpoint_id, since, delivered_too=True) == 0
    assert (await client.get(f"/webhooks/endpoints/{endpoint_id}")).json() == {
        name: value for name, value in endpoint.items() if name != "secret"
    }
    assert (await client.get(f"/webhooks/deliveries/{delivery_id}")).json() == {**delivery, "log": []}
