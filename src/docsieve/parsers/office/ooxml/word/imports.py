"""Content that Word imports when it opens a document: web pages, rich text, plain text, other documents."""

from collections.abc import Iterator
from email import message_from_bytes
from io import BytesIO, StringIO

from docsieve.errors import CorruptDocument, UnsupportedType
from docsieve.parsers.flow.blocks import Block, NewPage
from docsieve.parsers.mail.formats import EML
from docsieve.parsers.mail.parts import body_blocks, contents_of
from docsieve.parsers.office.ooxml.opc import main_part_of
from docsieve.parsers.office.ooxml.types import FAMILIES
from docsieve.parsers.office.package import Package
from docsieve.parsers.office.zip_head import LOCAL_SIGNATURE
from docsieve.parsers.port import HEAD_BYTES
from docsieve.parsers.text.encodings import decode
from docsieve.parsers.text.formats import RTF
from docsieve.parsers.text.plain import text_blocks
from docsieve.parsers.text.rtf_text import blocks_of_rtf
from docsieve.parsers.web.html_blocks import html_blocks


def imported_document(content: bytes) -> tuple[Package, str] | None:
    """Return the package and main part of an imported Word document, or None."""
    if not content.startswith(LOCAL_SIGNATURE):
        return None
    try:
        package = Package(BytesIO(content))
        name, media_type = main_part_of(package)
    except (CorruptDocument, UnsupportedType):
        return None
    return (package, name) if FAMILIES[media_type] == "word" else None


def imported_text(content: bytes) -> Iterator[Block]:
    return (block for block in _blocks(content) if not isinstance(block, NewPage))


def _blocks(content: bytes) -> Iterator[Block]:
    head = content[:HEAD_BYTES]
    if head.startswith(LOCAL_SIGNATURE):
        return
    if RTF.sniff(head):
        yield from blocks_of_rtf(content)
    elif EML.sniff(head):
        yield from _saved_page(content)
    elif b"<" in head:
        yield from html_blocks(content)
    else:
        yield from text_blocks(StringIO(decode(content)))


def _saved_page(content: bytes) -> list[Block]:
    try:
        return [block for part in contents_of(message_from_bytes(content)).bodies for block in body_blocks(part)]
    except RecursionError:
        # Endlessly nested parts have no real content.
        return []
