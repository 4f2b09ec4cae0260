"""How far a batch is, and how long it will take at its own measured pace."""

from dataclasses import dataclass

from docsieve.db.batches import members
from docsieve.db.batches.rows import Batch
from docsieve.db.connection.session import Session


@dataclass(frozen=True, slots=True)
class Progress:
    """`documents_waiting` are still being read, `documents_new` wait for the next start.

    `estimated_seconds_left` is None until something has finished.
    """

    total: int
    pending: int
    running: int
    completed: int
    failed: int
    cancelled: int
    needs_review: int
    documents: int
    documents_waiting: int
    documents_new: int
    estimated_seconds_left: float | None


async def progress_of(session: Session, batch: Batch) -> Progress:
    found = await members.count(session, batch.id)
    counts = batch.counts
    return Progress(
        total=counts.total,
        pending=counts.pending,
        running=counts.running,
        completed=counts.completed,
        failed=counts.failed,
        cancelled=counts.cancelled,
        needs_review=counts.needs_review,
        documents=found.documents,
        documents_waiting=found.waiting,
        documents_new=0 if batch.status == "cancelled" else found.new,
        estimated_seconds_left=seconds_left(batch),
    )


def seconds_left(batch: Batch) -> float | None:
    done = batch.counts.finished - batch.finished_before
    if batch.status != "running" or done <= 0 or batch.seconds_running is None:
        return None
    return round((batch.counts.total - batch.counts.finished) * batch.seconds_running / done, 1)
