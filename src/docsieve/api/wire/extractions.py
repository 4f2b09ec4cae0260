"""Requests and responses about extractions, fields and corrections.

Evidence, checks and usage are sent as they are defined in `domain.extraction`.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal, Self
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from docsieve.api.text import SchemaChoice, Text, WebUrl, storable_json
from docsieve.api.wire.base import Body, ListPage, Reason, RunAt, Wire
from docsieve.db.extractions.corrections import Action, Correction
from docsieve.db.extractions.fields import FieldRow
from docsieve.db.extractions.rows import Extraction
from docsieve.domain.extraction import (
    Check,
    Doubt,
    Evidence,
    FailedEngine,
    LeafMetadata,
    MissingDocument,
    PageInput,
    Usage,
)
from docsieve.domain.jobs import DeferredBy
from docsieve.services.extractions.requests import ExtractionOptions, ExtractionRequest
from docsieve.services.review.acceptance import last_acts
from docsieve.services.review.comparison import ComparedField, Outcome
from docsieve.services.review.corrections import Fix, held_value, last_corrections

MAX_DOCUMENTS = 100
MAX_CORRECTIONS = 1_000

ExtractionStatus = Literal["pending", "processing", "completed", "failed", "cancelled"]
Value = Annotated[
    Annotated[str, StringConstraints(max_length=100_000)] | int | float | bool | None, AfterValidator(storable_json)
]


class ExtractionCreate(Body):
    document_ids: list[UUID] = Field(
        min_length=1, max_length=MAX_DOCUMENTS, description="The documents, in reading order."
    )
    wanted: SchemaChoice | None = Field(
        None,
        alias="schema",
        description="A schema name (`invoice`), a version of it (`invoice@3`), a JSON Schema, or `auto` (by the class "
        "of the first document that has a schema). Defaults to the project's schema, and then to `auto`.",
    )
    engine: Text | None = None
    model: Text | None = Field(None, description="Provider and model, such as `openai:gpt-4o-mini`.")
    prompt: Text | None = Field(
        None, description="A prompt name (`terse`) or a version of it (`terse@2`). Defaults to the project's prompt."
    )
    priority: int = Field(0, ge=-100, le=100, description="Higher priorities run first.")
    metadata: Annotated[dict[str, Any], AfterValidator(storable_json)] = Field(
        default_factory=dict, description="Arbitrary JSON that is stored with the extraction."
    )
    use_cache: bool = Field(
        True, alias="cache", description="Set to false to call providers again instead of using cached responses."
    )
    show: PageInput = Field(
        "text", description="Whether a language model gets the pages as text, as images, or as both."
    )

    run_at: RunAt | None = Field(
        None, description="When the extraction is to start, with a time zone: `2026-11-18T22:00:00+01:00`."
    )
    allow_missing: bool = Field(
        False,
        description="Leave out documents that cannot be read, as long as one can. Otherwise the extraction fails.",
    )

    webhook_url: WebUrl | None = Field(
        None, description="Is sent a message when the extraction is completed or has failed."
    )

    def request(self) -> ExtractionRequest:
        options = ExtractionOptions(
            schema_ref=self.wanted if isinstance(self.wanted, str) else None,
            schema=self.wanted if isinstance(self.wanted, dict) else None,
            engine=self.engine,
            model=self.model,
            prompt_ref=self.prompt,
            use_cache=self.use_cache,
            show=self.show,
        )
        return ExtractionRequest(
            self.document_ids,
            options,
            self.priority,
            self.metadata,
            allow_missing=self.allow_missing,
            run_at=self.run_at,
            webhook_url=self.webhook_url,
        )


class FixCreate(Body):
    path: Text = Field(
        description="Path of the field, such as `line_items[0].price`. The index after the last item adds an item."
    )
    value: Value = Field(description="The correct value. Null means that the documents do not contain it.")
    document_id: UUID | None = Field(
        None, description="The document that contains the value. Defaults to the first document."
    )
    page: int | None = Field(None, ge=1, le=1_000_000)
    box: tuple[float, float, float, float] | None = None
    note: Text | None = None

    def fix(self) -> Fix:
        return Fix(self.path, self.value, self.document_id, self.page, self.box, self.note)


class FieldsCorrect(Body):
    fields: list[FixCreate] = Field(min_length=1, max_length=MAX_CORRECTIONS)


class FieldPaths(Body):
    paths: list[Text] = Field(
        min_length=1, max_length=MAX_CORRECTIONS, description="Paths such as `line_items[0].price`."
    )


class CorrectionRead(Wire):
    path: str
    action: Action = Field(description="`accept` confirms the value; `undo` restores the previous one.")
    old_value: Any
    new_value: Any
    document_id: UUID | None
    page: int | None
    box: tuple[float, float, float, float] | None
    note: str | None
    made_by: str = Field(description="ID of the API key.")
    made_by_name: str | None = Field(description="Name of the API key at that time.")
    made_at: datetime
    undone: bool = Field(description="Whether it was undone later.")


class Acceptance(Wire):
    made_by: str = Field(description="ID of the API key.")
    made_by_name: str | None
    made_at: datetime


class ExtractionSummary(Wire):
    id: UUID
    status: ExtractionStatus
    schema_ref: str | None = Field(
        alias="schema", description="`auto` until it is chosen by class. Null if the schema was sent with the request."
    )
    prompt_ref: str | None = Field(alias="prompt")
    engine: str
    engine_version: str | None
    model: str | None
    fallback_from: FailedEngine | None = Field(
        description="The engine that was chosen and why it failed, if the project's fallback engine made the result."
    )
    documents: list[UUID]
    missing: list[MissingDocument] = Field(
        description="Documents that could not be read and were left out, if `allow_missing` was set."
    )
    batch_id: UUID | None = Field(description="The batch that it is part of.")
    group_name: str | None = Field(alias="group", description="Its group in the batch.")
    needs_review: bool | None
    confidence: float | None
    usage: Usage | None
    verified_at: datetime | None
    verified_by: str | None
    lessons_version: int | None = Field(
        description="Version of the lessons learned from corrections, if the engine used any."
    )
    client_metadata: dict[str, Any]
    error: Reason | None
    job_id: UUID
    run_at: datetime | None = Field(description="When a deferred extraction starts. Null once it has started.")
    deferred_by: DeferredBy | None = Field(
        description="Why it waits for `run_at`: the request named that time, or the processing window of the project "
        "opens then."
    )
    created_at: datetime
    completed_at: datetime | None

    @classmethod
    def summary(cls, extraction: Extraction) -> Self:
        return cls.model_validate(_summary_fields(extraction))


def _summary_fields(extraction: Extraction) -> dict[str, Any]:
    """By attribute name, because `schema` is a reference in the API but the schema itself in the row."""
    return {
        name: getattr(extraction.spec if name in _OF_THE_SPEC else extraction, name)
        for name in ExtractionSummary.model_fields
    }


_OF_THE_SPEC = ("schema_ref", "prompt_ref", "engine", "model")


class ExtractionRead(ExtractionSummary):
    value: Any = Field(description="The extracted value, which matches the schema. Null until completed.")
    metadata: dict[str, LeafMetadata] | None = Field(description="Metadata of each field, by path.")
    corrected_value: Any = Field(description="The value with corrections applied. Null if there are none.")
    corrections: list[CorrectionRead] = Field(
        description="All corrections, acceptances and undos, oldest first, including those that were undone."
    )
    schema_definition: dict[str, Any]

    @classmethod
    def of(cls, extraction: Extraction, made: Sequence[Correction]) -> Self:
        held = held_value(extraction, made) if last_corrections(made) else None
        return cls.model_validate(
            {
                **_summary_fields(extraction),
                "value": extraction.value,
                "metadata": extraction.metadata,
                "corrected_value": held,
                "corrections": made,
                "schema_definition": extraction.spec.schema,
            }
        )


class ExtractionPage(ListPage):
    extractions: list[ExtractionSummary]


class FieldMarks(Wire):
    """What people did to a field."""

    correction: CorrectionRead | None = None
    accepted: Acceptance | None = None

    @classmethod
    def of(cls, path: str, done: Sequence[Correction]) -> Self:
        """`done` is the history of corrections of this field, oldest first."""
        correction, last = last_corrections(done).get(path), last_acts(done).get(path)
        return cls(
            correction=CorrectionRead.model_validate(correction) if correction is not None else None,
            accepted=Acceptance.model_validate(last) if last is not None and last.action == "accept" else None,
        )


class FieldRead(Wire):
    path: str
    value: Any
    confidence: float = Field(
        description="The probability that the value is right. For a null: the probability that the documents do not "
        "have the field."
    )
    grounded: bool
    evidence: list[Evidence]
    checks: list[Check]
    doubts: list[Doubt] = Field(description="Why the value, or the null, may be wrong, the gravest first.")
    why: str | None
    needs_review: bool
    extraction_id: UUID
    document_id: UUID
    filename: str = Field(description="File name of the document.")
    correction: CorrectionRead | None = Field(None, description="The correction that replaces the value, if any.")
    accepted: Acceptance | None = Field(None, description="Who accepted the current value, if anyone did.")

    @classmethod
    def of(cls, row: FieldRow, done: Sequence[Correction]) -> Self:
        """`done` is the history of corrections of this field, oldest first."""
        read, marks = cls.model_validate(row), FieldMarks.of(row.path, done)
        read.correction, read.accepted = marks.correction, marks.accepted
        return read


class DocumentFields(Wire):
    schema_requested: bool = Field(
        description="False if the document is only read, or its class has no schema, and no extraction was started. "
        "Then no fields will follow."
    )
    extraction_id: UUID | None = Field(description="Null if there is no extraction.")
    schema_ref: str | None = Field(alias="schema")
    fields: list[FieldRead]


class FieldList(ListPage):
    fields: list[FieldRead]
    left: int = Field(description="Number of matching fields that still need review, on all pages.")
    documents_left: int = Field(description="Number of documents that contain them.")


class ComparedRead(Wire):
    path: str
    outcome: Outcome
    here: Any
    there: Any
    confidence_here: float | None
    confidence_there: float | None


class Comparison(Wire):
    here: UUID
    there: UUID
    same: int
    different: int
    fields: list[ComparedRead]

    @classmethod
    def of(cls, here: Extraction, there: Extraction, compared: Sequence[ComparedField]) -> Self:
        same = sum(each.outcome == "same" for each in compared)
        return cls(
            here=here.id,
            there=there.id,
            same=same,
            different=len(compared) - same,
            fields=[ComparedRead.model_validate(each) for each in compared],
        )


class LessonsRead(Wire):
    version: int
    engine: str
    engine_version: str
    examples: int
    held_back_leaves: int
    score_trained: float
    score_untrained: float
    active: bool = Field(description="Whether they are in use, because they improved results on held-out documents.")
    created_at: datetime


class LessonsPage(ListPage):
    lessons: list[LessonsRead]
