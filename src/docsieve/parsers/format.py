"""A built-in format: everything the API and the worker need to know about it, without the code that reads it.

Types are detected in processes that must not load PDFium, Pillow or lxml. A format therefore names the module that
reads its documents instead of importing it, and that module is imported when the first document is read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from docsieve.domain.packets import PageRange
from docsieve.domain.pages.page import Page
from docsieve.parsers.port import Reading, ReadOptions

if TYPE_CHECKING:
    from PIL.Image import Image


SPACE = bytes(code for code in range(128) if chr(code).isspace())


@dataclass(eq=False, slots=True)
class Format:
    """A parser whose `read` is the function of that name in the module `reader`.

    `begins` are the bytes of which one comes first in every ASCII document of this format; None if any may. Others are
    not sniffed for it: most entries of archives are plain text, which no format but the last accepts.
    """

    name: str
    version: str
    media_types: frozenset[str]
    sniff: Callable[[bytes], str | None]
    reader: str
    uses_ocr: bool = False
    begins: bytes | None = None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        reading: Reading = import_module(self.reader).read(source, options)
        return reading


@dataclass(eq=False, slots=True)
class RenderedFormat(Format):
    """A format whose `reader` also has the functions `render` and `write_part`."""

    def render(self, source: Path, page: Page, width: int, options: ReadOptions) -> "Image":
        image: Image = import_module(self.reader).render(source, page, width, options)
        return image

    def write_part(self, source: Path, pages: PageRange, target: Path, options: ReadOptions) -> None:
        import_module(self.reader).write_part(source, pages, target, options)
