"""Requests and responses about batches."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints

from docsieve.api.text import Name, Text, WebUrl, storable_json
from docsieve.api.wire.base import MAX_IDS, Body, ListPage, Reason, RunAt, Wire
from docsieve.api.wire.documents.document import SkippedRead
from docsieve.api.wire.extractions import ExtractionStatus
from docsieve.api.wire.projects import Ref
from docsieve.db.batches.results import GroupResult
from docsieve.db.batches.rows import Batch
from docsieve.domain.batches import BatchStatus, FieldDefinition, Group, GroupBy, Member
from docsieve.domain.documents import DocumentStatus
from docsieve.domain.extraction import MissingDocument
from docsieve.domain.jobs import DeferredBy
from docsieve.domain.packets import Split
from docsieve.services.batches.configuration import BatchSettings
from docsieve.services.batches.progress import Progress, seconds_left
from docsieve.services.review.corrections import held_value, last_corrections

MAX_FIELDS = 200


BatchName = Annotated[Text, StringConstraints(min_length=1, max_length=200)]


class BatchOptions(Body):
    persist_data: bool = Field(
        True, description="If false, the batch, its results and its documents are deleted a day after it has ended."
    )
    run_at: RunAt | None = Field(None, description="A start before this time is postponed until then.")
    priority: int = Field(
        0, ge=-100, le=100, description="Compared with other batches. Single uploads always run before batches."
    )
    webhook_url: WebUrl | None = Field(None, description="Is sent a message when the batch is completed.")
    wanted: Ref | Annotated[dict[str, Any], AfterValidator(storable_json)] | None = Field(
        None,
        alias="schema",
        description="A schema name (`invoice`), a version of it (`invoice@3`), a JSON Schema, or `auto` (by the class "
        "of the first document of a group that has a schema). Defaults to the project's schema, and then to `auto`.",
    )
    fields: (
        Annotated[list[FieldDefinition], BeforeValidator(storable_json), Field(min_length=1, max_length=MAX_FIELDS)]
        | None
    ) = Field(None, description="The fields to extract, instead of a schema. They become a version of a schema.")
    engine: Ref | None = None
    model: Ref | None = Field(None, description="Provider and model, such as `openai:gpt-4o-mini`.")
    prompt: Ref | None = Field(None, description="A prompt name (`terse`) or a version of it (`terse@2`).")
    threshold: float | None = Field(None, ge=0, le=1, description="Fields with a lower confidence need review.")
    group_by: Annotated[GroupBy, BeforeValidator(storable_json)] = Field(
        default_factory=GroupBy, description="How documents are grouped into extractions."
    )
    split: Split | None = Field(
        None,
        description="`auto` splits files that hold several documents, for uploads into the batch that do not set "
        "`split` themselves.",
    )
    metadata: Annotated[dict[str, Any], AfterValidator(storable_json)] = Field(
        default_factory=dict, description="A JSON object, returned with the batch."
    )

    def settings(self) -> BatchSettings:
        """The fields that were sent. Others keep their value, or get their default in a new batch."""
        sent = self.model_fields_set
        columns = {name: getattr(self, name) for name in _SAME_NAME if name in sent}
        if "prompt" in sent:
            columns["prompt_ref"] = self.prompt
        if "group_by" in sent:
            columns["group_by"] = self.group_by.model_dump(mode="json", exclude_none=True)
        return BatchSettings(
            columns,
            schema_ref=self.wanted if isinstance(self.wanted, str) else None,
            schema=self.wanted if isinstance(self.wanted, dict) else None,
            fields=self.fields,
            clears_schema=bool(sent & {"wanted", "fields"}),
        )


_SAME_NAME = (
    "name", "persist_data", "run_at", "priority", "webhook_url", "engine", "model", "threshold", "split", "metadata",
)  # fmt: skip


class BatchCreate(BatchOptions):
    name: BatchName
    project: Name | None = Field(None, description="Defaults to the key's project, or to `default`.")


class BatchUpdate(BatchOptions):
    """Omitted fields keep their value."""

    name: BatchName = Field("", description="Keeps its value if omitted.")


class BatchCounts(Wire):
    total: int = Field(description="Number of extractions, one per group.")
    pending: int
    running: int
    completed: int
    failed: int
    cancelled: int
    needs_review: int = Field(description="Completed extractions with a field that needs review.")
    estimated_seconds_left: float | None = Field(
        description="From the pace since the last start. Null if nothing is running or nothing has finished yet."
    )


class BatchProgress(BatchCounts):
    documents: int = Field(description="Number of documents, without unpacked archives.")
    documents_waiting: int = Field(description="Documents that are still being read or unpacked.")
    documents_new: int = Field(
        description="Documents that no start has included yet, such as the parts of a packet that was cut afterwards."
    )


class BatchSummary(Wire):
    id: UUID
    name: str
    project: str
    status: BatchStatus
    persist_data: bool
    run_at: datetime | None
    priority: int
    webhook_url: str | None
    schema_ref: str | None = Field(alias="schema", description="Null if the project's schema is used.")
    fields: list[FieldDefinition] | None
    engine: str | None
    model: str | None
    prompt_ref: str | None = Field(alias="prompt")
    threshold: float | None
    group_by: GroupBy
    split: Split | None
    metadata: dict[str, Any]
    starting: bool = Field(
        description="Whether it was started but waits for `run_at`, for the processing window or for documents."
    )
    starts_at: datetime | None = Field(description="When a deferred start takes place.")
    deferred_by: DeferredBy | None = Field(
        description="Why it waits for `starts_at`: `run_at`, or the processing window of the project opens then."
    )
    error: Reason | None = Field(description="Why the last start failed.")
    created_at: datetime
    updated_at: datetime
    started_at: datetime | None
    completed_at: datetime | None
    progress: BatchCounts

    @classmethod
    def summary(cls, batch: Batch) -> Self:
        counts = {name: getattr(batch.counts, name) for name in BatchCounts.model_fields if hasattr(batch.counts, name)}
        return cls.model_validate(_fields(batch, {**counts, "estimated_seconds_left": seconds_left(batch)}))


class BatchRead(BatchSummary):
    progress: BatchProgress

    @classmethod
    def of(cls, batch: Batch, progress: Progress) -> Self:
        return cls.model_validate(_fields(batch, progress))


def _fields(batch: Batch, progress: object) -> dict[str, Any]:
    own = {name: getattr(batch, name) for name in BatchSummary.model_fields if hasattr(batch, name)}
    return {**own, "starting": batch.starting_job is not None, "progress": progress}


class BatchPage(ListPage):
    batches: list[BatchSummary]


class BatchDocumentsAdd(Body):
    document_ids: list[UUID] = Field(min_length=1, max_length=MAX_IDS)


class BatchDocumentsAdded(Wire):
    added: int = Field(description="Number of documents that were not in the batch before, including entries.")
    skipped: list[SkippedRead] = Field(description="Documents that were not added, each with the reason.")


class BatchDocumentRead(Wire):
    id: UUID
    filename: str
    status: DocumentStatus
    media_type: str | None
    sha256: str | None
    document_class: str | None = Field(alias="class")
    parent_id: UUID | None
    archive_path: str | None
    group: str | None = Field(description="Its group, once it was started.")
    extraction_id: UUID | None


class BatchDocumentPage(ListPage):
    documents: list[BatchDocumentRead]


class GroupDocument(Wire):
    id: UUID
    filename: str
    status: DocumentStatus


class GroupProblemRead(Wire):
    code: str = Field(description="`no_match`, `not_listed`, `unreadable` or `too_many_documents`.")
    message: str
    document_id: UUID | None


class GroupRead(Wire):
    name: str
    documents: list[GroupDocument] = Field(description="In reading order.")
    problems: list[GroupProblemRead]


class GroupPage(ListPage):
    groups: list[GroupRead]
    total: int = Field(description="Number of groups on all pages.")
    waiting_for: int = Field(
        description="Documents that a start will wait for, because the groups depend on them: archives that are being "
        "unpacked, mails with attachments, or all unread documents if they are grouped by class."
    )

    @classmethod
    def of(cls, groups: Sequence[Group], *, total: int, blockers: Sequence[Member], next_cursor: str | None) -> Self:
        return cls.model_validate(
            {"groups": groups, "total": total, "waiting_for": len(blockers), "next_cursor": next_cursor}
        )


class ResultDocument(Wire):
    id: UUID
    filename: str
    error: Reason | None = Field(description="Why it could not be read, if it could not.")


class ResultField(Wire):
    path: str
    confidence: float | None = Field(description="Null if a person corrected the value.")
    needs_review: bool
    document_id: UUID = Field(description="The document that it was found in, or the first one.")


class ResultRead(Wire):
    extraction_id: UUID
    group: str
    status: ExtractionStatus
    value: Any = Field(description="The extracted value with corrections applied. Null until completed.")
    confidence: float | None
    needs_review: bool | None
    documents: list[ResultDocument] = Field(description="In reading order.")
    missing: list[MissingDocument] = Field(description="Documents that could not be read and were left out.")
    error: Reason | None
    fields: list[ResultField] | None = Field(
        description="The fields outside of lists, in the order of the schema. Null unless requested."
    )

    @classmethod
    def of(cls, result: GroupResult) -> Self:
        extraction = result.extraction
        corrected = last_corrections(result.corrections)
        return cls.model_validate(
            {
                "extraction_id": extraction.id,
                "group": result.group,
                "status": extraction.status,
                "value": held_value(extraction, result.corrections),
                "confidence": extraction.confidence,
                "needs_review": extraction.needs_review,
                "documents": result.documents,
                "missing": extraction.missing,
                "error": extraction.error,
                "fields": None
                if result.fields is None
                else [
                    ResultField(
                        path=each.path,
                        confidence=None if each.path in corrected else each.confidence,
                        needs_review=each.needs_review,
                        document_id=each.document_id,
                    )
                    for each in result.fields
                ],
            }
        )


class ResultPage(ListPage):
    results: list[ResultRead]


class BatchRetried(Wire):
    count: int = Field(description="Number of extractions that were queued again.")
