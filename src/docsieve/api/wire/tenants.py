"""The shapes of tenants."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from docsieve.api.text import Name
from docsieve.api.wire.base import Body, ListPage, Wire

# Turns grow by 1 / weight; a weight near zero would leave the range of the column.
Weight = Annotated[float, Field(ge=0.001, le=1000, description="share of the workers relative to other tenants")]


class TenantCreate(Body):
    name: Name
    weight: Weight = 1.0


class TenantUpdate(Body):
    weight: Weight = Field(1.0, description="share of the workers; left as it is where not sent")
    budget_usd: float | None = Field(
        None, ge=0, le=1e9, description="what providers may cost all its projects in a month; null for no limit"
    )


class TenantRead(Wire):
    id: UUID
    name: str
    weight: float
    budget_usd: float | None
    created_at: datetime


class TenantPage(ListPage):
    tenants: list[TenantRead]
