"""Buckets and counters in shared memory, without processes: each `SharedBuckets` maps the memory for itself."""

from collections.abc import Iterator

import pytest

from docsieve.api.limits.buckets import SharedBuckets, new_memory
from docsieve.limits import Rate

TEN_A_SECOND = Rate(10, 1.0)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def buckets(clock: Clock) -> Iterator[SharedBuckets]:
    opened = SharedBuckets(clock=clock)
    yield opened
    opened.close()


def test_a_bucket_gives_its_amount_at_once_and_then_at_its_rate(buckets: SharedBuckets, clock: Clock) -> None:
    assert [buckets.take("a", 1, TEN_A_SECOND) for _ in range(10)] == [0.0] * 10
    assert buckets.take("a", 1, TEN_A_SECOND) == pytest.approx(0.1)
    clock.now += 0.25
    assert [buckets.take("a", 1, TEN_A_SECOND) == 0.0 for _ in range(3)] == [True, True, False]


def test_buckets_of_different_names_are_separate(buckets: SharedBuckets) -> None:
    assert buckets.take("a", 10, TEN_A_SECOND) == 0.0
    assert buckets.take("b", 10, TEN_A_SECOND) == 0.0


def test_a_forced_amount_leaves_a_debt_that_is_waited_for(buckets: SharedBuckets, clock: Clock) -> None:
    assert buckets.take("a", 30, TEN_A_SECOND, force=True) == 0.0
    assert buckets.take("a", 0, TEN_A_SECOND) == pytest.approx(2.0)
    clock.now += 2.0
    assert buckets.take("a", 0, TEN_A_SECOND) == 0.0


def test_a_hundred_thousand_names_do_not_use_up_the_memory(buckets: SharedBuckets, clock: Clock) -> None:
    for number in range(100_000):
        clock.now += 0.001
        assert buckets.take(f"tenant {number}", 1, TEN_A_SECOND) == 0.0
    assert buckets.take("another", 10, TEN_A_SECOND) == 0.0
    assert buckets.take("another", 1, TEN_A_SECOND) > 0.0


def test_two_processes_share_buckets_and_counts(clock: Clock) -> None:
    memory = new_memory()
    first, second = (SharedBuckets(memory, process=each, processes=2, clock=clock) for each in range(2))
    assert first.take("a", 6, TEN_A_SECOND) == 0.0
    assert second.take("a", 6, TEN_A_SECOND) > 0.0
    assert first.enter("uploads", 2) and second.enter("uploads", 2)
    assert not first.enter("uploads", 2)
    second.leave("uploads")
    assert first.enter("uploads", 2)


def test_what_a_dead_process_had_counted_is_forgotten_when_it_is_started_again(clock: Clock) -> None:
    memory = new_memory()
    first, second = (SharedBuckets(memory, process=each, processes=2, clock=clock) for each in range(2))
    assert first.enter("uploads", 2) and second.enter("uploads", 2)
    SharedBuckets(memory, process=1, processes=2, clock=clock)
    assert first.enter("uploads", 2) and not first.enter("uploads", 2)
