"""Provider usage of the caller's tenant, or of the project its key is restricted to."""

from typing import Annotated

from fastapi import Query

from docsieve.api.access import Reader, Session
from docsieve.api.problems import COMMON
from docsieve.api.routing import Router
from docsieve.api.wire.usage import UsageRead
from docsieve.services.providers import spending
from docsieve.services.providers.spending import MonthlySpending

router = Router(prefix="/usage", tags=["admin"], responses=COMMON)

Month = Annotated[
    str, Query(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$", description="A month in UTC. Defaults to the current month.")
]


@router.get("", response_model=UsageRead)
async def get_usage(caller: Reader, session: Session, month: Month | None = None) -> MonthlySpending:
    """Get documents taken in next to their quotas, and calls, tokens and costs of a month by project and model."""
    return await spending.month(session, month)
