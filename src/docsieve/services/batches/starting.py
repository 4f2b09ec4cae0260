"""Starts batches: one extraction and one job per group, all in one transaction and in a few statements.

If that has to wait, for the time of the start, for archives to be unpacked or for documents to be classified, a
`start_batch` job does it later.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import UUID

from docsieve import faults
from docsieve.db.access import projects
from docsieve.db.batches import members, rows, runs
from docsieve.db.batches.rows import Batch
from docsieve.db.batches.runs import NewGroup
from docsieve.db.connection.session import Session
from docsieve.db.extractions import deletion
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.batches import MAX_DOCUMENTS, PRIORITY_OFFSET, Group, GroupBy, Member
from docsieve.domain.documents import IN_PROGRESS
from docsieve.domain.extraction import ExtractionSpec
from docsieve.domain.ids import new_id, new_ids
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.errors.batches import BatchCancelled, BatchStarting, BatchTooLarge, GroupTooLarge, NothingToStart
from docsieve.pipelines.engines.registry import engine_named
from docsieve.resources import Resources
from docsieve.services import attachments, engines
from docsieve.services.batches import configuration
from docsieve.services.batches.grouping import group
from docsieve.services.deferral import Deferral, deferral
from docsieve.services.extractions.providers import opens_stored_files
from docsieve.services.extractions.requests import WAIT_SECONDS, ExtractDocuments, ExtractionOptions, settle
from docsieve.services.retention import results


class StartBatch(JobArgs):
    job_type = "start_batch"

    batch_id: UUID


@dataclass(frozen=True, slots=True)
class Plan:
    """The groups that a start would make now. It has to wait for `blockers` first."""

    groups: Sequence[Group]
    blockers: Sequence[Member]

    @property
    def waits_for(self) -> UUID | None:
        """The newest of the documents that it waits for, as that is probably the last to end."""
        return max(each.id for each in self.blockers) if self.blockers else None


async def plan(session: Session, batch: Batch, *, lock_unread: bool = False) -> Plan:
    """Raises PatternInvalid and BatchTooLarge."""
    found = await members.all_of(session, batch.id, lock_unread=lock_unread)
    if len(found) > MAX_DOCUMENTS:
        raise BatchTooLarge(f"The batch has {len(found):,} documents; at most {MAX_DOCUMENTS:,} are possible.")
    started = await members.started(session, batch.id)
    taken = await members.group_names(session, batch.id)
    by = GroupBy.model_validate(batch.group_by)
    # in a thread, because ten thousand documents would hold up other requests
    groups = await asyncio.to_thread(group, found, by, started=started, taken_names=taken)
    return Plan(groups, [each for each in found if each.id not in started and _blocks(each, by)])


def _blocks(member: Member, by: GroupBy) -> bool:
    """Whether the groups cannot be known before this document has been downloaded, read or unpacked."""
    if member.status not in IN_PROGRESS:
        return False
    may_become_several = (member.split == "auto" and not member.is_part) or attachments.may_have(member)
    may_be_archive = member.media_type is None or member.status.endswith("unpacking")
    return by.mode == "class" or may_be_archive or may_become_several


async def start(session: Session, resources: Resources, batch_id: UUID) -> Batch:
    """Start all documents that were not started before, now or as soon as possible.

    Raises NothingToStart, BatchStarting, BatchCancelled, GroupTooLarge, BatchTooLarge, and what `settle` and
    `engines.check_configured` raise.
    """
    batch = await configuration.locked(session, batch_id)
    if batch.status == "cancelled":
        raise BatchCancelled
    if batch.starting_job is not None:
        raise BatchStarting
    spec = await _settled(session, resources, batch)
    planned = await plan(session, batch, lock_unread=True)
    if not planned.groups and not planned.blockers:
        raise NothingToStart
    when = await _deferral(session, batch)
    if when.run_at is not None and when.run_at > datetime.now(UTC):
        await _start_later(session, resources, batch, when, None)
    elif planned.blockers:
        await _start_later(session, resources, batch, Deferral(), planned.waits_for)
    else:
        await _begin(session, resources, batch, planned.groups, spec)
    return await configuration.found(session, batch_id)


async def resume(session: Session, resources: Resources, batch_id: UUID, *, job_id: UUID) -> UUID | None:
    """Start what `start` left to this job. Returns the document to wait for if it is still too early.

    Does nothing if the batch was started by an earlier attempt, cancelled or deleted.
    """
    batch = await rows.lock(session, batch_id)
    if batch is None or batch.starting_job != job_id:
        return None
    planned = await plan(session, batch, lock_unread=True)
    if planned.blockers:
        return planned.waits_for
    if planned.groups:
        spec = await _settled(session, resources, batch)
        await _begin(session, resources, batch, planned.groups, spec)
    else:
        await runs.end_start(session, batch_id)
    return None


async def _settled(session: Session, resources: Resources, batch: Batch) -> ExtractionSpec:
    project = await projects.find_by_id(session, batch.project_id)
    assert project is not None
    options = ExtractionOptions(
        schema_ref=batch.schema_ref, engine=batch.engine, model=batch.model, prompt_ref=batch.prompt_ref
    )
    spec = await settle(session, project, options)
    engines.check_configured(resources.settings, spec.engine, model=spec.model)
    if _shows_files(resources, spec):
        spec = replace(spec, show="both")
    return replace(spec, threshold=batch.threshold) if batch.threshold is not None else spec


def _shows_files(resources: Resources, spec: ExtractionSpec) -> bool:
    """Where the model can open the stored files, it gets their addresses: nothing has to be rendered or sent."""
    if engine_named(spec.engine).about.needs != "model":
        return False
    model = resources.clients.models.named(spec.model)
    return model is not None and opens_stored_files(resources, model)


async def _deferral(session: Session, batch: Batch) -> Deferral:
    project = await projects.find_by_id(session, batch.project_id)
    assert project is not None
    return await deferral(session, project, run_at=batch.run_at, priority=batch.priority, batch=True)


async def _start_later(
    session: Session, resources: Resources, batch: Batch, when: Deferral, waits_for: UUID | None
) -> None:
    job = NewJob(
        StartBatch(batch_id=batch.id),
        id=new_id(),
        project_id=batch.project_id,
        priority=batch.priority - PRIORITY_OFFSET,
        max_attempts=resources.settings.max_attempts,
        delay_seconds=0.0 if when.run_at is not None else WAIT_SECONDS,
        waits_for=waits_for,
        run_at=when.run_at,
        deferred_by=when.deferred_by,
    )
    await enqueue(session, [job])
    await runs.mark_running(session, batch.id, finished=batch.counts.finished, starting_job=job.id)
    faults.step("batch.deferred")


async def _begin(
    session: Session, resources: Resources, batch: Batch, groups: Sequence[Group], spec: ExtractionSpec
) -> None:
    for each in groups:
        if any(problem.code == "too_many_documents" for problem in each.problems):
            raise GroupTooLarge(f"Group {each.name} has {len(each.documents):,} documents; see the limits.")
    await _drop_replaced(session, batch)
    faults.step("batch.planned")
    # ascending, so that results are listed in the order of the groups
    ids = zip(new_ids(len(groups)), new_ids(len(groups)), groups, strict=True)
    new = [NewGroup(first, second, each.name, [member.id for member in each.documents]) for first, second, each in ids]
    await runs.add_extractions(session, batch.id, batch.project_id, new, spec)
    faults.step("batch.extractions_written")
    when, max_attempts = await _deferral(session, batch), resources.settings.max_attempts
    await enqueue(session, [_job(batch, each, its, when, max_attempts) for each, its in zip(new, groups, strict=True)])
    faults.step("batch.jobs_written")
    await runs.mark_running(session, batch.id, finished=batch.counts.finished)


async def _drop_replaced(session: Session, batch: Batch) -> None:
    """The rows of parts take the place of the row of their packet, unless a legal hold keeps that one."""
    replaced = await members.replaced_by_parts(session, batch.id)
    held = await deletion.held(session, replaced)
    if dropped := [each for each in replaced if each not in held]:
        await results.delete(session, dropped)


def _job(batch: Batch, new: NewGroup, its: Group, when: Deferral, max_attempts: int) -> NewJob:
    """Jobs of documents that are still being read are not ready to run; the end of the reading makes them so.

    If the processing window closed while the start waited for documents, they wait for the next one.
    """
    unread = [] if when.deferred_by == "processing_window" else _unread(its)
    return NewJob(
        ExtractDocuments(extraction_id=new.extraction_id),
        id=new.job_id,
        project_id=batch.project_id,
        priority=batch.priority - PRIORITY_OFFSET,
        max_attempts=max_attempts,
        delay_seconds=WAIT_SECONDS if unread else 0.0,
        waits_for=max(unread) if unread else None,
        run_at=when.run_at,
        deferred_by=when.deferred_by,
    )


def _unread(group: Group) -> list[UUID]:
    return [each.id for each in group.documents if each.status in IN_PROGRESS]
