"""Requests and responses about projects and their defaults."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Body, ListPage, Wire
from docsieve.domain.classes import BUILT_IN
from docsieve.domain.schedules.windows import URGENT_PRIORITY, ProcessingWindow
from docsieve.services.definitions.classes import MAX_CLASSES

KeepDays = Annotated[int, Field(ge=1, le=36_500)]
Ref = Annotated[Text, StringConstraints(min_length=1, max_length=100)]


class ProjectDefaults(Body):
    """Defaults for the project's documents. An upload or an extraction can override them."""

    schema_ref: Ref | None = Field(
        None,
        alias="schema",
        description="A schema name (`invoice`), a version of it (`invoice@3`), `auto` (by the class of the document, "
        "which is the default) or `none` (read only).",
    )
    engine: Ref | None = Field(None, description="The extraction engine, such as `local` or `llm`.")
    model: Ref | None = Field(None, description="The model that engines call, as `provider:model`.")
    fallback_engine: Ref | None = Field(
        None, description="The engine that extracts if the chosen one fails for good or its provider is down."
    )
    prompt_ref: Ref | None = Field(None, alias="prompt", description="A prompt name or a version of it, like `schema`.")
    threshold: float | None = Field(None, ge=0, le=1, description="Fields with a lower confidence need review.")
    budget_usd: float | None = Field(
        None, ge=0, le=1e9, description="Limit on provider costs per calendar month, in US dollars."
    )

    class_schemas: dict[Name, Ref | None] | None = Field(
        None,
        max_length=MAX_CLASSES + len(BUILT_IN),
        description="The schema per document class, for documents whose schema is not named. Classes that are not "
        "listed keep their schema, null removes that of a class.",
    )

    processing_window: ProcessingWindow | None = Field(
        None,
        description="Local times between which work is started. Work that is created at other times waits, unless it "
        f"names a `run_at` or has a priority of {URGENT_PRIORITY} or more.",
    )
    keep_documents_days: KeepDays | None = Field(
        None, description="Documents are deleted this many days after their upload, with everything derived from them."
    )
    keep_originals_days: KeepDays | None = Field(
        None, description="Uploaded files are deleted this many days after their upload. Pages and results stay."
    )
    keep_results_days: KeepDays | None = Field(
        None, description="Extractions are deleted this many days after they ended. Documents stay."
    )

    def changes(self) -> dict[str, Any]:
        """The fields that were sent, including those set to null."""
        sent = self.model_fields_set & ProjectDefaults.model_fields.keys()
        return {name: getattr(self, name) for name in ProjectDefaults.model_fields if name in sent}


class ProjectCreate(ProjectDefaults):
    name: Name


class ProjectUpdate(ProjectDefaults):
    """Omitted fields keep their value; null restores the server's default."""


class ProjectRead(Wire):
    id: UUID
    name: str
    created_at: datetime
    schema_ref: str | None = Field(
        alias="schema", description="Here and in the following fields, null means the server's default."
    )
    engine: str | None
    model: str | None
    fallback_engine: str | None
    prompt_ref: str | None = Field(alias="prompt")
    threshold: float | None
    budget_usd: float | None
    class_schemas: dict[str, str] = Field(
        description="The schema per document class, for documents whose schema is not named."
    )
    processing_window: ProcessingWindow | None
    keep_documents_days: int | None = Field(description="Null here and in the following fields keeps them forever.")
    keep_originals_days: int | None
    keep_results_days: int | None


class ProjectPage(ListPage):
    projects: list[ProjectRead]
