"""Page images for reports, rendered in the sandbox."""

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from docsieve.domain.pages.page import Page
from docsieve.domain.pages.pagefile import decode_page, page_json_in
from docsieve.errors import DocsieveError
from docsieve.evaluation.runs import DocumentRun
from docsieve.offline.page_cache import ReadFile
from docsieve.offline.session import OfflineSession
from docsieve.pipelines.page_renderer import PageRenderer
from docsieve.pipelines.workdir import WorkDir, temporary_workdir
from docsieve.tasks.render import needs_source

_WIDTH = 720
_MAX_PAGES = 3


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page with its WebP image, or without one if it could not be rendered."""

    page: Page
    webp: bytes | None


async def page_images(session: OfflineSession, read: ReadFile, document: DocumentRun) -> list[PageImage]:
    """The first pages with evidence, or the first page if there is none."""
    proofs = [proof for leaf in document.leaves for proof in leaf.evidence if proof.document_id == str(read.path)]
    numbers = sorted({proof.page for proof in proofs}) or [1]
    numbers = [number for number in numbers if number <= read.about.page_count][:_MAX_PAGES]
    renderer = PageRenderer(session.sandbox, partial(temporary_workdir, session.folder))
    return list(await asyncio.gather(*(_image(renderer, session, read, number) for number in numbers)))


async def _image(renderer: PageRenderer, session: OfflineSession, read: ReadFile, number: int) -> PageImage:
    with renderer.workdir() as work:
        page = await asyncio.to_thread(_lay_out, work, read, number)
        try:
            webp = await renderer.render(
                work,
                media_type=read.about.media_type,
                width=_WIDTH,
                options=session.options,
                from_source=needs_source(read.about.media_type),
            )
        except DocsieveError:
            return PageImage(page, None)
        return PageImage(page, webp)


def _lay_out(work: WorkDir, read: ReadFile, number: int) -> Page:
    page = page_json_in(read.pages, number)
    work.page.write_bytes(page)
    if needs_source(read.about.media_type):
        shutil.copyfile(read.path, work.original)
    return decode_page(page)


def worst_first(documents: Sequence[DocumentRun]) -> list[DocumentRun]:
    """Documents with the most errors come first."""
    return sorted(documents, key=lambda each: -sum(leaf.outcome != "right" for leaf in each.leaves))
