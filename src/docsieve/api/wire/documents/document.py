"""Requests and responses about documents. Pages are sent as they are defined in `domain.pages`."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field

from docsieve.api.text import SchemaChoice, Text
from docsieve.api.wire.base import MAX_IDS, Body, ListPage, Reason, StatusProgress, Wire
from docsieve.domain.documents import DocumentStatus
from docsieve.domain.jobs import DeferredBy, JobStatus
from docsieve.domain.packets import Split
from docsieve.domain.schemas.choice import choice_text
from docsieve.services.documents import ReprocessOptions, Skipped


class EntryCounts(Wire):
    """How many entries of an archive have each verdict so far."""

    total: int
    created: int
    skipped: int
    unsupported_type: int
    refused: int
    incomplete: str | None = Field(description="Why there may be entries that are not listed, such as `truncated`.")


class DocumentRead(Wire):
    id: UUID
    filename: str
    media_type: str | None = Field(description="Null, like size and sha256, until the file has been downloaded.")
    size: int | None
    sha256: str | None
    status: DocumentStatus
    project: str
    processing_job_id: UUID | None
    schema_ref: str | None = Field(
        alias="schema", description="What the upload said. Null if it said nothing, or sent a JSON Schema."
    )
    engine: str | None
    webhook_url: str | None
    metadata: dict[str, Any]
    duplicate_of: UUID | None = Field(description="An older document with the same content.")
    page_count: int | None
    pages_failed: int | None
    error: Reason | None
    created_at: datetime
    updated_at: datetime
    parent_id: UUID | None = Field(description="The document or archive this one was found in.")
    parent_path: str | None = Field(description="Its name or path inside the parent.")
    archive_path: str | None = Field(description="The same path if the parent is an archive, otherwise null.")
    entries: EntryCounts | None = Field(description="Of an archive that is or was being unpacked, otherwise null.")
    language: str | None = Field(description="ISO 639-1 code. Null until the document has been read.")
    document_class: str | None = Field(alias="class", description="The detected kind of document, such as `invoice`.")
    class_confidence: float | None
    confidence: float | None = Field(description="Confidence of the newest completed extraction.")
    needs_review: bool | None = Field(description="Whether any field of the newest completed extraction needs review.")
    first_page: int | None = Field(
        description="Set for a part of a packet: its page 1 is this page of the parent document."
    )
    last_page: int | None = Field(description="The last page of the part in the parent document.")
    split_needs_review: bool | None = Field(
        description="Whether uncertain cuts of a packet wait for a person. Null for a document that was not split."
    )
    persist_data: bool = Field(
        description="If false, the document is deleted with everything derived from it, a while after it was processed."
    )
    original_deleted_at: datetime | None = Field(description="Since when the original file is no longer stored.")
    no_fields: Reason | None = Field(
        description="Why no schema was chosen by the class of the document, so that nothing was extracted when it was "
        "read. Null if something was, or if the upload or the project asked for reading only."
    )
    progress: StatusProgress | None = Field(description="Set while the document is being processed.")
    delete_after: datetime | None = Field(description="The document is deleted after this time.")
    source: str | None = Field(description="The URL that the file was downloaded from, without its query.")
    pages_shown: int | None = Field(
        description="How many pages of a document that is still being processed for the first time can be fetched. "
        "Null before the first one, and for documents that are read within a second or so."
    )


class DocumentPage(ListPage):
    documents: list[DocumentRead]
    total: int = Field(description="Number of matching documents on all pages.")


class StatusJob(Wire):
    id: UUID
    status: JobStatus
    attempts: int
    max_attempts: int
    run_at: datetime | None = Field(description="When a scheduled job becomes ready to run.")
    deferred_by: DeferredBy | None = Field(
        description="Why it waits for `run_at`: the request named that time, or the processing window of the project "
        "opens then. Null for a retry."
    )


class StatusReading(Wire):
    parser: str
    version: str
    cache_hit: bool = Field(
        description="Whether the pages were reused from an earlier attempt or another document with the same content."
    )


class StatusExtraction(Wire):
    id: UUID
    status: JobStatus
    needs_review: bool | None = Field(description="Null until the extraction is completed.")
    error: Reason | None


class DocumentState(Wire):
    status: DocumentStatus
    job: StatusJob | None
    progress: StatusProgress | None
    queue_position: int | None = Field(
        description="Position in the queue, starting at 1. 1000 means position 1000 or later."
    )
    page_count: int | None
    reading: StatusReading | None = Field(description="Which parser read the document. Null until it has been read.")
    extraction: StatusExtraction | None = Field(description="The newest extraction that includes the document.")
    error: Reason | None = Field(
        description="Why the document failed, or why the last attempt failed if it will be retried."
    )


class PageText(Wire):
    number: int
    text: str


class DocumentText(Wire):
    document_id: UUID
    complete: bool = Field(description="If false, the document is still being read, and these are its first pages.")
    page_count: int = Field(description="Number of the pages in this response.")
    text: str
    pages: list[PageText]


class Reprocess(Body):
    wanted: SchemaChoice | None = Field(
        None,
        alias="schema",
        description="A schema name (`invoice`), a version of it (`invoice@3`), a JSON Schema, `auto` (by the class of "
        "the document) or `none` (read only). Defaults to that of the last reading.",
    )
    engine: Text | None = None
    password: Annotated[Text, Field(min_length=1)] | None = Field(
        None, description="Password of a protected document. Stored encrypted for later runs and never returned."
    )
    split: Split | None = Field(
        None, description="`auto` looks for several documents in the file; `none` removes the parts of a packet."
    )

    def options(self) -> ReprocessOptions:
        return ReprocessOptions(choice_text(self.wanted), self.engine, self.password, self.split)


class Reprocessing(Wire):
    message: str
    job_id: UUID


class DocumentSelection(Body):
    ids: list[UUID] = Field(min_length=1, max_length=MAX_IDS)


class ReprocessSelection(Reprocess, DocumentSelection):
    pass


class SkippedRead(Wire):
    id: UUID
    code: str
    message: str

    @classmethod
    def of(cls, skipped: Skipped) -> Self:
        return cls(id=skipped.id, code=skipped.reason.code, message=skipped.reason.detail)


class DocumentsChanged(Wire):
    count: int = Field(description="Number of documents that were changed.")
    skipped: list[SkippedRead] = Field(description="Documents that were not changed, each with the reason.")

    @classmethod
    def of(cls, count: int, skipped: Sequence[Skipped]) -> Self:
        return cls(
            count=count,
            skipped=[SkippedRead.of(each) for each in skipped],
        )
