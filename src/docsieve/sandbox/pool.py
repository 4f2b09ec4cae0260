"""Warm sandboxed children, each running one task at a time."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from docsieve.domain.pages.page import OnProgress
from docsieve.errors import AttemptError, Unavailable
from docsieve.logs import get_logger
from docsieve.sandbox.failures import error_of_task
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.process import Child, ChildWasGone
from docsieve.sandbox.task import Task, TaskModule

T = TypeVar("T")

log = get_logger()

_FRESH_CHILDREN = 3


class Sandbox:
    """Runs the tasks of a module in at most `children` processes, started when first needed; callers wait in order.

    Its event loop must run in a thread that lives as long as the process, such as the main one: the kernel ties the
    children's lives to the thread that started them. Children's folders are created in `folder`; inputs on the same
    file system need not be copied.
    """

    def __init__(self, limits: Limits, *, tasks: TaskModule, children: int, folder: Path | None = None) -> None:
        self._tasks = tasks
        self._limits = limits
        self._max_children = children
        self._folder = folder
        self._slots = asyncio.Semaphore(children)
        self._idle: list[Child] = []
        self._living: set[Child] = set()
        self._background: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._warned = False
        self._models: str | None = None
        self._not_to_preload: set[str] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def run(self, task: Task[T], *, on_progress: OnProgress | None = None) -> T:
        """Run a task in a new process and return its result.

        Raises the task's own DocsieveError, its `crash` or `timeout`, OutOfMemory or OutputTooLarge. Cancelling
        kills the child. A child that died while it was idle is replaced silently.
        """
        trouble = ""
        async with self._slots:
            for _ in range(_FRESH_CHILDREN):
                child = await self._take()
                try:
                    return await child.perform(task, on_progress)
                except ChildWasGone as error:
                    trouble = str(error)
                except AttemptError as error:
                    if self._closed:
                        raise Unavailable("The sandbox was closed.") from error
                    raise error_of_task(task, error) from error.__cause__
                finally:
                    self._put_back(child)
        raise Unavailable(f"Sandboxed processes keep dying before they start{trouble}.")

    async def close(self) -> None:
        """Kill every child, including busy ones, and wait until they are gone."""
        self._closed = True
        for child in list(self._living):
            self._discard(child)
        self._idle.clear()
        while self._background:
            await asyncio.gather(*self._background, return_exceptions=True)

    async def _take(self) -> Child:
        while self._idle:
            child = self._idle.pop()
            if child.usable:
                return child
            self._discard(child)
        if self._closed:
            raise Unavailable("The sandbox is closed.")
        starting = self._in_background(self._start())
        try:
            # Shielded: a start that is interrupted would leave an unknown process behind.
            child = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._keep_for_later)
            raise
        self._living.add(child)
        if self._closed:
            # closed while it started: `close` did not know it yet
            self._discard(child)
            raise Unavailable("The sandbox was closed.")
        self._warn_once(child)
        return child

    async def _start(self) -> Child:
        """With the models that a task had to load, so that later tasks need not."""
        if (models := self._models) is not None:
            try:
                return await Child.start(self._tasks, self._limits, self._folder, models)
            except Unavailable:
                log.warning("models_not_preloaded", models=models)
                self._not_to_preload.add(models)
                self._models = None
        return await Child.start(self._tasks, self._limits, self._folder, None)

    def _keep_for_later(self, starting: "asyncio.Task[Child]") -> None:
        if not starting.cancelled() and starting.exception() is None:
            child = starting.result()
            self._living.add(child)
            self._put_back(child)

    def _put_back(self, child: Child) -> None:
        if child.loaded not in (None, child.models, *self._not_to_preload):
            # Its successor starts with these models instead of those that this child started with.
            self._models = child.loaded
            self._discard(child)
        elif child.usable and not self._closed and len(self._living) <= self._max_children:
            self._idle.append(child)
        else:
            self._discard(child)

    def _discard(self, child: Child) -> None:
        if child in self._living:
            self._living.remove(child)
            child.kill()
            self._in_background(child.clear_away())

    def _in_background(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        task = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    def _warn_once(self, child: Child) -> None:
        if child.missing and not self._warned:
            self._warned = True
            log.warning("sandbox_not_isolated", missing=child.missing)
