"""Legal holds."""

from datetime import datetime
from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, StringConstraints, model_validator

from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Body, ListPage, Wire
from docsieve.services.retention.holds import HeldObject


class HoldCreate(Body):
    """What to hold: a document with what was found in it, a batch with its documents and results, or a project."""

    document_id: UUID | None = None
    batch_id: UUID | None = None
    project: Name | None = None
    reason: Annotated[Text, StringConstraints(min_length=1)] = Field(
        description="Such as the number of a case. It is kept in the audit log."
    )

    @model_validator(mode="after")
    def _one_object(self) -> Self:
        if sum(each is not None for each in (self.document_id, self.batch_id, self.project)) != 1:
            raise ValueError("send exactly one of document_id, batch_id and project")
        return self

    def held(self) -> HeldObject:
        return HeldObject(self.document_id, self.batch_id, self.project)


class HoldRead(Wire):
    """A hold on a document, a batch, or else the whole project."""

    id: UUID
    project: str
    document_id: UUID | None
    batch_id: UUID | None
    reason: str
    placed_by: str | None = Field(description="The id of the API key.")
    placed_by_name: str | None
    placed_at: datetime


class HoldPage(ListPage):
    holds: list[HoldRead]
