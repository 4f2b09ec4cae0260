"""Parses web pages. Only the given bytes are read: nothing that a page links to is ever fetched."""

import re
from html.entities import html5

from lxml import etree

from docsieve.errors import CorruptDocument
from docsieve.parsers.text.encodings import decode

_CHARSET = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]+)""")
_NAMED_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31};)")
_XML_ENTITIES = frozenset({"amp;", "lt;", "gt;", "quot;", "apos;"})
_DECLARED_WITHIN = 4096


def parse_html(content: bytes | str, charset: str | None = None) -> etree._Element:
    """Return the root of a page; an empty one if the page is empty.

    `charset` is what a protocol said, and goes before what the page says of itself. A well-formed XHTML page is read
    as such, because its self-closed elements would swallow what follows; any other is read as browsers read it.
    Raises CorruptDocument if elements are nested thousands deep.
    """
    text = content if isinstance(content, str) else decode(content, charset or declared_encoding(content))
    text = text.replace("\x00", "")
    if text.lstrip()[:5] == "<?xml":
        strict = etree.XMLParser(encoding="utf-8", resolve_entities=False, no_network=True, huge_tree=True)
        try:
            return etree.fromstring(_without_named_entities(text).encode("utf-8", "replace"), strict)
        except etree.XMLSyntaxError:
            pass
    lenient = etree.HTMLParser(encoding="utf-8", no_network=True, huge_tree=True, recover=True)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), lenient)
    except etree.XMLSyntaxError:
        # Raised for a page with nothing but blanks and comments.
        root = None
    if any(error.type == etree.ErrorTypes.ERR_RESOURCE_LIMIT for error in lenient.error_log):
        raise CorruptDocument("The web page is nested too deeply.")
    return root if root is not None else etree.Element("html")


def declared_encoding(content: bytes) -> str | None:
    found = _XML_ENCODING.match(content) or _CHARSET.search(content[:_DECLARED_WITHIN])
    name = found.group(1).decode("ascii", "replace") if found else None
    # A page that could state this in one-byte characters is not in UTF-16.
    return "utf-8" if name and name.lower().startswith("utf-16") else name


def _without_named_entities(text: str) -> str:
    """Replace named entities other than XML's five, which would vanish because no DTD is loaded."""
    return _NAMED_ENTITY.sub(
        lambda match: match.group() if match.group(1) in _XML_ENTITIES else html5.get(match.group(1), ""), text
    )
