"""Parses XML into events. External entities are not read, and entity expansion is limited.

A well-formed document streams through expat, so that memory stays flat. From any other, a tree is built of whatever
can be parsed, and walked.
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
_MAX_TREE_BYTES = 64 * 1024**2
_AMPLIFIED = 43
_NAMED_ENTITY = re.compile(r"&([A-Za-z][A-Za-z0-9]{1,31};)")
_PROLOGUE = re.compile(r"<\?xml\s[^>]{0,200}>|<!DOCTYPE\s[^>\[]{0,1000}(?:\[[^\]]{0,20000}\]\s*)?>")
_XML_ENTITIES = frozenset({"amp;", "lt;", "gt;", "quot;", "apos;"})


class Handler(Protocol):
    """`text` may be called with pieces. Collected results are taken out between steps."""

    def start(self, name: str, attributes: Mapping[str, str]) -> None: ...
    def end(self) -> None: ...
    def text(self, text: str) -> None: ...


def feed(source: Path, handler: Handler) -> Iterator[None]:
    """Feed the document to the handler, a piece per step.

    Raises CorruptDocument if entities expand too far or elements are nested too deep.
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
    # Called for entities of a DTD that is not read; the character names of HTML are commonly used.
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
    """Yield the document in UTF-8, whatever its encoding."""
    with source.open("rb") as file:
        head = file.read(_HEAD)
    declared = known_encoding(declared_encoding(head) or "utf-8")
    wide = marked_encoding(head) is not None or b"\x00" in head[:100]
    with open_text(source) if wide or declared is None else source.open(encoding=declared, errors="replace") as text:
        while chunk := text.read(_CHUNK):
            yield chunk.encode("utf-8", "replace")


def _feed_tree(source: Path, handler: Handler) -> Iterator[None]:
    if source.stat().st_size > _MAX_TREE_BYTES:
        raise TooLarge("The document is damaged, and too large to be repaired.")
    content = source.read_bytes()
    text = decode(content, declared_encoding(content)).replace("\x00", "")
    text = _NAMED_ENTITY.sub(_character, _PROLOGUE.sub("", text))
    parser = etree.XMLParser(encoding="utf-8", recover=True, resolve_entities=False, no_network=True, load_dtd=False)
    # Wrapped in a root, because a document without one, or with text after it, would be read only in part.
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
