"""The shapes of documents. Pages have the same shape everywhere; see `domain.pages`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field

from docsieve.api.text import Text
from docsieve.api.wire.base import MOST_IDS, Body, ListPage, Reason, StatusProgress, Wire
from docsieve.domain.documents import DocumentStatus
from docsieve.domain.jobs import JobStatus
from docsieve.services.documents import ReprocessOptions, Skipped


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
