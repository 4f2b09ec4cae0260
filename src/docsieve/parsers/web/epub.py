"""E-books in EPUB: a ZIP container of web pages, read in the order of its spine, every chapter on pages of its own."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from docsieve.errors import UnsupportedType
from docsieve.parsers.flow.blocks import Block, NewPage
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.office.zip_head import entries_in
from docsieve.parsers.port import Reading, ReadOptions

if TYPE_CHECKING:
    from docsieve.parsers.office.package import Package

_TYPE = "application/epub+zip"


class EpubParser:
    name = "epub"
    version = "1"
    uses_ocr = False
    media_types = frozenset({_TYPE})

    def sniff(self, head: bytes) -> str | None:
        contained = False
        for entry in entries_in(head):
            if entry.name == "mimetype":
                return _TYPE if entry.content.strip().startswith(_TYPE.encode()) else None
            contained = contained or entry.name == "META-INF/container.xml"
            contained = contained or (entry.name.endswith((".opf", "toc.ncx")) and entry.name.count("/") <= 1)
        return _TYPE if contained else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        from docsieve.parsers.office.package import open_package
        from docsieve.parsers.web.epub_package import book_in, locked_parts

        with open_package(source) as package:
            book = book_in(package)
            locked = locked_parts(package)
            if any(name.lower() in locked or package.entries[name.lower()].encrypted for name in book.chapters):
                raise UnsupportedType("The e-book is locked: only the reader it was sold for can open it.")
            return reading_of(_blocks(package, book.chapters), options, info=book.info)


def _blocks(package: "Package", chapters: list[str]) -> Iterator[Block]:
    from docsieve.parsers.web.html_blocks import html_blocks

    for name in chapters:
        yield NewPage()
        yield from html_blocks(package.read(name))
