"""Requests and responses about jobs, their attempts and queues."""

from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal, Self
from uuid import UUID

from pydantic import Field

from docsieve.api.text import Name, Text
from docsieve.api.wire.base import MAX_IDS, Body, ListPage, Reason, StatusProgress, Wire
from docsieve.db.queue.attempts import AttemptRecord
from docsieve.db.queue.job_records import JobRecord
from docsieve.domain.jobs import DeferredBy, JobStatus

AttemptOutcome = Literal["running", "completed", "failed", "retried", "cancelled", "rescued", "handed_back"]


class JobRead(Wire):
    id: UUID
    job_type: str
    queue: str
    status: JobStatus
    document_id: UUID | None
    priority: int
    attempts: int
    retry_count: int
    max_attempts: int
    rescues: int = Field(description="How often the job was taken back from a worker that stopped responding.")
    worker_id: str | None
    progress: StatusProgress | None
    result: dict[str, Any] | None = Field(
        description="What a completed job reports, such as the counts of a clean-up. Null for most kinds of jobs."
    )
    run_at: datetime | None
    deferred_by: DeferredBy | None = Field(
        description="Why the job has to wait for `run_at`: the request named that time, or the processing window of "
        "the project opens then. Null if it waits for a retry or for documents, or does not wait."
    )
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    processing_time_ms: int | None
    error_code: str | None
    error_message: str | None
    error_details: dict[str, Any] | None
    filename: str | None = Field(
        description="File name of the job's document, or of the first document it extracts from."
    )

    @classmethod
    def of(cls, row: JobRecord) -> Self:
        return cls.model_validate({**asdict(row), "retry_count": max(row.attempts - 1, 0)})


class JobPage(ListPage):
    jobs: list[JobRead]
    total: int
    pending_count: int
    processing_count: int
    completed_count: int
    failed_count: int
    cancelled_count: int


class JobSelection(Body):
    """Selects the jobs that match all given criteria. At least one criterion is required."""

    status: JobStatus | None = None
    job_type: Text | None = None
    queue: Text | None = None
    document_id: UUID | None = None
    ids: list[UUID] | None = Field(None, max_length=MAX_IDS)
    project: Name | None = None


class Changed(Wire):
    count: int = Field(description="Number of jobs that were changed.")


class StageRead(Wire):
    stage: str
    duration_ms: int


class AttemptRead(Wire):
    job_id: UUID
    job_type: str
    attempt: int = Field(description="Attempt number. An attempt that a stopping worker handed back is not counted.")
    worker_id: str | None
    outcome: AttemptOutcome = Field(description="`rescued` means that the worker stopped responding.")
    started_at: datetime
    ended_at: datetime | None
    duration_ms: int = Field(description="Time so far while the attempt is running.")
    error: Reason | None
    stages: list[StageRead] = Field(
        description="Stages in the order they started. For a rescued attempt, as last reported by its worker."
    )

    @classmethod
    def of(cls, record: AttemptRecord) -> Self:
        values = {name: getattr(record, name) for name in cls.model_fields if name != "error"}
        return cls.model_validate({**values, "error": Reason.of(record.error_code, record.error_message)})


class AttemptList(ListPage):
    attempts: list[AttemptRead] = Field(description="Newest first.")


class QueueRead(Wire):
    name: str
    pending: int = Field(description="Jobs that are ready to run.")
    scheduled: int = Field(description="Jobs that will run later.")
    processing: int
    failed: int
    oldest_pending_seconds: float | None = Field(
        description="Age of the oldest job that is ready to run. Null if there is none."
    )


class QueueList(ListPage):
    queues: list[QueueRead]
    counted_at: datetime
