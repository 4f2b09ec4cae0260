"""Extractions without a worker: begun over HTTP, ended as a worker ends them."""

from typing import Any
from uuid import UUID

import httpx

from docsieve.db.extractions import corrections, lessons
from docsieve.db.extractions import rows as extractions
from docsieve.db.extractions.corrections import NewCorrection
from docsieve.db.extractions.lessons import NewLessons
from docsieve.db.extractions.rows import NewExtraction
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.extraction import Evidence, ExtractionOutcome, ExtractionSpec, LeafMetadata, Result, Usage
from docsieve.domain.ids import new_id
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import leaves
from docsieve.domain.scope import Scope
from docsieve.services.extractions import results
from tests.api.running import WORKER, Running, uploaded

TOTAL: Schema = {"type": "object", "properties": {"total": {"type": "number"}}}
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "number": {"type": "string"},
        "date": {"type": "string", "format": "date"},
        "kind": {"type": "string", "enum": ["bill", "credit"]},
        "paid": {"type": "boolean"},
        "count": {"type": "integer"},
        "lines": {
            "type": "array",
            "items": {"type": "object", "properties": {"text": {"type": "string"}, "price": {"type": "number"}}},
        },
    },
}
VALUE: dict[str, Any] = {
    "number": "A1",
    "date": "2026-01-31",
    "kind": "bill",
    "paid": None,
    "count": 2,
    "lines": [{"text": "Tea", "price": 3.5}, {"text": "Cake", "price": 4.0}],
}


def result(value: dict[str, Any], document_id: str, *, confidence: float = 0.9) -> Result:
    place = Evidence(document_id, 1, 612.0, 792.0, (10.0, 10.0, 90.0, 20.0), "A1")
    doubtful = confidence < 0.7
    metadata = {
        path: LeafMetadata(confidence, True, [place], needs_review=doubtful and each is not None)
        for path, each in leaves(value)
    }
    return Result(value, metadata, confidence, usage=Usage(pages=1))


async def begun(client: httpx.AsyncClient, *document_ids: str, schema: Any, **asked: Any) -> dict[str, Any]:
    body = {"document_ids": list(document_ids), "schema": schema, **asked}
    response = await client.post("/extractions", json=body)
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def complete(api: Running, extraction_id: str, found: Result) -> None:
    """End the extraction's job, which is the next in the queue, as a worker does."""
    [job] = await api.claim()
    assert extraction_id in job.args
    async with api.resources.database.tenant(Scope(job.tenant_id)) as session:
        assert await queue_sql.complete(session.connection, [job], worker_id=WORKER) == {job.id}
        extraction = await extractions.find(session, UUID(extraction_id))
        assert extraction is not None
        outcome = ExtractionOutcome(found, engine_version="1")
        await results.record(session, extraction, outcome, job_id=job.id, attempt=job.attempt)


async def completed(
    api: Running, client: httpx.AsyncClient, value: dict[str, Any] = VALUE, *, confidence: float = 0.9, **asked: Any
) -> dict[str, Any]:
    """A completed extraction over a fresh document; its id and the document's."""
    document = await uploaded(client, b"A1 " + str(confidence).encode())
    (job,) = await api.claim()
    await api.complete(job, "A1")
    started = await begun(client, document["id"], **{"schema": SCHEMA, **asked})
    await complete(api, started["id"], result(value, document["id"], confidence=confidence))
    answer: dict[str, Any] = (await client.get(f"/extractions/{started['id']}")).json()
    return answer


async def record_all(api: Running, scope: Scope, document_id: UUID, project_id: UUID) -> UUID:
    """A row in every table of extractions, without a job; returns the extraction's id."""
    spec = ExtractionSpec(TOTAL, schema_name="bill")
    new = NewExtraction(new_id(), project_id, new_id(), [document_id], spec)
    found = result({"total": 5.0}, str(document_id))
    async with api.resources.database.tenant(scope) as session:
        assert await extractions.begin(session, new)
        await results.record(session, new, ExtractionOutcome(found, "1"), job_id=new.job_id, attempt=1)
        await corrections.add(session, new.id, project_id, [NewCorrection("total", 5.0, 6.0)], by="somebody")
        await lessons.add(session, NewLessons("bill", "local", "1", {}, 2, 4, 0.9, 0.5))
    return new.id
