"""Starting, cancelling and retrying all extractions of a batch, each in a few statements however many there are."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from docsieve.db.connection.pool import BULK_SECONDS
from docsieve.db.connection.session import Session
from docsieve.domain.extraction import ExtractionSpec
from docsieve.domain.ids import new_id


@dataclass(frozen=True, slots=True)
class NewGroup:
    """One extraction to start, with its job."""

    extraction_id: UUID
    job_id: UUID
    name: str
    documents: Sequence[UUID]


async def add_extractions(
    session: Session, batch_id: UUID, project_id: UUID, groups: Sequence[NewGroup], spec: ExtractionSpec
) -> None:
    """Add an extraction per group, and count them. The batch must be locked."""
    spec_id = new_id()
    await session.connection.execute(
        """
        insert into batch_specs (id, batch_id, tenant_id, project_id, schema, prompt)
        values ($4, $2, $1, $3, $5, $6)
        """,
        session.scope.tenant_id,
        batch_id,
        project_id,
        spec_id,
        json.dumps(spec.schema),
        spec.prompt,
    )
    await session.connection.execute(
        """
        insert into extractions (id, tenant_id, project_id, job_id, batch_id, batch_spec, group_name, document_count,
            allow_missing, schema_name, schema_version, prompt_name, prompt_version, engine, model, threshold,
            use_cache, show)
        select added.id, $1, $3, added.job_id, $2, $8, added.name, added.document_count,
            true, $9, $10, $11, $12, $13, $14, $15, $16, $17
        from unnest($4::uuid[], $5::uuid[], $6::text[], $7::int[]) as added (id, job_id, name, document_count)
        """,
        session.scope.tenant_id,
        batch_id,
        project_id,
        [each.extraction_id for each in groups],
        [each.job_id for each in groups],
        [each.name for each in groups],
        [len(each.documents) for each in groups],
        spec_id,
        spec.schema_name,
        spec.schema_version,
        spec.prompt_name,
        spec.prompt_version,
        spec.engine,
        spec.model,
        spec.threshold,
        spec.use_cache,
        spec.show,
        timeout=BULK_SECONDS,
    )
    await session.connection.execute(
        """
        insert into extraction_documents (tenant_id, project_id, extraction_id, position, document_id)
        select $1, $2, listed.* from unnest($3::uuid[], $4::int[], $5::uuid[]) as listed
        """,
        session.scope.tenant_id,
        project_id,
        [each.extraction_id for each in groups for _ in each.documents],
        [place for each in groups for place, _ in enumerate(each.documents, 1)],
        [document for each in groups for document in each.documents],
        timeout=BULK_SECONDS,
    )
    await _count(session, batch_id, project_id, groups)


async def _count(session: Session, batch_id: UUID, project_id: UUID, groups: Sequence[NewGroup]) -> None:
    await session.connection.execute(
        """
        with opened as (
            insert into batch_counts as counts (tenant_id, batch_id, project_id, shard, total)
            select $1, $2, $3, batch_shard(id), count(*) from unnest($4::uuid[]) as added (id) group by 4 order by 4
            on conflict (batch_id, shard) do update set total = counts.total + excluded.total
            returning shard)
        update batches set open_shards = (
            select count(*) from (
                select shard from batch_counts
                where tenant_id = $1 and batch_id = $2 and total > completed + failed + cancelled
                union select shard from opened) as open)
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        batch_id,
        project_id,
        [each.extraction_id for each in groups],
    )


async def mark_running(session: Session, batch_id: UUID, *, finished: int, starting_job: UUID | None = None) -> None:
    """Let a batch run, or say which job will start it. Its throughput is measured from now on."""
    await session.connection.execute(
        """
        update batches set status = 'running', completed_at = null, started_at = clock_timestamp(),
            finished_before = $3, starting_job = $4, error_code = null, error_message = null,
            updated_at = clock_timestamp()
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        batch_id,
        finished,
        starting_job,
    )


async def end_start(session: Session, batch_id: UUID) -> None:
    """The start has found nothing to do: the batch is completed unless something is still running."""
    await session.connection.execute(
        """
        update batches set starting_job = null,
            status = case when open_shards > 0 then 'running' else 'completed' end,
            completed_at = case when open_shards > 0 then null else clock_timestamp() end
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        batch_id,
    )


async def mark_cancelled(session: Session, batch_id: UUID) -> None:
    await session.connection.execute(
        """
        update batches set status = 'cancelled', starting_job = null, completed_at = clock_timestamp(),
            error_code = null, error_message = null, updated_at = clock_timestamp()
        where tenant_id = $1 and id = $2
        """,
        session.scope.tenant_id,
        batch_id,
    )


async def recount(session: Session, batch_id: UUID) -> None:
    """Count the extractions after many of them were changed. Their jobs and the batch must be locked."""
    await session.connection.execute(
        "select recount_batch($1, $2)", session.scope.tenant_id, batch_id, timeout=BULK_SECONDS
    )


async def unfinished_jobs(session: Session, batch_id: UUID) -> dict[UUID, str]:
    """The jobs of the batch that are not final with their status, locked in the order of their ids."""
    rows = await session.connection.fetch(
        """
        select jobs.id, jobs.status from jobs
        where tenant_id = $1 and status in ('scheduled', 'pending', 'processing') and (
            id in (select job_id from extractions
                   where tenant_id = $1 and batch_id = $2 and status in ('pending', 'processing'))
            or id = (select starting_job from batches where tenant_id = $1 and id = $2))
        order by id for update
        """,
        session.scope.tenant_id,
        batch_id,
        timeout=BULK_SECONDS,
    )
    return {row[0]: row[1] for row in rows}


async def failed_jobs(session: Session, batch_id: UUID) -> list[UUID]:
    rows = await session.connection.fetch(
        "select job_id from extractions where tenant_id = $1 and batch_id = $2 and status = 'failed' order by job_id",
        session.scope.tenant_id,
        batch_id,
    )
    return [row[0] for row in rows]
