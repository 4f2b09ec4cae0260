"""One call for everything that came while the last call was under way."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_LARGEST = 500


class Batched(Generic[T, R]):
    """Each caller gets the result of the item it passed. There is no timer: a lone item is passed on at once."""

    def __init__(self, run: Callable[[Sequence[T]], Awaitable[Sequence[R]]]) -> None:
        self._run = run
        self._gathering: list[T] | None = None
        self._last: asyncio.Task[Sequence[R]] | None = None

    async def __call__(self, item: T) -> R:
        if self._last is None or self._gathering is None or len(self._gathering) >= _LARGEST:
            self._gathering = []
            self._last = asyncio.create_task(self._run_after(self._last, self._gathering))
        place, batch = len(self._gathering), self._last
        self._gathering.append(item)
        # a caller that is cancelled leaves the others their results
        return (await asyncio.shield(batch))[place]

    async def _run_after(self, before: "asyncio.Task[Sequence[R]] | None", items: list[T]) -> Sequence[R]:
        if before is not None:
            await asyncio.wait([before])
        if self._gathering is items:
            self._gathering = None
        return await self._run(items)
