"""The response cache: a response that was paid for is stored at once and never paid for again."""

from dataclasses import dataclass
from typing import Protocol
from uuid import UUID


@dataclass(frozen=True, slots=True)
class CachedResponse:
    body: bytes
    cost: float


class ResponseCache(Protocol):
    """The responses that one extraction or job of one tenant may use."""

    async def find(self, key: bytes) -> CachedResponse | None: ...

    async def count_hit(self, provider: str, saved: float) -> None:
        """Count a call that was not made, and what the cached response had cost."""
        ...

    def claim(self, key: bytes) -> UUID:
        """Equal for all callers that would use the same cached response."""
        ...
