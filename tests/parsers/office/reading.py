"""Reads a sample as the service would: found by its head, then read whole."""

from pathlib import Path

from docsieve.domain.pages.page import Page
from docsieve.parsers.office.legacy.format import OLE
from docsieve.parsers.office.odf.format import ODF
from docsieve.parsers.office.ooxml.format import OOXML
from docsieve.parsers.port import HEAD_BYTES, Parser, Reading, ReadOptions

OFFICE_PARSERS: tuple[Parser, ...] = (OOXML, ODF, OLE)


def sniffed(source: Path) -> str | None:
    head = source.read_bytes()[:HEAD_BYTES]
    return next((found for parser in OFFICE_PARSERS if (found := parser.sniff(head))), None)


def reading_of(source: Path, *, password: str | None = None, max_pages: int = 5000) -> Reading:
    head = source.read_bytes()[:HEAD_BYTES]
    parser = next(parser for parser in OFFICE_PARSERS if parser.sniff(head))
    return parser.read(source, ReadOptions(password=password, max_pages=max_pages))


def pages_of(source: Path, *, password: str | None = None) -> list[Page]:
    return list(reading_of(source, password=password).pages)


def lines_of(source: Path, *, password: str | None = None) -> list[str]:
    return [line.text for page in pages_of(source, password=password) for line in page.lines]


def text_of(source: Path, *, password: str | None = None) -> str:
    return "\n".join(lines_of(source, password=password))
