"""Limits of a provider's model that all workers share: slots, rates, and a breaker for outages.

The rules are in two SQL functions, `take_provider_slot` and `give_provider_slot_back`. Each locks the provider's row.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from docsieve.db.connection.driver import Connection
from docsieve.providers.limits import Outcome

_COLUMNS = """
name, concurrency, requests_per_minute, tokens_per_minute,
(select count(*) from provider_leases leases
 where leases.name = provider_limits.name and expires_at > clock_timestamp()) as in_use,
case when blocked_until > clock_timestamp() then blocked_until end as blocked_until,
case when open_until is null then 'closed' when open_until > clock_timestamp() then 'open' else 'half-open' end
    as breaker,
open_until
"""


@dataclass(frozen=True, slots=True)
class ProviderLimits:
    """`name` is provider:model; a rate that is null is unlimited."""

    name: str
    concurrency: int
    requests_per_minute: int | None
    tokens_per_minute: int | None
    in_use: int
    blocked_until: datetime | None
    breaker: Literal["closed", "open", "half-open"]
    open_until: datetime | None


async def take(connection: Connection, name: str, lease: UUID, *, seconds: float, tokens: int) -> float:
    """Take a slot for some seconds; returns 0, or the number of seconds after which to try again."""
    wait: float = await connection.fetchval("select take_provider_slot($1, $2, $3, $4)", name, lease, seconds, tokens)
    return wait


async def is_open(connection: Connection, name: str) -> bool:
    """Whether the breaker is open or half-open."""
    is_open: bool | None = await connection.fetchval(
        "select open_until is not null from provider_limits where name = $1", name
    )
    return bool(is_open)


async def renew(connection: Connection, lease: UUID, *, seconds: float) -> bool:
    """Extend a slot that has not expired."""
    status: str = await connection.execute(
        """
        update provider_leases set expires_at = clock_timestamp() + make_interval(secs => $2)
        where id = $1 and expires_at > clock_timestamp()
        """,
        lease,
        seconds,
    )
    return status.endswith(" 1")


async def give_back(
    connection: Connection, name: str, lease: UUID, outcome: Outcome, *, seconds: float = 0.0, more_tokens: int = 0
) -> float:
    """Free the slot. A busy provider gets no requests for `seconds`; consecutive failures open the breaker.

    Returns how many seconds a caller that failed must wait: 0 while the breaker is closed, or was opened too often.
    """
    wait: float = await connection.fetchval(
        "select give_provider_slot_back($1, $2, $3, $4, $5)", name, lease, outcome, seconds, more_tokens
    )
    return wait


async def list_all(connection: Connection) -> list[ProviderLimits]:
    rows = await connection.fetch(f"select {_COLUMNS} from provider_limits order by name")
    return [ProviderLimits(*row) for row in rows]


async def set_limits(
    connection: Connection,
    name: str,
    *,
    concurrency: int,
    requests_per_minute: int | None,
    tokens_per_minute: int | None,
) -> ProviderLimits:
    await connection.execute(
        """
        insert into provider_limits (name, concurrency, requests_per_minute, tokens_per_minute)
        values ($1, $2, $3, $4)
        on conflict (name) do update set
            concurrency = excluded.concurrency,
            requests_per_minute = excluded.requests_per_minute,
            tokens_per_minute = excluded.tokens_per_minute,
            requests_until = '-infinity', tokens_until = '-infinity'
        """,
        name,
        concurrency,
        requests_per_minute,
        tokens_per_minute,
    )
    row = await connection.fetchrow(f"select {_COLUMNS} from provider_limits where name = $1", name)
    assert row is not None
    return ProviderLimits(*row)


async def close_breaker(connection: Connection, name: str) -> bool:
    """Close the breaker and clear its history."""
    status: str = await connection.execute(
        """
        update provider_limits
        set failures = 0, opens = 0, open_until = null, probe = null, blocked_until = '-infinity'
        where name = $1
        """,
        name,
    )
    return status.endswith(" 1")
