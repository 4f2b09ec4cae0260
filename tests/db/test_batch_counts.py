"""The counts of a batch, and its end, when many workers finish its extractions at the same time."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from uuid import UUID

import pytest

from docsieve.db.access import projects
from docsieve.db.batches import members, rows, runs
from docsieve.db.batches.rows import Batch, NewBatch
from docsieve.db.batches.runs import NewGroup
from docsieve.db.connection.session import Database
from docsieve.db.queue import jobs as queue_sql
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.extraction import ExtractionSpec
from docsieve.domain.ids import new_ids
from docsieve.domain.jobs import ClaimedJob, JobFailure, NewJob
from docsieve.domain.scope import Scope
from docsieve.services.extractions.requests import ExtractDocuments

EXTRACTIONS = 200
WORKERS = 8

_DOCUMENTS = """
insert into documents (id, tenant_id, project_id, status, filename, media_type, size, sha256)
select id, $1, $2, 'ready', 'a', 'text/plain', 1, '' from unnest($3::uuid[]) as id
"""


async def started(database: Database, scope: Scope, count: int = EXTRACTIONS) -> UUID:
    """A running batch with so many extractions."""
    async with database.tenant(scope) as session:
        project = await projects.find(session.connection, scope.tenant_id, "default")
        assert project is not None
        batch_id, *ids = new_ids(3 * count + 1)
        await session.connection.execute(_DOCUMENTS, scope.tenant_id, project.id, ids[:count])
        await rows.add(session, NewBatch(batch_id, project.id, {"name": "a"}))
        await members.add(session, batch_id, project.id, ids[:count])
        triples = zip(ids[:count], ids[count : 2 * count], ids[2 * count :], strict=True)
        groups = [NewGroup(extraction, job, str(document), [document]) for document, extraction, job in triples]
        await runs.add_extractions(session, batch_id, project.id, groups, ExtractionSpec({"type": "object"}))
        new = [NewJob(ExtractDocuments(extraction_id=each.extraction_id), id=each.job_id) for each in groups]
        await enqueue(session, new)
        await runs.mark_running(session, batch_id, finished=0)
    return batch_id


async def claimed(database: Database, worker: str) -> list[ClaimedJob]:
    async with database.system() as connection:
        return await queue_sql.claim(connection, "default", limit=10, worker_id=worker, lease_seconds=60)


async def finish(database: Database, job: ClaimedJob) -> None:
    """As an executor does: behind the fence, in one transaction; every tenth fails."""
    if job.id.int % 10 == 0:
        async with database.system() as connection:
            await queue_sql.fail(connection, job, JobFailure("x", "y"), details=None, retry_in=None)
        return
    async with database.tenant(Scope(job.tenant_id)) as session:
        await queue_sql.complete(session.connection, [job], worker_id=job.worker_id)
        await asyncio.sleep(random.random() / 100)


async def found(database: Database, scope: Scope, batch_id: UUID) -> Batch:
    async with database.tenant(scope) as session:
        batch = await rows.find(session, batch_id)
    assert batch is not None
    return batch


async def work(database: Database, do: Callable[[Database, ClaimedJob], Awaitable[None]], name: str) -> None:
    while jobs := await claimed(database, name):
        random.shuffle(jobs)
        await asyncio.gather(*(do(database, job) for job in jobs))


async def test_a_batch_is_completed_once_however_many_workers_finish_it_at_the_same_time(
    database_url: str, scope: Scope
) -> None:
    database = await Database.open(database_url, connections=24)
    batch_id = await started(database, scope)
    async with database.system() as connection:
        await connection.execute(
            """
            create table ends (at timestamptz);
            create function note_end() returns trigger language plpgsql as
                $$ begin insert into ends values (clock_timestamp()); return null; end $$;
            create trigger note_end after update of status on batches for each row
            when (new.status = 'completed' and old.status <> 'completed') execute function note_end();
            grant insert on ends to docsieve_app;
            """
        )
    await asyncio.gather(*(work(database, finish, f"w{number}") for number in range(WORKERS)))
    batch = await found(database, scope, batch_id)
    assert (batch.status, batch.counts.finished, batch.counts.total) == ("completed", EXTRACTIONS, EXTRACTIONS)
    async with database.system() as connection:
        assert await connection.fetchval("select count(*) from ends") == 1
        counted = await connection.fetchrow(
            "select count(*) filter (where status = 'failed'), count(*) from extractions"
        )
    assert tuple(counted or ()) == (batch.counts.failed, batch.counts.total)
    await database.close()


async def test_two_that_finish_last_at_the_same_time_complete_the_batch(database: Database, scope: Scope) -> None:
    """Each sees the other as unfinished, and the one that commits last must notice."""
    for _ in range(20):
        batch_id = await started(database, scope, 2)
        first, second = await claimed(database, "w")
        both = asyncio.Barrier(2)

        async def end(job: ClaimedJob, together: asyncio.Barrier = both) -> None:
            async with database.tenant(Scope(job.tenant_id)) as session:
                await queue_sql.complete(session.connection, [job], worker_id=job.worker_id)
                await together.wait()

        await asyncio.gather(end(first), end(second))
        assert (await found(database, scope, batch_id)).status == "completed"


@pytest.mark.parametrize("count", [1, 40])
async def test_counts_agree_with_the_rows_after_every_change(database: Database, scope: Scope, count: int) -> None:
    batch_id = await started(database, scope, count)
    jobs = await claimed(database, "w")
    for job in jobs[:5]:
        await finish(database, job)
    async with database.system() as connection:
        await connection.execute("update extractions set needs_review = true where status = 'completed'")
        await connection.execute("update jobs set status = 'pending' where status = 'failed'")
        await connection.execute("delete from extractions where status = 'completed' and id::text < '8'")
        await connection.execute("delete from extractions where ctid in (select ctid from extractions limit 1)")
        counted = await connection.fetchrow(
            """
            select count(*), count(*) filter (where status = 'completed'), count(*) filter (where needs_review)
            from extractions where batch_id = $1
            """,
            batch_id,
        )
    batch = await found(database, scope, batch_id)
    assert tuple(counted or ()) == (batch.counts.total, batch.counts.completed, batch.counts.needs_review)
    assert (batch.status == "completed") == (batch.counts.pending + batch.counts.running == 0)
