"""What was spent, on the wire. Costs are in US dollars."""

from pydantic import Field

from docsieve.api.wire.base import Wire


class ModelUsageRead(Wire):
    provider: str = Field(description="provider and model, as in openai:gpt-4o-mini")
    calls: int
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int = Field(description="of the input tokens, those that the provider had in its cache")
    pages: int = Field(description="pages that were paid for by the page")
    cost: float


class ProjectUsageRead(Wire):
    project: str | None = Field(description="null for a project that was deleted")
    budget: float | None = Field(description="null where nothing limits the project")
    cost: float
    models: list[ModelUsageRead]


class UsageRead(Wire):
    month: str
    budget: float | None = Field(description="of the whole tenant; null where nothing limits it")
    cost: float
    calls: int
    projects: list[ProjectUsageRead]
