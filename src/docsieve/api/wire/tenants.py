"""Requests and responses about tenants."""

from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field, model_validator

from docsieve.api.text import Name
from docsieve.api.wire.base import Body, ListPage, Wire
from docsieve.limits import AMOUNT, OFF, RATE, parse_limits

MAX_QUOTA = 10**15

# A tenant's turn advances by 1 / weight, so a weight near zero would overflow the column.
Weight = Annotated[
    float, Field(ge=0.001, le=1000, description="Share of the worker capacity, relative to other tenants.")
]


# The patterns are for the description of the API only: `parse_limits` explains a mistake in words.
_Rate = Annotated[str, Field(examples=["100/s", "5GB/h", OFF], json_schema_extra={"pattern": RATE})]
_AtOnce = Annotated[str, Field(examples=["16", OFF], json_schema_extra={"pattern": AMOUNT})]


class TenantLimits(Body):
    """Of a tenant, and with `key_` in front of each of its keys. What is missing is as the server has it."""

    requests: _Rate | None = None
    upload_bytes: _Rate | None = None
    uploads: _AtOnce | None = None
    key_requests: _Rate | None = None
    key_upload_bytes: _Rate | None = None
    key_uploads: _AtOnce | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        parse_limits(self.model_dump(exclude_none=True))
        return self


class Quotas(Body):
    """Per month of UTC. What is null or missing has no limit."""

    documents: int | None = Field(None, ge=0, le=MAX_QUOTA)
    bytes: int | None = Field(None, ge=0, le=MAX_QUOTA, description="Size of the documents that are taken in.")
    pages: int | None = Field(None, ge=0, le=MAX_QUOTA, description="Pages that are read.")


class TenantCreate(Body):
    name: Name
    weight: Weight = 1.0


class TenantUpdate(Body):
    weight: Weight = Field(
        1.0, description="Share of the worker capacity, relative to other tenants. Unchanged if not sent."
    )
    budget_usd: float | None = Field(
        None,
        ge=0,
        le=1e9,
        description="Monthly limit on provider costs of all the tenant's projects, in US dollars. Null for no limit.",
    )
    limits: TenantLimits = Field(
        default_factory=TenantLimits,
        description="Replace the server's limits for this tenant; `off` for none. Unchanged if not sent.",
    )
    quotas: Quotas = Field(default_factory=Quotas, description="Replaces all quotas. Unchanged if not sent.")

    def changes(self) -> dict[str, Any]:
        """The fields that were sent, by the names of the columns."""
        sent = self.model_dump(exclude_unset=True)
        for name, given in (("quotas", self.quotas), ("limits", self.limits)):
            if name in sent:
                sent[name] = given.model_dump(exclude_none=True)
        return sent


class TenantRead(Wire):
    id: UUID
    name: str
    weight: float
    budget_usd: float | None
    limits: dict[str, str] = Field(description="Those that differ from the server's.")
    quotas: dict[str, int] = Field(description="Most documents, bytes and pages per month.")
    created_at: datetime
    deleted_at: datetime | None = Field(
        description="Since when the tenant is being deleted. It has no valid keys then."
    )


class TenantPage(ListPage):
    tenants: list[TenantRead]


class TenantDeletionRead(Wire):
    id: UUID
    tenant_id: UUID
    tenant_name: str
    requested_by: dict[str, Any] = Field(description="The kind of actor, and the id and name of its key.")
    requested_at: datetime
    rows: dict[str, int] | None = Field(description="Rows per table when the deletion began. Null before that.")
    objects: int = Field(description="Number of stored files deleted so far.")
    completed_at: datetime | None
    certificate: dict[str, Any] | None = Field(
        description="What was removed, when, and the end of the tenant's audit log, with a hash over all of it. Null "
        "until nothing is left."
    )


class TenantDeletionPage(ListPage):
    deletions: list[TenantDeletionRead]
