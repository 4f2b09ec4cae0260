"""What a tenant used in a month: documents, and spending on providers."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from uuid import UUID

from docsieve.db.access import usage
from docsieve.db.access.usage import Intake
from docsieve.db.connection.session import Session
from docsieve.db.providers import spending
from docsieve.db.providers.spending import MonthRow
from docsieve.errors import Invalid


@dataclass(slots=True)
class ModelSpending:
    provider: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_input_tokens: int
    pages: int
    cost: Decimal
    cache_hits: int
    saved: Decimal


@dataclass(slots=True)
class ProjectSpending:
    """`project` is null if it was deleted. `saved` is what cached responses had cost that were used again."""

    project: str | None
    budget: Decimal | None
    cost: Decimal = Decimal(0)
    saved: Decimal = Decimal(0)
    models: list[ModelSpending] = field(default_factory=list)


@dataclass(slots=True)
class MonthlySpending:
    """`intake` and `budget` are the tenant's; they are null for a key that is limited to a project."""

    month: str
    intake: Intake | None
    budget: Decimal | None
    cost: Decimal
    saved: Decimal
    calls: int
    cache_hits: int
    projects: list[ProjectSpending]


async def month(session: Session, wanted: str | None) -> MonthlySpending:
    """Spending in a month (`2026-11`), by default the current one, by project and model."""
    first = await spending.this_month(session) if wanted is None else _first_day(wanted)
    rows = await spending.of_month(session, first)
    whole, by_project = await spending.all_budgets(session)
    projects: dict[UUID, ProjectSpending] = {}
    for row in rows:
        spent = projects.setdefault(row.project_id, ProjectSpending(row.project, by_project.get(row.project_id)))
        spent.cost += row.cost
        spent.saved += row.saved
        spent.models.append(_of_model(row))
    return MonthlySpending(
        month=f"{first:%Y-%m}",
        intake=await usage.of_month(session, first) if session.scope.project_id is None else None,
        budget=whole,
        cost=sum((row.cost for row in rows), Decimal(0)),
        saved=sum((row.saved for row in rows), Decimal(0)),
        calls=sum(row.calls for row in rows),
        cache_hits=sum(row.cache_hits for row in rows),
        projects=list(projects.values()),
    )


def _of_model(row: MonthRow) -> ModelSpending:
    return ModelSpending(
        row.provider,
        row.calls,
        row.input_tokens,
        row.output_tokens,
        row.cached_input_tokens,
        row.pages,
        row.cost,
        row.cache_hits,
        row.saved,
    )


def _first_day(text: str) -> date:
    try:
        return date.fromisoformat(f"{text}-01")
    except ValueError as error:
        raise Invalid("Write the month as YYYY-MM, for example 2026-11.") from error
