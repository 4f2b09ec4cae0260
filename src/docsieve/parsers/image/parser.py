"""Images: scans, photos, screenshots, faxes. Their text is read by OCR."""

from pathlib import Path
from typing import TYPE_CHECKING

from docsieve.domain.pages import Page
from docsieve.parsers.image.types import TYPES, type_of
from docsieve.parsers.port import Reading, ReadOptions

if TYPE_CHECKING:
    from PIL.Image import Image


class ImageParser:
    name = "image"
    version = "1"
    uses_ocr = True
    media_types = frozenset(known.media_type for known in TYPES)

    def sniff(self, head: bytes) -> str | None:
        found = type_of(head)
        return found.media_type if found else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        # Pillow and the decoders are loaded only where documents are read.
        from docsieve.parsers.image.pages import read_pages

        return read_pages(source, options)

    def render(self, source: Path, page: Page, width: int, options: ReadOptions) -> "Image":
        from docsieve.parsers.image.pages import render_page

        return render_page(source, page, width, options)
