"""How much a child loads ahead, before a task needs it, and what it says about what it could not load."""

import os
import time
from collections.abc import Callable, Iterator
from traceback import walk_tb

_WARM = object()
_MAX_ERROR = 500
_FRAMES = 3


def spent_by_children() -> float:
    """The processor seconds of all children that ended."""
    times = os.times()
    return times.children_user + times.children_system


class Warming:
    """Loads what later tasks may need, and takes no more processor time for it than the tasks have taken so far.

    A child may end after one small task, for which loading everything would take several times as long as the task.
    What fails is reported, and nothing more is loaded ahead: a task loads what it needs, and then fails itself.
    """

    def __init__(
        self,
        steps: Iterator[None],
        spent_by_tasks: Callable[[], float] = spent_by_children,
        *,
        failed: Callable[[Exception], None],
    ) -> None:
        self._steps = steps
        self._spent_by_tasks = spent_by_tasks
        self._failed = failed
        self._seconds = 0.0

    @property
    def pays(self) -> bool:
        return self._seconds <= self._spent_by_tasks()

    def step(self) -> bool:
        """Load a little; false once there is nothing left to load."""
        begun = time.process_time()
        try:
            left = next(self._steps, _WARM) is not _WARM
        except Exception as error:  # noqa: BLE001  installed code may raise anything
            self._failed(error)
            left = False
        self._seconds += time.process_time() - begun
        return left


def described(step: str, error: Exception) -> dict[str, str]:
    """A step that failed, by what, and in which functions, the innermost last."""
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    called = [f"{frame.f_globals.get('__name__')}.{frame.f_code.co_name}" for frame in frames]
    places = [place for place in called if not place.startswith("importlib.")]
    return {
        "step": step,
        "kind": type(error).__name__,
        "detail": str(error)[:_MAX_ERROR],
        "places": " > ".join(places[-_FRAMES:])[:_MAX_ERROR],
    }
