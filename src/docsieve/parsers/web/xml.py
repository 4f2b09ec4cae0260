"""XML of any vocabulary. Entities from outside stay unread, and nothing is fetched."""

import re
from pathlib import Path

from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import head_text

_PROLOGUE = re.compile(r"\s*(?:(?:<\?[^>]*\?>|<!--.*?-->)\s*)*", re.DOTALL)
_DECLARATION = re.compile(r"\s*<\?xml[\s?]")
_DOCTYPE = re.compile(r"<!DOCTYPE\s+[A-Za-z_]")
_ROOT = re.compile(
    r"<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:\s+[\w.:-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s*(/?)>"
)
_NEXT = re.compile(r"[^<]*<[/!?A-Za-z_]")


class XmlParser:
    name = "xml"
    version = "1"
    uses_ocr = False
    media_types = frozenset({"application/xml", "text/xml"})

    def sniff(self, head: bytes) -> str | None:
        text = head_text(head)
        if text is None or "<" not in text:
            return None
        if _DECLARATION.match(text):
            return "application/xml"
        prologue = _PROLOGUE.match(text)
        at = prologue.end() if prologue else 0
        if _DOCTYPE.match(text, at):
            return "application/xml"
        root = _ROOT.match(text, at)
        if root is None:
            return None
        closed = bool(root.group(3)) and not text[root.end() :].strip()
        return "application/xml" if closed or _NEXT.match(text, root.end()) else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        from docsieve.parsers.web.xml_blocks import xml_blocks

        return reading_of(xml_blocks(source), options)
