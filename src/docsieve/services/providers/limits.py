"""The limits of providers, stored in rows that all workers share."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import asyncpg
from pydantic import BaseModel, ConfigDict, Field

from docsieve.db.connection.session import Database
from docsieve.db.providers import limits
from docsieve.domain.ids import new_id
from docsieve.errors import DatabaseUnavailable
from docsieve.errors.providers import AskedAlready
from docsieve.logs import get_logger
from docsieve.providers.limits import LEASE_SECONDS, Outcome

log = get_logger()


class LimitsBody(BaseModel):
    """The limits that an operator can set."""

    name: str = Field(pattern=r"^[a-z0-9_-]+:[^\s]{1,150}$")
    concurrency: int = Field(ge=1, le=10_000)
    requests_per_minute: int | None = Field(None, ge=1, le=10_000_000)
    tokens_per_minute: int | None = Field(None, ge=1, le=10_000_000_000)


class LimitsRead(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    name: str
    concurrency: int
    requests_per_minute: int | None
    tokens_per_minute: int | None
    in_use: int
    blocked_until: datetime | None
    breaker: str
    open_until: datetime | None


@dataclass(frozen=True, slots=True)
class SharedLimits:
    """`Limits` of all providers for all workers of one database.

    A slot that cannot be renewed or given back during a database outage expires.
    """

    database: Database
    lease_seconds: float = LEASE_SECONDS

    async def take(self, provider: str, *, tokens: int, claim: UUID | None = None) -> UUID | float:
        slot = claim or new_id()
        try:
            async with self.database.system() as connection:
                wait = await limits.take(connection, provider, slot, seconds=self.lease_seconds, tokens=tokens)
        except asyncpg.UniqueViolationError as error:  # the claim is the slot's id, so only one exists at a time
            raise AskedAlready from error
        return wait if wait > 0 else slot

    async def is_down(self, provider: str) -> bool:
        async with self.database.system() as connection:
            return await limits.is_open(connection, provider)

    async def renew(self, slot: UUID) -> None:
        try:
            async with self.database.system() as connection:
                await limits.renew(connection, slot, seconds=self.lease_seconds)
        except DatabaseUnavailable as error:
            log.warning("provider_slot_not_renewed", error=error.reason)

    async def give_back(
        self, provider: str, slot: UUID, outcome: Outcome, *, seconds: float = 0.0, more_tokens: int = 0
    ) -> float:
        try:
            async with self.database.system() as connection:
                return await limits.give_back(
                    connection, provider, slot, outcome, seconds=seconds, more_tokens=more_tokens
                )
        except DatabaseUnavailable as error:
            log.warning("provider_slot_not_given_back", provider=provider, error=error.reason)
            return 0.0
