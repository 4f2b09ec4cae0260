"""Warm sandboxed children, handed out one document at a time."""

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from docsieve.errors import AttemptError, Unavailable
from docsieve.logs import get_logger
from docsieve.sandbox.limits import Limits
from docsieve.sandbox.process import Child, ChildWasGone, OnProgress

T = TypeVar("T")

log = get_logger()

_FRESH_CHILDREN = 3


class Sandbox:
    """At most `children` processes, started when first needed; those who wait are served in their order.

    Its event loop must run in a thread that lives as long as the process, such as the main one: the kernel ties the
    children's lives to the thread that started them. Children's own folders are made in `folder`; on the file system
    that documents come from, they need not be copied.
    """

    def __init__(self, limits: Limits, *, children: int, folder: Path | None = None) -> None:
        self._limits = limits
        self._most = children
        self._folder = folder
        self._slots = asyncio.Semaphore(children)
        self._idle: list[Child] = []
        self._living: set[Child] = set()
        self._background: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._warned = False
        self._ocr: str | None = None
        self._not_to_preload: set[str] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def run(
        self, task: str, arguments: dict[str, Any], *, on_progress: OnProgress | None = None
    ) -> dict[str, Any]:
        """Run a task in a child of its own and return its result.

        Raises the task's own DocsieveError, or ParserCrashed, ParserTimeout, OutOfMemory, OutputTooLarge. Cancelling
        kills the child. A child that died while it was idle is replaced without a word.
        """
        async with self._slots:
            for _ in range(_FRESH_CHILDREN):
                child = await self._take()
                try:
                    return await child.perform(task, arguments, on_progress)
                except ChildWasGone:
                    continue
                except AttemptError as error:
                    if self._closed:
                        raise Unavailable("The sandbox was closed.") from error
                    raise
                finally:
                    self._put_back(child)
        raise Unavailable("Sandboxed processes keep dying before they begin.")

    async def close(self) -> None:
        """Kill every child, busy ones as well, and wait until they are gone."""
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
            # Shielded: a start that was cut off half-way would leave a process that nobody knows.
            child = await asyncio.shield(starting)
        except asyncio.CancelledError:
            starting.add_done_callback(self._keep_for_later)
            raise
        self._living.add(child)
        if self._closed:
            # closed while it started: `close` could not know it yet
            self._discard(child)
            raise Unavailable("The sandbox was closed.")
        self._warn_once(child)
        return child

    async def _start(self) -> Child:
        """With the OCR models that a document had to load, so that those after it need not."""
        if (ocr := self._ocr) is not None:
            try:
                return await Child.start(self._limits, self._folder, ocr)
            except Unavailable:
                log.warning("ocr_models_not_preloaded", models=ocr)
                self._not_to_preload.add(ocr)
                self._ocr = None
        return await Child.start(self._limits, self._folder, None)

    def _keep_for_later(self, starting: "asyncio.Task[Child]") -> None:
        if not starting.cancelled() and starting.exception() is None:
            child = starting.result()
            self._living.add(child)
            self._put_back(child)

    def _put_back(self, child: Child) -> None:
        if child.loaded not in (None, child.ocr, *self._not_to_preload):
            # Its successor has them from the start, and not those that this one has.
            self._ocr = child.loaded
            self._discard(child)
        elif child.usable and not self._closed and len(self._living) <= self._most:
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
