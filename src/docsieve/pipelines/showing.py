"""Pages as images that go to a model with a question, made in the sandbox when they are asked for."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docsieve.domain.pagefile import stored_page, whole_index
from docsieve.engines.llm.prepare import PageRef
from docsieve.llm.port import Image
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.bench import Bench, SourceDocument
from docsieve.pipelines.prebuilt import Original
from docsieve.pipelines.rendering import checked_image

WIDTH = 1280
"""Pixels; models shrink what is much larger, and small print is lost in what is much smaller."""


@dataclass(slots=True)
class PageImages:
    """`originals` fetches the documents as they came; that is done once, and only if a page is shown at all."""

    bench: Bench
    documents: Sequence[SourceDocument]
    originals: Callable[[], Awaitable[Sequence[Original]]]
    _fetched: Sequence[Original] | None = None
    _fetching: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def show(self, refs: Sequence[PageRef]) -> list[Image]:
        async with self._fetching:
            if self._fetched is None:
                self._fetched = await self.originals()
        return [await self._image(self._fetched[ref.document], ref) for ref in refs]

    async def _image(self, original: Original, ref: PageRef) -> Image:
        name = f"{ref.document}-{ref.page}"
        page, image = self.bench.folder / f"page-{name}.json", self.bench.folder / f"image-{name}.webp"
        if not image.exists():
            await asyncio.to_thread(_write_page, self.documents[ref.document].pages, ref.page, page)
            arguments = {
                "source": str(original.path),
                "page": str(page),
                "output": str(image),
                "media_type": original.media_type,
                "width": WIDTH,
                "options": ReadOptions(password=original.password).to_json(),
            }
            await self.bench.sandbox.run("render_page", arguments)
        return Image("image/webp", await asyncio.to_thread(checked_image, image))


def _write_page(pages: Path, number: int, target: Path) -> None:
    data = pages.read_bytes()
    target.write_bytes(stored_page(data, whole_index(data), number))
