"""A child loads ahead only as much as its tasks have earned."""

import time
from collections.abc import Iterator

from docsieve.sandbox.warming import Warming


def _steps() -> Iterator[None]:
    for _ in range(2):
        end = time.process_time() + 0.01
        while time.process_time() < end:
            pass
        yield


def test_loading_ahead_takes_no_more_processor_time_than_the_tasks_have_taken() -> None:
    earned = 0.0
    warming = Warming(_steps(), lambda: earned)

    assert warming.pays
    assert warming.step()
    assert not warming.pays
    earned = 60.0
    assert warming.pays
    assert warming.step()
    assert not warming.step()
