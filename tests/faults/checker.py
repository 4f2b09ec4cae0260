"""The invariants of the whole system, looked up in the database, the blob store and the process table.

Whatever was killed, restarted or raced before: every accepted id is final; a result is there once, whole, and from the
attempt its job names, and so are the value of an extraction, its metadata and its fields; a delivery has its attempts,
and a job as long as it waits; no lease is held; nothing is left over after the sweep.
"""

import asyncio
import json
from collections.abc import Collection, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import asyncpg

from docsieve.blobs.local import LocalBlobStore
from docsieve.blobs.port import BlobStore
from docsieve.blobs.registry import open_store
from docsieve.composition import open_clients
from docsieve.db.connection.session import Database
from docsieve.db.documents.acceptance import Acceptance
from docsieve.domain.documents import original_key
from docsieve.domain.schemas.shape import leaves
from docsieve.embeddings.known import KnownEmbedders
from docsieve.embeddings.local import LocalEmbedder
from docsieve.encryption.keyring import Keyring
from docsieve.resources import Resources
from docsieve.sealer import open_sealer
from docsieve.services import pages
from docsieve.services.maintenance.tasks import SweepBlobs
from docsieve.settings import Settings
from tests.maintaining import run_task
from tests.service import Service

_FINAL = {"ready": "completed", "unpacked": "completed", "failed": "failed", "cancelled": "cancelled"}


def check(service: Service, accepted: Collection[str]) -> dict[str, Any]:
    """Assert every invariant; returns the documents by id. The service may still run, but must be idle."""
    return asyncio.run(_check(service, {UUID(each) for each in accepted}))


async def _check(service: Service, accepted: set[UUID]) -> dict[str, Any]:
    data_dir = Path(service.environment["DOCSIEVE_DATA_DIR"])
    database = await Database.open(service.environment["DOCSIEVE_DATABASE_URL"])
    blobs = open_store(service.environment.get("DOCSIEVE_BLOB_URL") or (data_dir / "blobs").as_uri())
    try:
        documents = {row["id"]: row for row in await database.pool.fetch("select * from documents")}
        jobs = {row["id"]: row for row in await database.pool.fetch("select * from jobs where job_type <> 'noop'")}
        assert accepted <= documents.keys(), "an accepted document is gone"
        for row in documents.values():
            await _check_document(row, jobs[row["job_id"]], blobs)
        for row in await database.pool.fetch("select * from extractions"):
            await _check_extraction(row, jobs[row["job_id"]], database)
        await _check_deliveries(database)
        leased = [row for row in jobs.values() if row["status"] == "processing" or row["worker_id"] is not None]
        assert leased == [], "a lease is held although nothing runs"
        await _check_store(database, blobs, data_dir, documents)
        assert list(_strays(data_dir / "tmp")) == [], "temporary files are left over"
        return {str(document_id): dict(row) for document_id, row in documents.items()}
    finally:
        await blobs.close()
        await database.close()


async def _check_deliveries(database: Database) -> None:
    wrong = await database.pool.fetch(
        """
        select id, status from webhook_deliveries as delivery
        where attempts <> (select count(*) from webhook_attempts where delivery_id = delivery.id)
           or (status = 'delivered') <> exists (
               select from webhook_attempts where delivery_id = delivery.id and error_code is null)
           or (status = 'pending') <> exists (
               select from jobs where id = delivery.job_id and jobs.status in ('scheduled', 'pending', 'processing'))
        """
    )
    assert wrong == [], "a delivery does not match its attempts or its job"


async def _check_document(document: asyncpg.Record, job: asyncpg.Record, blobs: BlobStore) -> None:
    assert document["status"] in _FINAL, f"document {document['id']} ended as {document['status']}"
    assert job["status"] == _FINAL[document["status"]], "document and job disagree"
    if document["status"] == "ready":
        assert document["read_by_job"] == job["id"], "the result is not of the current job"
        assert document["read_by_attempt"] == job["attempts"], "the result is not of the attempt that ended the job"
        index = await pages.read_index(blobs, document["pages_key"])
        assert index.page_count == document["page_count"], "the pages are not whole"
    elif document["read_by_job"] is not None:
        assert document["read_by_job"] != job["id"], "a job that did not complete left a result"
    if document["status"] == "failed":
        assert document["error_code"] and document["error_message"], "a failure without a reason"


