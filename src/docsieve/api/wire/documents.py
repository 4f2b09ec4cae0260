"""The shapes clients see. Pages have the same shape everywhere and stand in `domain.pages`."""

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from docsieve.api.text import Name, Text
from docsieve.db.queue.job_records import JobRecord
from docsieve.domain.documents import DocumentStatus
from docsieve.domain.jobs import JobStatus
from docsieve.services.documents import ReprocessOptions

# Turns grow by 1 / weight; a weight near zero would leave the range of the column.
Weight = Annotated[float, Field(ge=0.001, le=1000, description="share of the workers relative to other tenants")]
MOST_IDS = 1_000
ScopeName = Literal["read", "write", "admin"]


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("must be a moment between the years 1 and 9999 in UTC") from error


Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]


class Wire(BaseModel):
    model_config = ConfigDict(from_attributes=True, populate_by_name=True, serialize_by_alias=True)


class Body(BaseModel):
    """What clients send: a field we do not know is an error and not a silent wish."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class ListPage(Wire):
    """A list in the shape of all lists: what it holds under its own name, a page at a time."""

    next_cursor: str | None = Field(description="pass it as `cursor` for the next page; null at the end")


class Reason(Wire):
    code: str
    message: str

    @classmethod
    def of(cls, code: str | None, message: str | None) -> Self | None:
        return cls(code=code, message=message or "") if code is not None else None


class StatusProgress(Wire):
    stage: str
    page: int | None = None
    pages: int | None = None


class DocumentRead(Wire):
    id: UUID
    filename: str
    media_type: str
    size: int
    sha256: str
    status: DocumentStatus
    project: str
    processing_job_id: UUID | None
    schema_ref: str | None = Field(alias="schema")
    engine: str | None
    webhook_url: str | None
    metadata: dict[str, Any]
    duplicate_of: UUID | None = Field(description="an older document with the same content")
    page_count: int | None
    pages_failed: int | None
    error: Reason | None
    created_at: datetime
    updated_at: datetime
    parent_id: UUID | None = Field(description="the document that this one came inside of")
    parent_path: str | None = Field(description="its name in there")
    language: str | None = Field(description="ISO 639-1, once it has been read")
    document_class: str | None = Field(alias="class", description="what kind of document it is")
    class_confidence: float | None
    confidence: float | None = Field(description="of its newest completed extraction")
    needs_review: bool | None = Field(description="whether a field of that extraction does")
    progress: StatusProgress | None = Field(description="while it is processing")


class DocumentPage(ListPage):
    documents: list[DocumentRead]
    total: int = Field(description="how many match in all")


class StatusJob(Wire):
    id: UUID
    status: JobStatus
    attempts: int
    max_attempts: int
    run_at: datetime | None = Field(description="when a job that waits for its time will be ready")


class StatusReading(Wire):
    parser: str
    version: str
    cache_hit: bool = Field(description="its pages were there already, from an earlier attempt or the same bytes")


class StatusExtraction(Wire):
    id: UUID
    status: JobStatus
    needs_review: bool | None = Field(description="null until it is completed")
    error: Reason | None


class DocumentState(Wire):
    status: DocumentStatus
    job: StatusJob | None
    progress: StatusProgress | None
    queue_position: int | None = Field(description="place in the queue from 1; 1000 means that or later")
    page_count: int | None
    reading: StatusReading | None = Field(description="how it was read, once it has been")
    extraction: StatusExtraction | None = Field(description="the newest that the document is part of")
    error: Reason | None = Field(description="why it failed, or why the last attempt did if another will follow")


class PageText(Wire):
    number: int
    text: str


class DocumentText(Wire):
    document_id: UUID
    page_count: int
    text: str
    pages: list[PageText]


class Reprocess(Body):
    schema_ref: Text | None = Field(None, alias="schema")
    engine: Text | None = None
    password: Annotated[Text, Field(min_length=1)] | None = Field(
        None, description="opens a protected document from now on; stored sealed, never shown"
    )

    def options(self) -> ReprocessOptions:
        return ReprocessOptions(self.schema_ref, self.engine, self.password)


class Reprocessing(Wire):
    message: str
    job_id: UUID


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
    rescues: int = Field(description="how often the job was taken back from a lost worker")
    worker_id: str | None
    progress: StatusProgress | None
    run_at: datetime | None
    created_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    processing_time_ms: int | None
    error_code: str | None
    error_message: str | None
    error_details: dict[str, Any] | None
    filename: str | None = Field(description="of its document, or of the first that it extracts from")

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
    """Which jobs; at least one criterion, and all given ones must hold."""

    status: JobStatus | None = None
    job_type: Text | None = None
    queue: Text | None = None
    document_id: UUID | None = None
    ids: list[UUID] | None = Field(None, max_length=MOST_IDS)
    project: Name | None = None


class Changed(Wire):
    count: int = Field(description="how many jobs were changed")


class TenantCreate(Body):
    name: Name
    weight: Weight = 1.0


class TenantUpdate(Body):
    weight: Weight = Field(1.0, description="share of the workers; left as it is where not sent")
    budget_usd: float | None = Field(
        None, ge=0, le=1e9, description="what providers may cost all its projects in a month; null for no limit"
    )


class TenantRead(Wire):
    id: UUID
    name: str
    weight: float
    budget_usd: float | None
    created_at: datetime


class TenantPage(ListPage):
    tenants: list[TenantRead]


class KeyCreate(Body):
    name: Text
    scopes: list[ScopeName] = Field(min_length=1, max_length=3)
    project: Name | None = Field(None, description="limit the key to this project")
    expires_at: Moment | None = None


class KeyRead(Wire):
    id: str
    name: str
    scopes: list[ScopeName]
    project: str | None
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class KeyPage(ListPage):
    keys: list[KeyRead]


class KeyCreated(KeyRead):
    key: str = Field(description="shown this once; only its hash is kept")
