import asyncio
from collections.abc import Sequence

import pytest

from docsieve.batched import Batched


async def test_items_that_come_during_a_call_share_the_next_one() -> None:
    calls: list[list[int]] = []
    may_end = asyncio.Event()

    async def double(items: Sequence[int]) -> list[int]:
        calls.append(list(items))
        await may_end.wait()
        return [2 * each for each in items]

    batched = Batched(double)
    first = asyncio.create_task(batched(1))
    while not calls:
        await asyncio.sleep(0)
    rest = [asyncio.create_task(batched(number)) for number in range(2, 800)]
    await asyncio.sleep(0)
    may_end.set()
    assert await asyncio.gather(first, *rest) == [2 * number for number in range(1, 800)]
    assert [len(each) for each in calls] == [1, 500, 298]


async def test_a_call_that_fails_fails_for_its_items_only() -> None:
    async def fail_on_zero(items: Sequence[int]) -> list[int]:
        return [1 // each for each in items]

    batched = Batched(fail_on_zero)
    with pytest.raises(ZeroDivisionError):
        await batched(0)
    assert await batched(1) == 1


async def test_a_caller_that_is_cancelled_leaves_the_others_their_results() -> None:
    may_end = asyncio.Event()

    async def same(items: Sequence[int]) -> list[int]:
        await may_end.wait()
        return list(items)

    batched = Batched(same)
    tasks = [asyncio.create_task(batched(number)) for number in range(3)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    await asyncio.sleep(0)
    may_end.set()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1:] == [1, 2]