async def _check_extraction(extraction: asyncpg.Record, job: asyncpg.Record, database: Database) -> None:
    assert extraction["status"] in ("completed", "failed", "cancelled"), "an extraction is not final"
    if job["job_type"] == "extract_fields":
        assert extraction["status"] == job["status"], "extraction and job disagree"
    rows = await database.pool.fetch(
        "select * from document_fields where extraction_id = $1 order by ordinal", extraction["id"]
    )
    if extraction["status"] != "completed":
        assert (rows, extraction["value"], extraction["metadata"]) == ([], None, None), "half a result is there"
        assert extraction["error_code"] and extraction["error_message"], "an extraction failed without a reason"
        return
    assert extraction["written_by_job"] == job["id"], "the result is not of the extraction's job"
    assert extraction["written_by_attempt"] == job["attempts"], "the result is not of the attempt that ended the job"
    found = dict(leaves(json.loads(extraction["value"])))
    metadata = json.loads(extraction["metadata"])
    assert metadata.keys() == found.keys(), "a value has no metadata, or metadata has no value"
    kept = await database.pool.fetchval(
        "select count(*) from extraction_documents where extraction_id = $1", extraction["id"]
    )
    if kept == extraction["document_count"]:
        assert [row["path"] for row in rows] == list(found), "the fields are not those of the value"
        assert [json.loads(row["value"]) for row in rows] == list(found.values()), "fields and value disagree"
    for row in rows:
        evidence = json.loads(row["evidence"])
        assert evidence == metadata[row["path"]]["evidence"], "fields and metadata disagree"
        assert row["grounded"] == bool(evidence), "grounded without evidence, or the other way round"


async def _check_store(database: Database, blobs: BlobStore, data_dir: Path, documents: dict[UUID, Any]) -> None:
    settings = Settings(data_dir=data_dir)
    embedders = KnownEmbedders(LocalEmbedder())
    async with open_clients(settings) as clients:
        resources = Resources(
            settings,
            database,
            blobs,
            open_sealer(settings),
            embedders,
            clients,
            Keyring(database, []),
            Acceptance(database),
        )
    await run_task(resources, SweepBlobs(grace_seconds=-60))
    if isinstance(blobs, LocalBlobStore):
        blobs.sweep_incoming(older_than=timedelta(seconds=-60))
    kept = {blob.key async for blob in blobs.list()}
    originals = {original_key(row["tenant_id"], row["id"]) for row in documents.values()}
    results = {row["pages_key"] for row in documents.values() if row["pages_key"]}
    assert originals <= kept, "a document has lost its bytes"
    assert results <= kept, "a document has lost its pages"
    shared = {f"pages/{row['tenant_id']}/{row['sha256'][0]}/{row['sha256']}." for row in documents.values()}
    strangers = {key for key in kept - originals - results if not key.startswith(tuple(shared))}
    assert strangers == set(), "blobs without an owner survive the sweep"


def _strays(folder: Path) -> Iterator[Path]:
    """Files of processes that are gone; a live worker may keep its own folder."""
    for own in folder.glob("worker-*"):
        if not Path(f"/proc/{own.name.partition('-')[2]}").exists():
            yield own
        else:
            yield from own.iterdir()


def descendants(pid: int) -> set[int]:
    """Every process below this one, now."""
    found: set[int] = set()
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        children = {int(each) for task in tasks for each in (task / "children").read_text().split()}
    except (FileNotFoundError, ProcessLookupError):
        return found
    for child in children:
        found |= {child} | descendants(child)
    return found
