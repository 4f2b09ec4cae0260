"""The parser interface: bytes in, pages out.

A built-in parser is a `Format` listed in `registry.py`. An installed package adds one with an entry point of group
`docsieve.parsers` that names a class taking no arguments. `read` and `render` run in a sandboxed child process, `sniff`
in the API's process: the module that defines a parser must not import heavy libraries.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Protocol, runtime_checkable

from pydantic import Field

from docsieve.domain.packets import PageRange
from docsieve.domain.pages.page import DocumentInfo, Page

if TYPE_CHECKING:
    from PIL.Image import Image

HEAD_BYTES = 8 * 1024

MAX_ATTACHMENTS = 1_000
"""The attachments of one document that are listed and read; a parser reports the rest in `DocumentInfo.left_out`."""


def _ignore() -> None:
    pass


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """`ocr_engine` and `ocr_languages` (ISO 639-2, such as `eng`) apply to pages without a usable text layer.

    `ocr_backend` runs the models of an engine that has several. `before_ocr` is called for each page that goes to the
    OCR engine, in the process that reads; it is not part of the options as JSON.
    """

    password: str | None = None
    max_pages: int = 5000
    max_pixels: int = 200_000_000
    ocr_engine: str = "rapidocr"
    ocr_languages: tuple[str, ...] = ("eng",)
    ocr_backend: str | None = None
    before_ocr: Annotated[Callable[[], None], Field(exclude=True)] = field(default=_ignore, compare=False, repr=False)


@dataclass(slots=True)
class Attachment:
    name: str
    content: bytes
    media_type: str | None = None


@dataclass(slots=True)
class Reading:
    """An opened document; `pages` is lazy and yields exactly `page_count` pages, numbered from 1.

    `attachments` is lazy too. It is consumed at most once, after the pages. `media_type` is set if the content shows a
    more specific type than the sniffed one.
    """

    page_count: int
    pages: Iterator[Page]
    info: DocumentInfo = field(default_factory=DocumentInfo)
    attachments: Iterator[Attachment] = field(default_factory=lambda: iter(()))
    media_type: str | None = None


class Parser(Protocol):
    """`version` covers everything that shapes the pages, because stored pages are looked up by name and version.

    `uses_ocr` says whether the OCR options shape them too.
    """

    name: str
    version: str
    media_types: frozenset[str]
    uses_ocr: bool

    def sniff(self, head: bytes, /) -> str | None:
        """Return the media type that the first 8 KiB of a document show, if this parser reads it.

        Cheap; never raises.
        """
        ...

    def read(self, source: Path, options: ReadOptions) -> Reading:
        """Open a document.

        Raises CorruptDocument, EmptyDocument, PasswordRequired, PasswordWrong, TooManyPages, TooManyPixels,
        TooLarge or UnsupportedType. A page that cannot be read is yielded with its `error` set; reading continues.
        """
        ...


@runtime_checkable
class Renderer(Protocol):
    """A parser that can also render a page. Pages of other parsers are drawn from their lines."""

    def render(self, source: Path, page: Page, width: int, options: ReadOptions) -> "Image":
        """Return an image of the page, `width` pixels wide, upright as its boxes are."""
        ...


@runtime_checkable
class Slicer(Protocol):
    """A parser that can also write some pages of a document as a document of the same type."""

    def write_part(self, source: Path, pages: PageRange, target: Path, options: ReadOptions) -> None:
        """Write the pages to `target`, without the password of the source. Raises CorruptDocument."""
        ...
