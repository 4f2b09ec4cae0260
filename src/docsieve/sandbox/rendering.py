"""The task that shows a page: by the document's own parser where that can, else drawn from the page's lines."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from docsieve.domain.pagefile import decode_page
from docsieve.domain.pages import Page, Progress
from docsieve.errors import DocumentError, UnsupportedType
from docsieve.parsers.port import Parser, ReadOptions, Renderer
from docsieve.parsers.registry import parser_for
from docsieve.sandbox.port import Report

if TYPE_CHECKING:
    from PIL.Image import Image

_LOSSY: dict[str, Any] = {"quality": 80, "method": 1}
_LOSSLESS: dict[str, Any] = {"lossless": True, "quality": 20, "method": 1}
_SHARP_FROM = 640


def shows_pages(media_type: str) -> bool:
    """Whether the document itself is needed to show its pages."""
    return isinstance(_parser(media_type), Renderer)


def render_page(arguments: dict[str, Any], report: Report) -> dict[str, Any]:
    """Write a WebP image of a page to `output`.

    `page` is the path of the page's JSON. `source` is that of the document, of type `media_type`, and needed only where
    `shows_pages` says so; `options` are those it was read with. The image is `width` pixels wide, or less where it
    would be too tall.
    """
    page = decode_page(Path(arguments["page"]).read_bytes())
    report(Progress("rendering", page.number))
    shown = _shown(page, arguments)
    image = shown or _drawn(page, arguments["width"])
    # What is drawn has few colours: unless its letters blur anyway, it is smaller and sharper without loss.
    compression = _LOSSLESS if shown is None and image.width >= _SHARP_FROM else _LOSSY
    image.save(arguments["output"], "WEBP", **compression)
    return {"width": image.width, "height": image.height}


def _shown(page: Page, arguments: dict[str, Any]) -> "Image | None":
    from docsieve.parsers.flow.drawing import image_size

    parser = _parser(arguments["media_type"])
    if page.origin == "layout" or not isinstance(parser, Renderer):
        return None
    options = ReadOptions.from_json(arguments["options"])
    try:
        image = parser.render(Path(arguments["source"]), page, image_size(page, arguments["width"])[0], options)
    except DocumentError:
        # A page that could not be read is told by its own notice; of any other this is news.
        if page.error is None:
            raise
        return None
    return image if image.mode == "RGB" else image.convert("RGB")


def _drawn(page: Page, width: int) -> "Image":
    from docsieve.parsers.flow.drawing import draw_page

    return draw_page(page, width)


def _parser(media_type: str) -> Parser | None:
    try:
        return parser_for(media_type)
    except UnsupportedType:
        return None
