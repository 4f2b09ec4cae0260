"""Brings the parts of a packet in line with its cuts: the one rule for detection, review and reprocessing.

Parts that are still wanted stay the same documents. Others are deleted, and missing ones are added if they were
written already, or by a job `split_document`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.documents import intake
from docsieve.db.documents import packets as packets_sql
from docsieve.db.documents.deletion import DeletedDocument
from docsieve.db.documents.intake import NewDocument
from docsieve.db.documents.packets import Packet
from docsieve.db.queue.new_jobs import enqueue
from docsieve.domain.jobs import JobArgs, NewJob
from docsieve.domain.packets import Cut, LeftOutPage, PageRange, parts
from docsieve.services import documents
from docsieve.services.documents import processing_job

_MAX_NAME_LENGTH = 255


class SplitDocument(JobArgs):
    """Writes the parts of a packet that are missing after a person changed its cuts."""

    job_type = "split_document"

    document_id: UUID


@dataclass(frozen=True, slots=True)
class Changes:
    """`kept` are parts that were there before and stay."""

    kept: list[UUID]
    deleted: list[DeletedDocument]


async def settle(
    session: Session,
    packet: Packet,
    cuts: Sequence[Cut],
    left_out: Sequence[LeftOutPage],
    *,
    written: Mapping[PageRange, NewDocument],
    max_attempts: int,
) -> Changes:
    """Record the cuts of a packet that the transaction has locked, and make its parts match them."""
    if (list(cuts), list(left_out)) != (packet.cuts, packet.left_out) or not packet.revision:
        await packets_sql.save(session, packet, cuts, left_out)
    skipped = frozenset(page.page for page in left_out)
    wanted = parts(cuts, skipped, packet.page_count or 0)
    existing = {part.pages: part.document_id for part in await packets_sql.parts(session, [packet.document_id])}
    stale = [part for pages, part in existing.items() if pages not in wanted]
    deleted = await documents.delete(session, stale) if stale else []
    missing = [pages for pages in wanted if pages not in existing]
    await _add(session, packet, {pages: written[pages] for pages in missing if pages in written}, max_attempts)
    if any(pages not in written for pages in missing):
        await enqueue(session, [_split_job(packet, max_attempts)])
    return Changes([part for pages, part in existing.items() if pages in wanted], deleted)


async def _add(session: Session, packet: Packet, new: Mapping[PageRange, NewDocument], max_attempts: int) -> None:
    if not new:
        return
    metadata = await packets_sql.metadata_of(session, packet.document_id)
    children = [replace(document, metadata=metadata) for document in new.values()]
    priority = await intake.job_priority(session, packet.document_id)
    jobs = [processing_job(child.id, max_attempts=max_attempts, priority=priority) for child in children]
    await intake.add_children(session, packet.document_id, children, jobs)
    await packets_sql.set_ranges(session, {document.id: pages for pages, document in new.items()})


def _split_job(packet: Packet, max_attempts: int) -> NewJob:
    return NewJob(
        SplitDocument(document_id=packet.document_id),
        project_id=packet.project_id,
        document_id=packet.document_id,
        priority=documents.REPROCESS_PRIORITY,
        max_attempts=max_attempts,
        unique_key=str(packet.document_id),
    )


def part_name(filename: str, pages: PageRange) -> str:
    """`scan (pages 3–5).pdf`"""
    suffix = PurePosixPath(filename).suffix
    stem = filename.removesuffix(suffix)
    what = f"page {pages.first}" if pages.first == pages.last else f"pages {pages.first}–{pages.last}"
    end = f" ({what}){suffix}"
    return stem[: _MAX_NAME_LENGTH - len(end)] + end
