"""An XML document as events. No entity from outside is read, and none inside may swell the document.

A well-formed document streams through expat, so that memory stays flat; of one that is not, a tree is made of whatever
can be understood, and walked.
"""

import re
from collections.abc import Iterator, Mapping
from html.entities import html5
from pathlib import Path
from typing import Protocol
from xml.parsers import expat

from lxml import etree

from docsieve.errors import CorruptDocument, TooLarge
from docsieve.parsers.text.encodings import decode, known_encoding, marked_encoding, open_text
from docsieve.parsers.web.html_tree import declared_encoding

MAX_DEPTH = 256

_CHUNK = 2 * 1024**2
_HEAD = 4096
_LARGEST_TREE = 64 * 1024**2
_AMPLIFIED = 43
_NAMED_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31};)")
_PROLOGUE = re.compile(r"<\?xml\s[^>]{0,200}>|<!DOCTYPE\s[^>\[]{0,1000}(?:\[[^\]]{0,20000}\]\s*)?>")
_XML_ENTITIES = frozenset({"amp;", "lt;", "gt;", "quot;", "apos;"})


class Handler(Protocol):
    """`text` may come in pieces. Whatever was gathered is taken out between two feeds."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None: ...
    def end(self) -> None: ...
    def text(self, text: str) -> None: ...


def feed(source: Path, handler: Handler) -> Iterator[None]:
    """Tell the handler all that happens in the document, a piece with every step.

    Raises CorruptDocument where entities swell it or elements are nested too deep.
    """
    if _is_well_formed(source):
        yield from _feed_stream(source, handler)
    else:
        yield from _feed_tree(source, handler)


def _is_well_formed(source: Path) -> bool:
    parser = _parser()
    try:
        for chunk in _chunks(source):
            parser.Parse(chunk)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        if error.code == _AMPLIFIED:
            raise CorruptDocument("Entity expansion exceeds the allowed size.") from error
        return False
    return True


def _feed_stream(source: Path, handler: Handler) -> Iterator[None]:
    parser = _parser()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > MAX_DEPTH:
            raise _too_deep()
        handler.start(name, attributes)

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    # Called for entities of a DTD that is not read; web pages' names for characters are common property.
    parser.SkippedEntityHandler = lambda name, is_parameter: (
        None if is_parameter else handler.text(html5.get(f"{name};", ""))
    )
    for chunk in _chunks(source):
        parser.Parse(chunk)
        yield
    parser.Parse(b"", True)
    yield


def _parser() -> expat.XMLParserType:
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True
    return parser


def _chunks(source: Path) -> Iterator[bytes]:
    """The document in UTF-8, whatever it was in."""
    with source.open("rb") as file:
        head = file.read(_HEAD)
    declared = known_encoding(declared_encoding(head) or "utf-8")
    wide = marked_encoding(head) is not None or b"\x00" in head[:100]
    with open_text(source) if wide or declared is None else source.open(encoding=declared, errors="replace") as text:
        while chunk := text.read(_CHUNK):
            yield chunk.encode("utf-8", "replace")


def _feed_tree(source: Path, handler: Handler) -> Iterator[None]:
    if source.stat().st_size > _LARGEST_TREE:
        raise TooLarge("The document is damaged, and too large to be read all the same.")
    content = source.read_bytes()
    text = decode(content, declared_encoding(content)).replace("\x00", "")
    text = _NAMED_ENTITY.sub(_character, _PROLOGUE.sub("", text))
    parser = etree.XMLParser(encoding="utf-8", recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    # A root of ours, because what lacks one, such as a log, or has text after it would be read in part only.
    root = etree.fromstring(f"<all>{text}</all>".encode("utf-8", "replace"), parser)
    handler.text(root.text or "")
    depth = 0
    for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if element is root:
            continue
        is_element = isinstance(element.tag, str)
        if event == "start":
            depth += 1
            if depth > MAX_DEPTH:
                raise _too_deep()
            if is_element:
                handler.start(_local(element.tag), {_local(key): value for key, value in element.attrib.items()})
            handler.text(element.text or "")
            continue
        if event == "end":
            depth -= 1
            if is_element:
                handler.end()
        handler.text(element.tail or "")
        yield


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def _character(match: re.Match[str]) -> str:
    return match.group() if match.group(1) in _XML_ENTITIES else html5.get(match.group(1), match.group())


def _too_deep() -> CorruptDocument:
    return CorruptDocument(f"The document's elements are nested more than {MAX_DEPTH} deep.")
