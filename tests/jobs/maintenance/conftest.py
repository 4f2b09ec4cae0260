"""The application and its tenant, as the tests of the API have them, and a way to let time pass."""

from collections.abc import Awaitable, Callable

import pytest

from tests.api.conftest import acme, api, client
from tests.api.running import Running

__all__ = ["acme", "api", "client", "pass_time"]

Pass = Callable[[str], Awaitable[None]]

_TIMES = {
    "batches": ("created_at", "updated_at", "completed_at"),
    "documents": ("created_at", "updated_at"),
    "extractions": ("created_at", "completed_at"),
    "idempotency_keys": ("created_at",),
    "sessions": ("created_at", "seen_at", "expires_at"),
    "sign_in_links": ("expires_at",),
    "cached_responses": ("created_at",),
    "spending": ("created_at",),
}


@pytest.fixture
def pass_time(api: Running) -> Pass:
    """Move everything that exists into the past."""

    async def move(interval: str) -> None:
        async with api.resources.database.system() as connection:
            for table, columns in _TIMES.items():
                moved = ", ".join(f"{column} = {column} - interval '{interval}'" for column in columns)
                await connection.execute(f"update {table} set {moved}")

    return move
