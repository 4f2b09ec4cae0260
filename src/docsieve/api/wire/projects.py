"""Projects on the wire: their names and their defaults."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, StringConstraints

from docsieve.api.text import Name, Text
from docsieve.api.wire.base import Body, ListPage, Wire

Ref = Annotated[Text, StringConstraints(min_length=1, max_length=100)]


class ProjectDefaults(Body):
    """What is done with the project's documents unless an upload or an extraction says otherwise."""

    schema_ref: Ref | None = Field(
        None, alias="schema", description="`invoice` for the current version of that name, `invoice@3` for one"
    )
    engine: Ref | None = Field(None, description="which engine extracts, such as `local` or `llm`")
    model: Ref | None = Field(None, description="which model an engine asks, as `provider:model`")
    prompt_ref: Ref | None = Field(None, alias="prompt", description="like `schema`, of a prompt")
    threshold: float | None = Field(None, ge=0, le=1, description="below this confidence a field needs review")
    budget_usd: float | None = Field(
        None, ge=0, le=1e9, description="what models may cost in a calendar month, in US dollars"
    )

    def changes(self) -> dict[str, Any]:
        """What was said, null included."""
        said = self.model_fields_set & ProjectDefaults.model_fields.keys()
        return {name: getattr(self, name) for name in ProjectDefaults.model_fields if name in said}


class ProjectCreate(ProjectDefaults):
    name: Name


class ProjectUpdate(ProjectDefaults):
    """What is left out stays; null leaves the choice to the server again."""


class ProjectRead(Wire):
    id: UUID
    name: str
    created_at: datetime
    schema_ref: str | None = Field(alias="schema", description="null in this and what follows: as the server has it")
    engine: str | None
    model: str | None
    prompt_ref: str | None = Field(alias="prompt")
    threshold: float | None
    budget_usd: float | None


class ProjectPage(ListPage):
    projects: list[ProjectRead]
