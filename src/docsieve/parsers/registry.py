"""Which parsers there are: installed packages' first, so that they can replace ours, then the built-in ones."""

from functools import cache
from importlib.metadata import entry_points

from docsieve.errors import UnsupportedType
from docsieve.parsers.pdf import PdfParser
from docsieve.parsers.port import Parser
from docsieve.parsers.text import TextParser

ENTRY_POINT_GROUP = "docsieve.parsers"

# Plain text comes last: much that has a parser of its own also looks like text.
BUILT_IN: tuple[Parser, ...] = (PdfParser(), TextParser())


@cache
def parsers() -> tuple[Parser, ...]:
    installed = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: entry.name)
    return (*(entry.load()() for entry in installed), *BUILT_IN)


def detect(head: bytes) -> str | None:
    """The media type of a document by its first 8 KiB, or None if no parser knows it."""
    for parser in parsers():
        media_type = parser.sniff(head)
        if media_type is not None:
            return media_type
    return None


def parser_for(media_type: str) -> Parser:
    for parser in parsers():
        if media_type in parser.media_types:
            return parser
    raise UnsupportedType(f"No parser reads {media_type}.")
