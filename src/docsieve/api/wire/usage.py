"""Responses about provider usage. Costs are in US dollars."""

from pydantic import Field

from docsieve.api.wire.base import Wire


class ModelUsageRead(Wire):
    provider: str = Field(description="Provider and model, such as `openai:gpt-4o-mini`.")
    calls: int
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int = Field(description="Input tokens that the provider served from its cache.")
    pages: int = Field(description="Pages billed per page.")
    cost: float
    cache_hits: int = Field(description="Calls that were not made, because a cached response was used.")
    saved: float = Field(description="What those responses had cost.")


class ProjectUsageRead(Wire):
    project: str | None = Field(description="Null for a deleted project.")
    budget: float | None = Field(description="Monthly limit. Null for no limit.")
    cost: float
    saved: float
    models: list[ModelUsageRead]


class QuotaUsageRead(Wire):
    used: int
    quota: int | None = Field(description="Monthly limit. Null for no limit.")


class IntakeRead(Wire):
    """Counts everything that was added, including entries of archives and attachments, even if it was deleted since."""

    documents: QuotaUsageRead
    bytes: QuotaUsageRead
    pages: QuotaUsageRead


class UsageRead(Wire):
    month: str
    intake: IntakeRead | None = Field(description="Of the whole tenant. Null for a key restricted to a project.")
    budget: float | None = Field(description="Monthly limit of the whole tenant. Null for no limit.")
    cost: float
    saved: float = Field(description="What the response cache saved, at the price of the first response.")
    calls: int
    cache_hits: int
    projects: list[ProjectUsageRead]
