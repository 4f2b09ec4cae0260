"""XML from documents: entities stay unresolved, nothing is fetched, and damaged XML is read as far as it goes.

Elements and attributes are looked up by local name, because one vocabulary has several namespaces: that of
ECMA, that of ISO's strict edition, and those of older producers.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

from lxml import etree

from docsieve.errors import CorruptDocument
from docsieve.parsers.office.package import Package, Readable


class Element(Protocol):
    """The part of lxml's element interface that is used."""

    tag: Any
    text: str | None
    tail: str | None

    @property
    def attrib(self) -> Mapping[str, str]: ...
    def __iter__(self) -> Iterator["Element"]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> "Element": ...
    def __delitem__(self, index: int) -> None: ...
    def iter(self, *tags: str) -> Iterator["Element"]: ...
    def getparent(self) -> "Element | None": ...
    def getprevious(self) -> "Element | None": ...
    def clear(self, keep_tail: bool = False) -> None: ...


_INERT = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "recover": True,
    "remove_comments": True,
    "remove_pis": True,
}


def parse(content: bytes) -> Element | None:
    """Return the root, or None if there is no XML."""
    try:
        root = etree.fromstring(content, etree.XMLParser(**_INERT)) if content else None
    except (etree.XMLSyntaxError, ValueError):
        return None
    return cast(Element | None, root)


def part(package: Package, name: str) -> Element | None:
    return parse(package.read(name))


def required_part(package: Package, name: str) -> Element:
    root = part(package, name)
    if root is None:
        raise CorruptDocument("The main part of the document is missing or damaged.")
    return root


def elements_of(stream: Readable, parents: frozenset[str], *names: str) -> Iterator[Element]:
    """Elements of these names directly inside one of the parents, as they end.

    Each is cleared when the next one is requested, so that memory stays flat.
    """
    tags = tuple(f"{{*}}{name}" for name in names)
    try:
        for _, element in etree.iterparse(stream, events=("end",), tag=tags, **_INERT):
            parent = element.getparent()
            if parent is None or name_of(parent) not in parents:
                continue
            yield element
            element.clear(keep_tail=True)
            while element.getprevious() is not None:
                del parent[0]
    except etree.XMLSyntaxError:
        # Everything before the damage was yielded.
        return


def name_of(element: Element) -> str:
    """Return the local name; empty for entities and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute(element: Element, name: str) -> str | None:
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return value
    return None


def number(element: Element | None, name: str, default: int = 0) -> int:
    """Return an integer attribute, or the default if it is missing or not a number."""
    text = attribute(element, name) if element is not None else None
    try:
        return int(text) if text is not None and len(text) < 20 else default
    except ValueError:
        return default


def relation_id(element: Element, name: str = "id") -> str | None:
    """Return an attribute that names a relation; other attributes may have the same local name."""
    for key, value in element.attrib.items():
        if key.endswith(f"/relationships}}{name}"):
            return value
    return None


def children(element: Element, *names: str) -> Iterator[Element]:
    return (child for child in element if name_of(child) in names)


def child(element: Element | None, *path: str) -> Element | None:
    """Return the first child of the first name, its first child of the second, and so on."""
    for name in path:
        element = next(children(element, name), None) if element is not None else None
    return element


def within(element: Element, *names: str) -> Iterator[Element]:
    return element.iter(*(f"{{*}}{name}" for name in names))


def text_within(element: Element, *names: str) -> str:
    """Return the joined texts of all elements of these names."""
    return "".join(found.text or "" for found in within(element, *names))
