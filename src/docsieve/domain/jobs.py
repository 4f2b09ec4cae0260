"""Types of the queue: job arguments, states, new and claimed jobs, and failures."""

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, ClassVar, Literal, NamedTuple
from uuid import UUID

from pydantic import BaseModel, ConfigDict


class JobStatus(StrEnum):
    """The public job states. A job that runs later is stored as `scheduled` and shown as pending with a `run_at`."""

    pending = "pending"
    processing = "processing"
    completed = "completed"
    failed = "failed"
    cancelled = "cancelled"


DeferredBy = Literal["run_at", "processing_window"]
"""Why a job has to wait for its `run_at`."""


class JobArgs(BaseModel):
    """Typed arguments of a job. A subclass sets the job type and the lane it runs in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    job_type: ClassVar[str]
    queue: ClassVar[str] = "default"

    def unique_key(self) -> str:
        """For jobs that are not enqueued while one with the same arguments is unfinished."""
        return self.model_dump_json()


@dataclass(frozen=True, slots=True)
class NewJob:
    """A job to enqueue. It is skipped if an unfinished job has the same type and unique key.

    It is ready at `run_at`, a time that a request named or at which a processing window opens (`deferred_by`), or after
    a delay. The first job of a document waits for the window of its project unless it is `urgent`.

    A delayed job that `waits_for` a document becomes ready as soon as that is no longer being read. The caller must
    hold a lock on the document, or else may miss that moment.
    """

    args: JobArgs
    project_id: UUID | None = None
    document_id: UUID | None = None
    priority: int = 0
    max_attempts: int = 3
    delay_seconds: float = 0.0
    unique_key: str | None = None
    id: UUID | None = None
    waits_for: UUID | None = None
    run_at: datetime | None = None
    deferred_by: DeferredBy | None = None
    urgent: bool = False

    @property
    def ready(self) -> bool:
        """Whether workers should be woken for it. The database decides whether `run_at` has passed."""
        return self.delay_seconds <= 0 and (self.run_at is None or self.run_at <= datetime.now(UTC))


class ClaimedJob(NamedTuple):
    """A leased job. Its id, attempt and worker together fence every later write."""

    id: UUID
    attempt: int
    worker_id: str
    tenant_id: UUID
    project_id: UUID | None
    document_id: UUID | None
    job_type: str
    queue: str
    args: str
    max_attempts: int
    rescues: int
    priority: int = 0
    turn: float = 0.0

    @property
    def last_attempt(self) -> bool:
        return self.attempt - self.rescues >= self.max_attempts


@dataclass(frozen=True, slots=True)
class JobFailure:
    """Why an attempt failed, in words for the user who sent the document."""

    code: str
    message: str
    details: dict[str, Any] | None = None
