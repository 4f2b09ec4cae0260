"""Web pages, XML, e-books and Markdown."""

import re

from docsieve.parsers.format import SPACE, Format
from docsieve.parsers.office.zip_head import entries_in
from docsieve.parsers.text.encodings import head_text
from docsieve.parsers.web.markdown_signs import looks_like_markdown

_EPUB_TYPE = "application/epub+zip"

_PROLOGUE = re.compile(r"\s*(?:(?:<\?[^>]*\?>|<!--.*?-->)\s*)*", re.DOTALL)
_PAGE = re.compile(r"<(?:!doctype\s+(?:\w+:)?html\b|(?:\w+:)?html(?=[\s>]))", re.IGNORECASE)
_PART = re.compile(
    r"<(?:head|body|title|meta|link|base|style|script|div|span|table|p|h[1-6]|ul|ol|center|font|section|article|header|footer|"
    r"main|nav|form|br|hr|img|pre|blockquote|b|i|a|strong|em)(?=[\s>/])",
    re.IGNORECASE,
)
_HEAD_PART = re.compile(r"<(?:head|title|meta|link|base|style|script)(?=[\s>/])", re.IGNORECASE)
_PAGE_AFTER_ALL = re.compile(r"<(?:html|body)(?=[\s>])", re.IGNORECASE)

_DECLARATION = re.compile(r"\s*<\?xml[\s?]")
_DOCTYPE = re.compile(r"<!DOCTYPE\s+[A-Za-z_]")
_ROOT = re.compile(
    r"<([A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?)((?:\s+[\w.:-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'))*)\s*(/?)>"
)
_NEXT = re.compile(r"[^<]*<[/!?A-Za-z_]")


def _sniff_html(head: bytes) -> str | None:
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
    # Anything else that begins with an HTML element is a fragment of a page, unless it is Markdown.
    if _PART.match(text, at):
        return None if looks_like_markdown(text) else "text/html"
    return "text/html" if _PAGE_AFTER_ALL.search(text) and "<xsl:" not in text else None


def _sniff_xml(head: bytes) -> str | None:
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


def _sniff_epub(head: bytes) -> str | None:
    contained = False
    for entry in entries_in(head):
        if entry.name == "mimetype":
            return _EPUB_TYPE if entry.content.strip().startswith(_EPUB_TYPE.encode()) else None
        contained = contained or entry.name == "META-INF/container.xml"
        contained = contained or (entry.name.endswith((".opf", "toc.ncx")) and entry.name.count("/") <= 1)
    return _EPUB_TYPE if contained else None


def _sniff_markdown(head: bytes) -> str | None:
    text = head_text(head)
    return "text/markdown" if text is not None and looks_like_markdown(text) else None


HTML = Format(
    name="html",
    version="1",
    media_types=frozenset({"text/html", "application/xhtml+xml"}),
    sniff=_sniff_html,
    reader="docsieve.parsers.web.html",
    begins=SPACE + b"<",
)

XML = Format(
    name="xml",
    version="1",
    media_types=frozenset({"application/xml", "text/xml"}),
    sniff=_sniff_xml,
    reader="docsieve.parsers.web.xml",
    begins=SPACE + b"<",
)

EPUB = Format(
    name="epub",
    version="1",
    media_types=frozenset({_EPUB_TYPE}),
    sniff=_sniff_epub,
    reader="docsieve.parsers.web.epub",
    begins=b"P",
)

MARKDOWN = Format(
    name="markdown",
    version="1",
    media_types=frozenset({"text/markdown"}),
    sniff=_sniff_markdown,
    reader="docsieve.parsers.web.markdown",
)
