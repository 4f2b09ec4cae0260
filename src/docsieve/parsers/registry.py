"""Which parsers there are: installed packages' first, so that they can replace ours, then the built-in ones."""

from functools import cache
from importlib.metadata import entry_points

from docsieve.errors import UnsupportedType
from docsieve.parsers.azure.parser import AzureAnalysisParser
from docsieve.parsers.data.csv import CsvParser
from docsieve.parsers.data.json import JsonParser
from docsieve.parsers.image.parser import ImageParser
from docsieve.parsers.mail.eml import EmlParser
from docsieve.parsers.mail.mbox import MboxParser
from docsieve.parsers.office.legacy.parser import OleParser
from docsieve.parsers.office.odf.parser import OdfParser
from docsieve.parsers.office.ooxml.parser import OoxmlParser
from docsieve.parsers.pdf.parser import PdfParser
from docsieve.parsers.port import Parser
from docsieve.parsers.signed import SignedParser
from docsieve.parsers.text.parser import TextParser
from docsieve.parsers.text.rtf import RtfParser
from docsieve.parsers.web.epub import EpubParser
from docsieve.parsers.web.html import HtmlParser
from docsieve.parsers.web.markdown import MarkdownParser
from docsieve.parsers.web.xml import XmlParser

ENTRY_POINT_GROUP = "docsieve.parsers"

# Those that know their documents by a mark at the beginning come first, then those that look at the text, the surest
# first. The header of a PDF may follow junk, so PDF comes after all that are sure: a picture, a mail or a page that
# holds one in its first kilobyte is still what it begins as. Plain text comes last: much that has a parser of its own
# also looks like text.
BUILT_IN: tuple[Parser, ...] = (
    ImageParser(),
    OoxmlParser(),
    OdfParser(),
    EpubParser(),
    OleParser(),
    SignedParser(),
    RtfParser(),
    MboxParser(),
    EmlParser(),
    HtmlParser(),
    XmlParser(),
    PdfParser(),
    JsonParser(),
    CsvParser(),
    MarkdownParser(),
    TextParser(),
)

# What providers answered about documents; nobody uploads these.
ANSWERS: tuple[Parser, ...] = (AzureAnalysisParser(),)


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
    for parser in (*parsers(), *ANSWERS):
        if media_type in parser.media_types:
            return parser
    raise UnsupportedType(f"No parser reads {media_type}.")
