"""Attempts, queues and changes of many documents on the wire."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal, Self
from uuid import UUID

from pydantic import Field

from docsieve.api.wire.documents import MOST_IDS, Body, ListPage, Reason, Reprocess, Wire
from docsieve.db.queue.attempts import AttemptRecord
from docsieve.services.documents import Skipped

AttemptOutcome = Literal["running", "completed", "failed", "retried", "cancelled", "rescued", "handed_back"]


class StageRead(Wire):
    stage: str
    duration_ms: int


class AttemptRead(Wire):
    job_id: UUID
    job_type: str
    attempt: int = Field(description="its number; one that was handed back does not count")
    worker_id: str | None
    outcome: AttemptOutcome = Field(description="rescued: its worker stopped answering")
    started_at: datetime
    ended_at: datetime | None
    duration_ms: int = Field(description="until now while it is running")
    error: Reason | None
    stages: list[StageRead] = Field(description="in the order in which they began; what was last heard of a lost one")

    @classmethod
    def of(cls, record: AttemptRecord) -> Self:
        values = {name: getattr(record, name) for name in cls.model_fields if name != "error"}
        return cls.model_validate({**values, "error": Reason.of(record.error_code, record.error_message)})


class AttemptList(ListPage):
    attempts: list[AttemptRead] = Field(description="newest first")


class QueueRead(Wire):
    name: str
    pending: int = Field(description="ready to run")
    scheduled: int = Field(description="waiting for their time")
    processing: int
    failed: int
    oldest_pending_seconds: float | None = Field(description="age of the oldest that is ready; null where none is")


class QueueList(ListPage):
    queues: list[QueueRead]
    counted_at: datetime


class DocumentSelection(Body):
    ids: list[UUID] = Field(min_length=1, max_length=MOST_IDS)


class ReprocessSelection(Reprocess, DocumentSelection):
    pass


class SkippedRead(Wire):
    id: UUID
    code: str
    message: str


class DocumentsChanged(Wire):
    count: int = Field(description="how many of the documents were changed")
    skipped: list[SkippedRead] = Field(description="those that were left as they are, each with the reason")

    @classmethod
    def of(cls, count: int, skipped: Sequence[Skipped]) -> Self:
        return cls(
            count=count,
            skipped=[SkippedRead(id=each.id, code=each.reason.code, message=each.reason.detail) for each in skipped],
        )
