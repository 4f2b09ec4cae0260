"""Requests and responses about tenants."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field

from docsieve.api.text import Name
from docsieve.api.wire.base import Body, ListPage, Wire

# A tenant's turn advances by 1 / weight, so a weight near zero would overflow the column.
Weight = Annotated[
    float, Field(ge=0.001, le=1000, description="Share of the worker capacity, relative to other tenants.")
]


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


class TenantRead(Wire):
    id: UUID
    name: str
    weight: float
    budget_usd: float | None
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
