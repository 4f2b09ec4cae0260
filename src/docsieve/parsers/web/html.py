"""Web pages, HTML and XHTML. Scripts stay inert, and nothing that a page points to is fetched."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from docsieve.domain.pages import DocumentInfo
from docsieve.domain.text import clean
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.text.encodings import head_text
from docsieve.parsers.web.html_tree import parse_html
from docsieve.parsers.web.markdown_signs import looks_like_markdown

if TYPE_CHECKING:
    from lxml.etree import _Element

_PROLOGUE = re.compile(r"\s*(?:(?:<\?[^>]*\?>|<!--.*?-->)\s*)*", re.DOTALL)
_PAGE = re.compile(r"<(?:!doctype\s+(?:\w+:)?html\b|(?:\w+:)?html(?=[\s>]))", re.IGNORECASE)
_PART = re.compile(
    r"<(?:head|body|title|meta|link|base|style|script|div|span|table|p|h[1-6]|ul|ol|center|font|section|article|header|footer|"
    r"main|nav|form|br|hr|img|pre|blockquote|b|i|a|strong|em)(?=[\s>/])",
    re.IGNORECASE,
)
_HEAD_PART = re.compile(r"<(?:head|title|meta|link|base|style|script)(?=[\s>/])", re.IGNORECASE)
_PAGE_AFTER_ALL = re.compile(r"<(?:html|body)(?=[\s>])", re.IGNORECASE)
_LONGEST_PROPERTY = 1000
_DATES = frozenset({"date", "created", "dcterms.created", "dc.date", "article:published_time"})
_PROPERTIES = frozenset({"description", "keywords", "generator"})


class HtmlParser:
    name = "html"
    version = "1"
    uses_ocr = False
    media_types = frozenset({"text/html", "application/xhtml+xml"})

    def sniff(self, head: bytes) -> str | None:
        text = head_text(head)
        if text is None or "<" not in text:
            return None
        start = _PROLOGUE.match(text)
        at = start.end() if start else 0
        if _PAGE.match(text, at):
            return "application/xhtml+xml" if text.lstrip().startswith("<?xml") else "text/html"
        if not text.startswith("<", at):
            return None
        if text.lstrip().startswith("<?xml"):
            # XML, unless it is a page that lost its first element.
            return "text/html" if _HEAD_PART.match(text, at) and _PAGE_AFTER_ALL.search(text) else None
        # Anything else that begins with an element of HTML is a piece of a page, unless Markdown does so.
        if _PART.match(text, at):
            return None if looks_like_markdown(text) else "text/html"
        return "text/html" if _PAGE_AFTER_ALL.search(text) and "<xsl:" not in text else None

    def read(self, source: Path, options: ReadOptions) -> Reading:
        from docsieve.parsers.web.html_blocks import blocks_of

        root = parse_html(source.read_bytes())
        return reading_of(blocks_of(root), options, info=_info(root))


def _info(root: "_Element") -> DocumentInfo:
    info = DocumentInfo()
    for element in root.iter("{*}title"):
        info.title = _property(" ".join("".join(element.itertext()).split())) or None
        break
    for element in root.iter("{*}meta"):
        name = (element.get("name") or element.get("property") or "").lower()
        content = _property(element.get("content") or "")
        if not content:
            continue
        if name == "author":
            info.author = info.author or content
        elif name in _DATES:
            info.created = info.created or content
        elif name in _PROPERTIES:
            info.properties.setdefault(name, content)
    return info


def _property(text: str) -> str:
    return clean(text.strip())[:_LONGEST_PROPERTY]
