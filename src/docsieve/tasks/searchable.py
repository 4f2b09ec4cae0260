"""The task that writes a searchable PDF: what was scanned, with the text that OCR read over it, invisible."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from docsieve.domain.pages.page import OnProgress, Page, Progress
from docsieve.domain.pages.pagefile import PageIndex, pages_in, whole_index
from docsieve.errors import UnsupportedType
from docsieve.errors.content import DocumentNotScanned
from docsieve.parsers.image.format import IMAGE
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions
from docsieve.parsers.registry import parser_for
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.task import Task

if TYPE_CHECKING:
    from docsieve.content.pdf.file import Picture

_NOTICE_WIDTH = 960
_SAME_SHAPE = 0.02
_ORIENTATION = 274


def can_be_searchable(media_type: str) -> bool:
    try:
        return parser_for(media_type) in (PDF, IMAGE)
    except UnsupportedType:
        return False


@dataclass(frozen=True, slots=True)
class WrittenCopy:
    page_count: int


@dataclass(frozen=True, slots=True)
class WriteSearchable(Task[WrittenCopy]):
    """Writes `target` from a PDF or image and its page file.

    Of a PDF, pages that were read by OCR get text, and everything else is kept. Images become PDF/A-2b; an
    upright JPEG is embedded unchanged.
    """

    limited_by_page: ClassVar[bool] = True

    source: InputPath
    pages: InputPath
    target: OutputPath
    media_type: str
    options: ReadOptions

    def perform(self, report: OnProgress) -> WrittenCopy:
        parser = parser_for(self.media_type)
        if parser is PDF:
            from docsieve.content.pdf.overlay import add_text

            read = (page for page in self._reported(report) if page.origin == "ocr" and page.lines)
            add_text(self.source, self.target, read, password=self.options.password)
        elif parser is IMAGE:
            self._write_images(report)
        else:
            raise DocumentNotScanned
        return WrittenCopy(self._index().page_count)

    def _write_images(self, report: OnProgress) -> None:
        from docsieve.content.pdf.file import ScannedPdf
        from docsieve.content.pdf.text_layer import text_layer
        from docsieve.parsers.flow.canvas import page_size

        with self.target.open("wb") as file:
            pdf = ScannedPdf(file, title=self._index().info.title or "")
            for page in self._reported(report):
                width, height = page_size(page)
                pdf.add(width, height, self._picture(page), text_layer(page, pdf.characters))
            pdf.close()

    def _picture(self, page: Page) -> "Picture":
        from docsieve.content.pdf.file import jpeg_picture, picture_of
        from docsieve.parsers.flow.canvas import draw_page
        from docsieve.parsers.image.pages import upright_image

        if page.error is not None:
            return picture_of(draw_page(page, _NOTICE_WIDTH))
        image = upright_image(self.source, page, self.options)
        if self.media_type == "image/jpeg" and page.turned == 0 and _is_plain_jpeg(self.source, page):
            return jpeg_picture(image, self.source.read_bytes())
        return picture_of(image)

    def _reported(self, report: OnProgress) -> Iterator[Page]:
        count = self._index().page_count
        for page in pages_in(self.pages):
            report(Progress("writing", page.number, count))
            yield page

    def _index(self) -> PageIndex:
        return whole_index(self.pages.read_bytes())


def _is_plain_jpeg(source: Path, page: Page) -> bool:
    """Whether a viewer shows the file as we do: upright, with square pixels and in gray or RGB."""
    from PIL import Image

    with Image.open(source, formats=("JPEG",)) as image:
        shape = image.width / image.height * page.height / max(page.width, 1.0)
        upright = image.getexif().get(_ORIENTATION, 1) == 1
        return upright and image.mode in ("L", "RGB") and abs(shape - 1) < _SAME_SHAPE
