"""Reads web pages, HTML and XHTML. Scripts are never run, and nothing that a page links to is fetched."""

from pathlib import Path

from lxml import etree

from docsieve.domain.pages.page import DocumentInfo
from docsieve.domain.text import clean
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.parsers.web.html_blocks import blocks_of
from docsieve.parsers.web.html_tree import parse_html

_MAX_PROPERTY = 1000
_DATES = frozenset({"date", "created", "dcterms.created", "dc.date", "article:published_time"})
_PROPERTIES = frozenset({"description", "keywords", "generator"})


def read(source: Path, options: ReadOptions) -> Reading:
    root = parse_html(source.read_bytes())
    return reading_of(blocks_of(root), options, info=_info(root))


def _info(root: etree._Element) -> DocumentInfo:
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
    return clean(text.strip())[:_MAX_PROPERTY]
