"""The task that writes a redacted copy: pictures of the pages with black boxes, and the text that is left."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from docsieve.content.redaction import Finder, RedactedPage, Redaction
from docsieve.domain.pages.page import OnProgress, Progress
from docsieve.domain.pages.pagefile import page_count_in, pages_in
from docsieve.errors.content import NothingRedacted
from docsieve.parsers.port import ReadOptions
from docsieve.sandbox.paths import InputPath, OutputPath
from docsieve.sandbox.task import Task
from docsieve.tasks.render import shown_page
from docsieve.tasks.searchable import WrittenCopy

if TYPE_CHECKING:
    from PIL.Image import Image

_PIXELS_A_POINT = 200 / 72
_MARGIN = 1.5
"""In points around each box: letters may reach out of their boxes a little."""


@dataclass(frozen=True, slots=True)
class WriteRedacted(Task[WrittenCopy]):
    """Writes a PDF of pictures, so that nothing of the document is kept but what is seen on its pages.

    `source` is needed if `needs_source` says so. Raises NothingRedacted if a text, or everything that was to be
    removed, is not there.
    """

    limited_by_page: ClassVar[bool] = True

    source: InputPath | None
    pages: InputPath
    target: OutputPath
    media_type: str
    options: ReadOptions
    redaction: Redaction = field(default_factory=Redaction)

    def perform(self, report: OnProgress) -> WrittenCopy:
        from docsieve.content.pdf.file import ScannedPdf, picture_of
        from docsieve.content.pdf.text_layer import text_layer
        from docsieve.parsers.flow.canvas import page_size

        count, finder = page_count_in(self.pages), Finder(self.redaction)
        with self.target.open("wb") as file:
            pdf = ScannedPdf(file, title="")
            for page in pages_in(self.pages):
                report(Progress("redacting", page.number, count))
                redacted = finder.redacted(page)
                width, height = page_size(page)
                picture = picture_of(self._image(redacted, width))
                pdf.add(width, height, picture, text_layer(redacted.page, pdf.characters))
            pdf.close()
        if finder.unfound:
            raise NothingRedacted(f"{len(finder.unfound)} of the texts are not in the document.")
        if not finder.count:
            raise NothingRedacted
        return WrittenCopy(count)

    def _image(self, redacted: RedactedPage, points: float) -> "Image":
        from PIL import ImageDraw

        from docsieve.parsers.flow.canvas import draw_page, image_size

        page = redacted.page
        width = image_size(page, round(points * _PIXELS_A_POINT))[0]
        image = shown_page(page, width, source=self.source, media_type=self.media_type, options=self.options)
        image = image or draw_page(page, width)
        scale = image.width / points
        draw = ImageDraw.Draw(image)
        for x0, y0, x1, y1 in redacted.boxes:
            sides = (x0 - _MARGIN, y0 - _MARGIN, x1 + _MARGIN, y1 + _MARGIN)
            draw.rectangle([side * scale for side in sides], fill="black")
        return image
