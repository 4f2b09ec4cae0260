"""Images of pages that go to a model with a question, rendered in the sandbox on demand."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from docsieve.domain.pages.pagefile import page_json_in
from docsieve.engines.llm.prepare import PageRef
from docsieve.llm.port import Image
from docsieve.parsers.port import ReadOptions
from docsieve.pipelines.page_renderer import checked_image
from docsieve.pipelines.prebuilt import Original
from docsieve.pipelines.workdir import WorkDir
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.pool import Sandbox
from docsieve.tasks.documents import SourceDocument
from docsieve.tasks.render import RenderPage

WIDTH = 1280
"""In pixels: models shrink larger images, and small print is unreadable in smaller ones."""


@dataclass(slots=True)
class PromptImages:
    """`originals` fetches the documents as they were uploaded, once and only if a page is shown at all."""

    sandbox: Sandbox
    work: WorkDir
    documents: Sequence[SourceDocument]
    originals: Callable[[], Awaitable[Sequence[Original]]]
    _fetched: Sequence[Original] | None = None
    _fetching: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def render(self, refs: Sequence[PageRef]) -> list[Image]:
        async with self._fetching:
            if self._fetched is None:
                self._fetched = await self.originals()
        return [await self._image(self._fetched[ref.document], ref) for ref in refs]

    async def _image(self, original: Original, ref: PageRef) -> Image:
        name = f"{ref.document}-{ref.page}"
        page, image = self.work.path / f"page-{name}.json", self.work.path / f"image-{name}.webp"
        if not image.exists():
            await asyncio.to_thread(_write_page, self.documents[ref.document].pages, ref.page, page)
            task = RenderPage(
                source=InputPath(original.path),
                page=InputPath(page),
                image=OutputPath(image),
                media_type=original.media_type,
                width=WIDTH,
                options=ReadOptions(password=original.password),
            )
            await self.sandbox.run(task)
        return Image("image/webp", await asyncio.to_thread(checked_image, image))


def _write_page(pages: Path, number: int, target: Path) -> None:
    target.write_bytes(page_json_in(pages, number))
