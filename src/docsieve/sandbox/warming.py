"""How much a child loads ahead, before a task needs it."""

import os
import time
from collections.abc import Callable, Iterator

_WARM = object()


def spent_by_children() -> float:
    """The processor seconds of all children that ended."""
    times = os.times()
    return times.children_user + times.children_system


class Warming:
    """Loads what later tasks may need, and takes no more processor time for it than the tasks have taken so far.

    A child may end after one small task, for which loading everything would take several times as long as the task.
    """

    def __init__(self, steps: Iterator[None], spent_by_tasks: Callable[[], float] = spent_by_children) -> None:
        self._steps = steps
        self._spent_by_tasks = spent_by_tasks
        self._seconds = 0.0

    @property
    def pays(self) -> bool:
        return self._seconds <= self._spent_by_tasks()

    def step(self) -> bool:
        """Load a little; false once there is nothing left to load."""
        begun = time.process_time()
        left = next(self._steps, _WARM) is not _WARM
        self._seconds += time.process_time() - begun
        return left
