"""The parsers: those of installed packages first, so that they can replace ours, then the built-in formats."""

from functools import cache
from importlib.metadata import entry_points

from docsieve.archives import types
from docsieve.errors import UnsupportedType
from docsieve.parsers.azure.format import AZURE_ANALYSIS
from docsieve.parsers.data.formats import CSV, JSON
from docsieve.parsers.format import Format
from docsieve.parsers.image.format import IMAGE
from docsieve.parsers.mail.formats import EML, MBOX
from docsieve.parsers.office.legacy.format import OLE
from docsieve.parsers.office.odf.format import ODF
from docsieve.parsers.office.ooxml.format import OOXML
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import Parser
from docsieve.parsers.signed.format import SIGNED
from docsieve.parsers.text.formats import RTF, TEXT
from docsieve.parsers.web.formats import EPUB, HTML, MARKDOWN, XML

ENTRY_POINT_GROUP = "docsieve.parsers"

# Formats with a signature in their first bytes come first, then those detected from their text, the most certain first.
# The header of a PDF may follow junk, so PDF comes after every certain format: an image, a mail or a web page with a
# PDF header in its first kilobyte is still an image, a mail or a web page. Plain text comes last, because many other
# formats look like text too.
BUILT_IN: tuple[Format, ...] = (
    IMAGE, OOXML, ODF, EPUB, OLE, SIGNED, RTF, MBOX, EML, HTML, XML, PDF, JSON, CSV, MARKDOWN, TEXT,
)  # fmt: skip

ANSWERS: tuple[Format, ...] = (AZURE_ANALYSIS,)
"""Answers of remote providers. They are never uploaded, so they are never detected."""

_ESCAPE = 0x1B  # begins Japanese text in seven bits


@cache
def parsers() -> tuple[Parser, ...]:
    installed = sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda entry: entry.name)
    return (*(entry.load()() for entry in installed), *BUILT_IN)


def detect(head: bytes) -> str | None:
    """Return the media type of a document or an archive from its first 8 KiB, or None if it is neither.

    A ZIP that a parser recognizes is an office document or a book.
    """
    archive = types.detect(head)
    return archive if archive not in (None, types.ZIP) else _sniff(head) or archive


def _sniff(head: bytes) -> str | None:
    for parser in _candidates(head):
        media_type = parser.sniff(head)
        if media_type is not None:
            return media_type
    return None


def _candidates(head: bytes) -> tuple[Parser, ...]:
    """The parsers that may recognize a document, from its first byte if that is also its first character."""
    if not head or head[0] == _ESCAPE or b"\x00" in head or not head.isascii():
        return parsers()
    return _by_first_byte()[head[0]]


@cache
def _by_first_byte() -> list[tuple[Parser, ...]]:
    return [
        tuple(each for each in parsers() if not isinstance(each, Format) or each.begins is None or code in each.begins)
        for code in range(128)
    ]


def parser_for(media_type: str) -> Parser:
    for parser in (*parsers(), *ANSWERS):
        if media_type in parser.media_types:
            return parser
    raise UnsupportedType(f"Documents of type {media_type} are not supported.")
