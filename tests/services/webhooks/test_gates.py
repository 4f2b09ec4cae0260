import asyncio
from contextlib import AsyncExitStack

import pytest

from docsieve.services.webhooks.gates import MAX_AT_ONCE, Gates, Place, ReceiverBusy


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


async def warmed_up(gates: Gates, receiver: str) -> None:
    """A receiver that has answered quickly often enough."""
    for _ in range(50):
        async with gates.place(receiver) as place:
            place.answered(0.01)


async def test_a_receiver_that_has_not_answered_yet_gets_one_attempt_at_a_time() -> None:
    clock = Clock()
    gates = Gates(clock)
    async with gates.place("a"):
        clock.now += 4.0
        with pytest.raises(ReceiverBusy):
            async with gates.place("a"):
                pass


async def test_a_receiver_that_answers_quickly_gets_more_at_once() -> None:
    gates = Gates(Clock())
    await warmed_up(gates, "a")
    async with AsyncExitStack() as stack:
        for _ in range(MAX_AT_ONCE):
            await asyncio.wait_for(stack.enter_async_context(gates.place("a")), 0.1)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(stack.enter_async_context(gates.place("a")), 0.05)


async def test_a_failing_receiver_gets_one_attempt_at_a_time_however_fast_it_was() -> None:
    clock = Clock()
    gates = Gates(clock)
    await warmed_up(gates, "a")
    async with gates.place("a", failing=True):
        clock.now += 4.0
        with pytest.raises(ReceiverBusy):
            async with gates.place("a", failing=True):
                pass


async def test_a_hanging_receiver_takes_no_place_from_another() -> None:
    clock = Clock()
    gates = Gates(clock)
    async with gates.place("hanging"):
        clock.now += 5.0
        async with gates.place("other") as place:
            place.answered(0.01)


async def test_messages_for_a_busy_receiver_are_sent_away_for_longer_and_longer() -> None:
    clock = Clock()
    gates = Gates(clock)
    async with gates.place("a"):
        clock.now += 5.0
        delays = []
        for _ in range(3):
            with pytest.raises(ReceiverBusy) as busy:
                async with gates.place("a"):
                    pass
            delays.append(busy.value.seconds)
    assert delays == [6.0, 11.0, 16.0]


async def test_the_first_to_wait_gets_the_place_that_becomes_free() -> None:
    gates = Gates(Clock())
    order: list[str] = []

    async def send(name: str, may_end: asyncio.Event) -> None:
        async with gates.place("a") as place:
            order.append(name)
            await may_end.wait()
            place.answered(0.01)

    first, second = asyncio.Event(), asyncio.Event()
    second.set()
    tasks = [asyncio.create_task(send("first", first)), asyncio.create_task(send("second", second))]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert order == ["first"]
    first.set()
    await asyncio.gather(*tasks)
    assert order == ["first", "second"]


async def test_one_that_is_cancelled_while_it_waits_leaves_its_turn_to_the_next() -> None:
    gates = Gates(Clock())
    entered: list[Place] = []

    async def send() -> None:
        async with gates.place("a") as place:
            entered.append(place)

    async with gates.place("a"):
        waiting = [asyncio.create_task(send()) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[0].cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    assert len(entered) == 1
    async with gates.place("a"):
        pass
