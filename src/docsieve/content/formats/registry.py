"""The formats of content, by name and by media type."""

from typing import Literal

from docsieve.content.formats.csv import CsvWriter
from docsieve.content.formats.html import HtmlWriter
from docsieve.content.formats.json import JsonWriter
from docsieve.content.formats.markdown import MarkdownWriter
from docsieve.content.formats.port import Writer
from docsieve.content.formats.text import TextWriter

FormatName = Literal["markdown", "html", "json", "text", "csv"]

MEDIA_TYPES: dict[FormatName, str] = {
    "markdown": "text/markdown",
    "html": "text/html",
    "json": "application/json",
    "text": "text/plain",
    "csv": "text/csv",
}
EXTENSIONS: dict[FormatName, str] = {"markdown": "md", "html": "html", "json": "json", "text": "txt", "csv": "csv"}


def writer_for(name: FormatName, *, table: int = 1) -> Writer:
    """`table` is for CSV only, which holds a single table."""
    match name:
        case "markdown":
            return MarkdownWriter()
        case "html":
            return HtmlWriter()
        case "json":
            return JsonWriter()
        case "text":
            return TextWriter()
        case "csv":
            return CsvWriter(table)
