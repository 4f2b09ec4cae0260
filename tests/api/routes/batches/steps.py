"""What tests of batches do: create, fill, read, extract, start and look."""

from typing import Any
from uuid import UUID

import httpx

from docsieve.db.documents import intake, packets
from docsieve.db.documents.intake import NewDocument
from docsieve.db.extractions import rows as extractions
from docsieve.db.queue import jobs as queue_sql
from docsieve.domain.extraction import ExtractionOutcome
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import ClaimedJob
from docsieve.domain.packets import PageRange
from docsieve.domain.scope import Scope
from docsieve.services.documents import processing_job
from docsieve.services.extractions import results
from tests.api.extracting import result
from tests.api.running import WORKER, Running, uploaded

FIELDS = [{"name": "total", "type": "number", "description": "what is to be paid", "required": True}]
MAIL = b"From: a@example.com\r\nTo: b@example.com\r\nSubject: c\r\nMIME-Version: 1.0\r\n\r\nHello.\r\n"


async def created(client: httpx.AsyncClient, **settings: Any) -> dict[str, Any]:
    response = await client.post("/batches", json={"name": "March", "fields": FIELDS, **settings})
    assert response.status_code == 201, response.text
    batch: dict[str, Any] = response.json()
    return batch


async def filled(client: httpx.AsyncClient, batch: dict[str, Any], *names: str) -> list[str]:
    return [(await uploaded(client, name.encode(), name, batch=batch["id"]))["id"] for name in names]


async def read_all(api: Running, *, failing: int = 0) -> None:
    """End the reading of all documents as a worker does; the first ones fail."""
    for place, job in enumerate(await api.claim(limit=1000)):
        assert job.document_id is not None
        if place < failing:
            await api.fail(job)
        else:
            await api.complete(job, "page one")


async def extract(api: Running, job: ClaimedJob, value: float = 5.0, *, confidence: float = 0.9) -> None:
    async with api.resources.database.tenant(Scope(job.tenant_id)) as session:
        assert await queue_sql.complete(session.connection, [job], worker_id=WORKER) == {job.id}
        extraction = await extractions.find(session, UUID(job.args.split('"')[3]))
        assert extraction is not None
        outcome = ExtractionOutcome(
            result({"total": value}, str(extraction.documents[0]), confidence=confidence), engine_version="1"
        )
        await results.record(session, extraction, outcome, job_id=job.id, attempt=job.attempt)


async def attach(api: Running, job: ClaimedJob, name: str) -> None:
    """Add a document that is attached to the one that the job reads."""
    assert job.document_id is not None
    child = NewDocument(new_id(), name, "text/plain", 1, "0" * 64, parent_path=name)
    async with api.resources.database.tenant(Scope(job.tenant_id)) as session:
        await intake.add_children(session, job.document_id, [child], [processing_job(child.id, max_attempts=3)])


async def cut(api: Running, tenant_id: UUID, packet_id: str, *ranges: tuple[int, int]) -> None:
    """Make parts of a packet that was read, as a worker does after a person accepted its cuts."""
    parts = [NewDocument(new_id(), f"pages {first}-{last}", "text/plain", 1, f"{first:064}") for first, last in ranges]
    async with api.resources.database.tenant(Scope(tenant_id)) as session:
        jobs = [processing_job(part.id, max_attempts=3) for part in parts]
        await intake.add_children(session, UUID(packet_id), parts, jobs)
        places = {part.id: PageRange(*pages) for part, pages in zip(parts, ranges, strict=True)}
        await packets.set_ranges(session, places)


async def started(client: httpx.AsyncClient, batch: dict[str, Any]) -> dict[str, Any]:
    response = await client.post(f"/batches/{batch['id']}/start")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer


async def got(client: httpx.AsyncClient, batch: dict[str, Any], what: str = "") -> dict[str, Any]:
    response = await client.get(f"/batches/{batch['id']}{what}")
    assert response.status_code == 200, response.text
    answer: dict[str, Any] = response.json()
    return answer
