"""Jobs that wait for documents: woken by the transaction that ends the reading, and never missed."""

import asyncio
from uuid import UUID

import pytest

from docsieve.db.access import projects
from docsieve.db.documents import deletion
from docsieve.db.queue import jobs
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.ids import new_id
from docsieve.domain.jobs import ClaimedJob, NewJob
from tests.queue.conftest import Driver, Noop

_DOCUMENT = """
insert into documents (id, tenant_id, project_id, job_id, status, filename, media_type, size, sha256)
values ($1, $2, $3, $4, 'processing', 'a', 'text/plain', 1, '')
"""


async def read_document(queue: Driver) -> tuple[UUID, ClaimedJob]:
    """A document that is being read, and the job that reads it."""
    document_id, job_id = new_id(), new_id()
    async with queue.database.tenant(queue.scope) as session:
        project = await projects.find(session.connection, queue.scope.tenant_id, "default")
        assert project is not None
        await session.connection.execute(_DOCUMENT, document_id, queue.scope.tenant_id, project.id, job_id)
        await enqueue(session, [NewJob(Noop(), id=job_id, document_id=document_id)])
    [job] = await queue.claim()
    return document_id, job


async def wait(queue: Driver, job: ClaimedJob, document_id: UUID) -> None:
    async with queue.database.system() as connection:
        assert await jobs.wait_for_document(connection, job, document_id, delay_seconds=3600, stages=None)


async def test_the_end_of_a_documents_job_wakes_the_jobs_that_wait_for_it(queue: Driver) -> None:
    document_id, reading = await read_document(queue)
    [waiting_id] = await queue.enqueue(1)
    [waiting] = await queue.claim()
    await wait(queue, waiting, document_id)
    assert (await queue.row(waiting_id))["status"] == "scheduled"
    await queue.complete([reading])
    row = await queue.row(waiting_id)
    assert (row["status"], row["run_at"], row["attempts"]) == ("pending", None, 0)


@pytest.mark.parametrize("ending", ["failed", "deleted"])
async def test_a_document_that_fails_or_is_deleted_wakes_them_too(queue: Driver, ending: str) -> None:
    document_id, reading = await read_document(queue)
    [waiting_id] = await queue.enqueue(1)
    [waiting] = await queue.claim()
    await wait(queue, waiting, document_id)
    if ending == "failed":
        await queue.database.pool.execute("update jobs set status = 'failed' where id = $1", reading.id)
    else:
        async with queue.database.tenant(queue.scope) as session:
            await deletion.delete(session, [document_id])
    assert (await queue.row(waiting_id))["status"] == "pending"


async def test_a_job_that_would_wait_for_a_document_that_was_just_read_is_ready_at_once(queue: Driver) -> None:
    document_id, reading = await read_document(queue)
    [waiting_id] = await queue.enqueue(1)
    [waiting] = await queue.claim()
    await queue.complete([reading])
    await wait(queue, waiting, document_id)
    assert (await queue.row(waiting_id))["status"] == "pending"


async def test_a_job_that_begins_to_wait_while_the_reading_ends_is_not_missed(queue: Driver) -> None:
    document_id, reading = await read_document(queue)
    [waiting_id] = await queue.enqueue(1)
    [waiting] = await queue.claim()
    async with queue.database.tenant(queue.scope) as session:
        await jobs.complete(session.connection, [reading], worker_id=reading.worker_id)
        # the reading has ended but is not committed: the job has to wait for that before it can decide
        beginning = asyncio.create_task(wait(queue, waiting, document_id))
        blocked = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
        while not await queue.database.pool.fetchval(blocked):
            await asyncio.sleep(0.01)
    await beginning
    assert (await queue.row(waiting_id))["status"] == "pending"


async def test_waiting_for_other_documents_goes_on(queue: Driver) -> None:
    first, reading = await read_document(queue)
    second, _ = await read_document(queue)
    assert first != second
    [waiting_id] = await queue.enqueue(1)
    [waiting] = await queue.claim()
    await wait(queue, waiting, second)
    await queue.complete([reading])
    assert (await queue.row(waiting_id))["status"] == "scheduled"
