"""The task that renders a page as an image: by the document's parser if that can, otherwise drawn from its lines."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docsieve.domain.pages.page import OnProgress, Page, Progress
from docsieve.domain.pages.pagefile import decode_page
from docsieve.errors import DocumentError, UnsupportedType
from docsieve.parsers.port import Parser, ReadOptions, Renderer
from docsieve.parsers.registry import parser_for
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.task import Task

if TYPE_CHECKING:
    from PIL.Image import Image

_LOSSY: dict[str, Any] = {"quality": 80, "method": 1}
_LOSSLESS: dict[str, Any] = {"lossless": True, "quality": 20, "method": 1}
_SHARP_FROM = 640


@dataclass(frozen=True, slots=True)
class RenderedPage:
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class RenderPage(Task[RenderedPage]):
    """Writes a WebP image of a page.

    `page` is the page's JSON. `source` is the document, needed only if `needs_source` says so; `options` are those it
    was read with. The image is `width` pixels wide, or less if it would be too tall.
    """

    source: InputPath | None
    page: InputPath
    image: OutputPath
    media_type: str
    width: int
    options: ReadOptions

    def perform(self, report: OnProgress) -> RenderedPage:
        from docsieve.parsers.flow.canvas import draw_page, image_size

        page = decode_page(self.page.read_bytes())
        report(Progress("rendering", page.number))
        width = image_size(page, self.width)[0]
        shown = shown_page(page, width, source=self.source, media_type=self.media_type, options=self.options)
        image = shown or draw_page(page, self.width)
        # A drawn page has few colors: unless its letters blur anyway, lossless is smaller and sharper.
        compression = _LOSSLESS if shown is None and image.width >= _SHARP_FROM else _LOSSY
        image.save(self.image, "WEBP", **compression)
        return RenderedPage(image.width, image.height)


def shown_page(page: Page, width: int, *, source: Path | None, media_type: str, options: ReadOptions) -> "Image | None":
    """The page as its parser renders it; None for a page that has to be drawn from its lines."""
    parser = _parser(media_type)
    if page.origin == "layout" or not isinstance(parser, Renderer) or source is None:
        return None
    try:
        image = parser.render(source, page, width, options)
    except DocumentError:
        # The notice of a page that could not be read says so already; for any other page this is an error.
        if page.error is None:
            raise
        return None
    return image if image.mode == "RGB" else image.convert("RGB")


def needs_source(media_type: str) -> bool:
    """Whether pages are rendered from the document itself; other pages are drawn from their lines."""
    return isinstance(_parser(media_type), Renderer)


def _parser(media_type: str) -> Parser | None:
    try:
        return parser_for(media_type)
    except UnsupportedType:
        return None
