"""Batches: their states, how documents are grouped, and the groups that result."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from docsieve.domain.packets import Split

MAX_DOCUMENTS = 100_000
MAX_GROUP_DOCUMENTS = 500
MAX_EXPLICIT_GROUPS = 10_000

PRIORITY_OFFSET = 1_000
"""Jobs of batches run at their batch's priority minus this, so below every upload and request of a single document."""

GroupMode = Literal["document", "all", "folder", "pattern", "class", "explicit"]
GroupName = Annotated[str, StringConstraints(min_length=1, max_length=255, pattern=r"^[^\u0000]*$")]


class BatchStatus(StrEnum):
    pending_configuration = "pending_configuration"
    running = "running"
    completed = "completed"
    cancelled = "cancelled"


class ExplicitGroup(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: GroupName | None = Field(None, description="Defaults to the name of its first document.")
    documents: tuple[UUID, ...] = Field(
        min_length=1, max_length=MAX_GROUP_DOCUMENTS, description="Document IDs, in reading order."
    )


class GroupBy(BaseModel):
    """How the documents of a batch are grouped into extractions."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: GroupMode = Field(
        "document",
        description="`document`: one extraction per document. `all`: one over all documents. `folder`: one per folder "
        "inside the archives. `pattern`: one per text that `pattern` finds in the file names. `class`: one per "
        "document class. `explicit`: as listed in `groups`.",
    )
    pattern: Annotated[str, StringConstraints(min_length=1, max_length=1000)] | None = Field(
        None, description="A regular expression (RE2 syntax) with a group named `group`: `^(?P<group>[A-Z]+-[0-9]+)`."
    )
    groups: tuple[ExplicitGroup, ...] | None = Field(None, max_length=MAX_EXPLICIT_GROUPS)

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if (self.mode == "pattern") != (self.pattern is not None):
            raise ValueError("pattern: required with mode `pattern`, and only there")
        if (self.mode == "explicit") != (self.groups is not None):
            raise ValueError("groups: required with mode `explicit`, and only there")
        listed = [each for group in self.groups or () for each in group.documents]
        if len(set(listed)) != len(listed):
            raise ValueError("groups: a document is listed twice")
        return self


@dataclass(frozen=True, slots=True)
class Member:
    """A document of a batch.

    `path` is its name inside its parent. `attachments` and `split` are options that it was uploaded with. `is_part`
    tells the parts of a packet from other children.
    """

    id: UUID
    filename: str
    status: str
    media_type: str | None
    parent_id: UUID | None = None
    path: str | None = None
    depth: int = 0
    document_class: str | None = None
    attachments: bool | None = None
    split: Split | None = None
    is_part: bool = False


@dataclass(frozen=True, slots=True)
class GroupProblem:
    code: Literal["no_match", "not_listed", "unreadable", "too_many_documents"]
    message: str
    document_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Documents that one extraction is made of, in reading order. Names are unique in a batch."""

    name: str
    documents: Sequence[Member]
    problems: list[GroupProblem] = field(default_factory=list)


FieldType = Literal["string", "number", "integer", "boolean", "date", "list"]


class FieldDefinition(BaseModel):
    """One field to extract, for those who do not want to write a JSON Schema."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    title: Annotated[str, StringConstraints(max_length=200)] | None = None
    type: FieldType = Field("string", description="`list` is a list of texts.")
    description: Annotated[str, StringConstraints(max_length=1000)] | None = Field(
        None, description="What the field means. Engines use it to find the value."
    )
    required: bool = False
