"""Reads e-books (EPUB) in the order of their spine, every chapter on separate pages."""

from collections.abc import Iterator
from pathlib import Path

from docsieve.errors import UnsupportedType
from docsieve.parsers.flow.blocks import Block, NewPage
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.office.package import Package, open_package
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.web.epub_package import book_in, locked_parts
from docsieve.parsers.web.html_blocks import html_blocks


def read(source: Path, options: ReadOptions) -> Reading:
    with open_package(source) as package:
        book = book_in(package)
        locked = locked_parts(package)
        if any(name.lower() in locked or package.entries[name.lower()].encrypted for name in book.chapters):
            raise UnsupportedType("The e-book is protected by DRM and opens only in the reader it was sold for.")
        return reading_of(_blocks(package, book.chapters), options, info=book.info)


def _blocks(package: Package, chapters: list[str]) -> Iterator[Block]:
    for name in chapters:
        yield NewPage()
        yield from html_blocks(package.read(name))
