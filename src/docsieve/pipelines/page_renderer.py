"""Renders pages, and writes copies of documents, in sandboxed children, once for all callers that ask for the same."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar
from uuid import UUID

from docsieve.errors import ParserCrashed, Unavailable
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.workdir import WorkDir
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.sandbox.task import Task
from docsieve.tasks.render import RenderPage

_MAX_IMAGE_BYTES = 64 * 1024**2

_MAX_WAITING = 200

T = TypeVar("T")


class PageRenderer:
    """`workdir` creates a temporary directory for the files of one page."""

    def __init__(self, sandbox: Sandbox, workdir: Callable[[], AbstractContextManager[WorkDir]]) -> None:
        self._sandbox = sandbox
        self.workdir = workdir
        self._under_way: dict[str, asyncio.Task[bytes]] = {}
        self._turns: dict[UUID, asyncio.Lock] = {}
        self._waiting: Counter[UUID] = Counter()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for task in self._under_way.values():
            task.cancel()
        await asyncio.gather(*self._under_way.values(), return_exceptions=True)
        await self._sandbox.close()

    async def once(self, tenant_id: UUID, key: str, work: Callable[[], Awaitable[bytes]]) -> bytes:
        """The result of `work`; callers with the same key wait for the same work.

        A tenant's pages are rendered one at a time, so that other tenants wait for at most one of them. Raises
        Unavailable if too many of them wait. The work continues if its caller has gone, for the next caller.
        """
        task = self._under_way.get(key)
        if task is None:
            if self._waiting[tenant_id] >= _MAX_WAITING:
                raise Unavailable("Too many pages are waiting to be rendered; try again.")
            task = asyncio.ensure_future(self._in_turn(tenant_id, work))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    async def render(
        self, work: WorkDir, *, media_type: str, width: int, options: ReadOptions, from_source: bool
    ) -> bytes:
        """The WebP image of the page `work.page`, rendered from `work.original` or drawn from the lines of the page.

        Raises the parser's error about the document, or that the parser crashed or took too long.
        """
        task = RenderPage(
            source=InputPath(work.original) if from_source else None,
            page=InputPath(work.page),
            image=OutputPath(work.image),
            media_type=media_type,
            width=width,
            options=options,
        )
        await self._sandbox.run(task)
        return await asyncio.to_thread(checked_image, work.image)

    async def write_copy(self, task: Task[T]) -> T:
        """Run a task that writes a copy of a document. Raises as `render` does."""
        return await self._sandbox.run(task)

    async def _in_turn(self, tenant_id: UUID, work: Callable[[], Awaitable[bytes]]) -> bytes:
        self._waiting[tenant_id] += 1
        try:
            async with self._turns.setdefault(tenant_id, asyncio.Lock()):
                return await work()
        finally:
            self._waiting[tenant_id] -= 1
            if not self._waiting[tenant_id]:
                del self._waiting[tenant_id], self._turns[tenant_id]

    def _forget(self, key: str, done: "asyncio.Task[bytes]") -> None:
        del self._under_way[key]
        if not done.cancelled():
            done.exception()  # retrieved, even if no caller waits for it anymore


def checked_image(path: Path) -> bytes:
    """The image, checked before a browser gets it: a document may have taken the parser over. Raises ParserCrashed."""
    with path.open("rb") as file:
        image = file.read(_MAX_IMAGE_BYTES + 1)
    if len(image) > _MAX_IMAGE_BYTES or not is_whole(image):
        raise ParserCrashed("The parser did not create an image.")
    return image


def is_whole(image: bytes) -> bool:
    """Whether these bytes are a WebP file of the length that its header states."""
    return image[:4] == b"RIFF" and image[8:12] == b"WEBP" and len(image) == 8 + int.from_bytes(image[4:8], "little")
