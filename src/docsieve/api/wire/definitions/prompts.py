"""Requests and responses about prompts."""

from datetime import datetime
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StringConstraints

from docsieve.api.text import Name, Text, storable
from docsieve.api.wire.base import Body, ListPage, Wire
from docsieve.api.wire.definitions.versions import MakeCurrent
from docsieve.db.definitions.versions import Version
from docsieve.domain.prompts import MAX_TEMPLATE_LENGTH

Template = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TEMPLATE_LENGTH), AfterValidator(storable)]


class PromptCreate(Body):
    name: Name
    template: Template = Field(description="Text with placeholders in double braces.")
    note: Text | None = None
    make_current: MakeCurrent = True


class PromptRead(Wire):
    name: str
    version: int
    current: bool
    template: str
    note: str | None
    created_at: datetime
    created_by: str | None

    @classmethod
    def of(cls, row: Version) -> Self:
        return cls(
            name=row.name,
            version=row.version,
            current=row.current,
            template=row.content,
            note=row.note,
            created_at=row.created_at,
            created_by=row.created_by,
        )


class PromptPage(ListPage):
    prompts: list[PromptRead]


class PromptVersionPage(ListPage):
    versions: list[PromptRead]
