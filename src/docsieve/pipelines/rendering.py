"""The recipe that shows a page: one page on disk becomes an image on disk, in sandboxed children of its own."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self
from uuid import UUID

from docsieve.errors import ParserCrashed, Unavailable
from docsieve.parsers.port import ReadOptions
from docsieve.sandbox.pool import Sandbox
from docsieve.sandbox.rendering import shows_pages

MAX_IMAGE_BYTES = 64 * 1024**2

_MOST_WAITING = 200


@dataclass(frozen=True, slots=True)
class Easel:
    """A directory for one page: the document where it is needed, the page's JSON, and the image that comes out."""

    directory: Path

    @property
    def original(self) -> Path:
        return self.directory / "original"

    @property
    def page(self) -> Path:
        return self.directory / "page.json"

    @property
    def image(self) -> Path:
        return self.directory / "image.webp"


class PageRenderer:
    """`directory` makes a place for the files of one page, which is gone when it is left."""

    def __init__(self, sandbox: Sandbox, directory: Callable[[], AbstractContextManager[str]]) -> None:
        self._sandbox = sandbox
        self.directory = directory
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
        """What `work` gives; whoever asks for the same key meanwhile waits for the same work.

        A tenant's work is done one by one, so that nobody else waits for more than one of its pages. Raises Unavailable
        where too much of it waits. It goes on when the one who asked has gone, for the next one who will.
        """
        task = self._under_way.get(key)
        if task is None:
            if self._waiting[tenant_id] >= _MOST_WAITING:
                raise Unavailable("Too many pages are waiting to be shown; try again.")
            task = asyncio.ensure_future(self._in_turn(tenant_id, work))
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._forget(key, done))
        return await asyncio.shield(task)

    async def render(
        self, easel: Easel, *, media_type: str, width: int, options: ReadOptions, needs_original: bool
    ) -> bytes:
        """The WebP image of the page at `easel.page`.

        Raises what the parser has against the document, or that it crashed or took too long.
        """
        arguments = {
            "source": str(easel.original) if needs_original else None,
            "page": str(easel.page),
            "output": str(easel.image),
            "media_type": media_type,
            "width": width,
            "options": options.to_json(),
        }
        await self._sandbox.run("render_page", arguments)
        return await asyncio.to_thread(checked_image, easel.image)

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
            done.exception()  # seen, even where nobody waits for it any more


def needs_original(media_type: str) -> bool:
    """Whether the document itself is needed to show its pages; other pages are drawn from what was read."""
    return shows_pages(media_type)


def checked_image(path: Path) -> bytes:
    """A parser may have been taken over by its document, so what it left is looked at before a browser gets it."""
    with path.open("rb") as file:
        image = file.read(MAX_IMAGE_BYTES + 1)
    if len(image) > MAX_IMAGE_BYTES or not is_whole(image):
        raise ParserCrashed("The parser did not give an image.")
    return image


def is_whole(image: bytes) -> bool:
    """Whether these bytes are a WebP file, as long as it says itself."""
    return image[:4] == b"RIFF" and image[8:12] == b"WEBP" and len(image) == 8 + int.from_bytes(image[4:8], "little")
