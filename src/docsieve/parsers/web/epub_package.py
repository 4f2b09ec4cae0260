"""The metadata of an e-book: its chapters in order, its title, and which parts are locked."""

import posixpath
from dataclasses import dataclass, field
from urllib.parse import unquote

from docsieve.domain.pages.page import DocumentInfo
from docsieve.domain.text import clean
from docsieve.errors import CorruptDocument
from docsieve.parsers.office.markup import Element, attribute, child, children, name_of, part, within
from docsieve.parsers.office.package import Package

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "application/html", "text/x-oeb1-document", "text/xml"})
_PAGE_NAMES = (".xhtml", ".html", ".htm", ".xml")
_MAX_CHAPTERS = 20_000
_MAX_PROPERTY_LENGTH = 1000


@dataclass(slots=True)
class Book:
    """`chapters` are the names of parts."""

    chapters: list[str]
    info: DocumentInfo = field(default_factory=DocumentInfo)


def book_in(package: Package) -> Book:
    """Raises CorruptDocument if the container leads to no chapter."""
    name = _root_file(package)
    root = part(package, name) if name else None
    if root is None:
        chapters = sorted(
            entry.name for entry in package.entries.values() if entry.name.lower().endswith(_PAGE_NAMES[:3])
        )
        book = Book(chapters)
    else:
        book = Book(_spine(package, root, posixpath.dirname(name)), _info(root))
    if not book.chapters:
        raise CorruptDocument("The e-book has no chapters.")
    book.info.leave_out("chapters", len(book.chapters) - _MAX_CHAPTERS, book.chapters[_MAX_CHAPTERS:])
    del book.chapters[_MAX_CHAPTERS:]
    return book


def locked_parts(package: Package) -> frozenset[str]:
    """Return the parts that only a reading system with the right key can open."""
    root = part(package, _ENCRYPTION)
    if root is None:
        return frozenset()
    named = (attribute(reference, "URI") or "" for reference in within(root, "CipherReference"))
    return frozenset(_resolved("", name).lower() for name in named)


def _root_file(package: Package) -> str:
    container = part(package, _CONTAINER)
    for root_file in within(container, "rootfile") if container is not None else ():
        name = unquote(attribute(root_file, "full-path") or "")
        if name in package:
            return name
    return next((entry.name for entry in package.entries.values() if entry.name.lower().endswith(".opf")), "")


def _spine(package: Package, root: Element, folder: str) -> list[str]:
    """Return the chapters in reading order, or in listed order without a spine."""
    items: dict[str, str] = {}
    pages: list[str] = []
    for item in within(root, "item"):
        name = _resolved(folder, attribute(item, "href") or "")
        items[attribute(item, "id") or ""] = name
        if (attribute(item, "media-type") or "").lower() in _PAGES and attribute(item, "properties") != "nav":
            pages.append(name)
    spine = [items.get(attribute(reference, "idref") or "", "") for reference in within(root, "itemref")]
    ordered = [name for name in dict.fromkeys(spine) if name in package and name.lower().endswith(_PAGE_NAMES)]
    return ordered or [name for name in dict.fromkeys(pages) if name in package]


def _resolved(folder: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(link.partition("#")[0]))).lstrip("/")


def _info(root: Element) -> DocumentInfo:
    info = DocumentInfo()
    metadata = child(root, "metadata")
    inner = child(metadata, "dc-metadata") if metadata is not None else None
    authors = []
    for entry in children(inner if inner is not None else metadata, *_TOLD) if metadata is not None else ():
        text = clean((entry.text or "").strip())[:_MAX_PROPERTY_LENGTH]
        name = name_of(entry)
        if not text:
            continue
        if name == "title":
            info.title = info.title or text
        elif name == "creator":
            authors.append(text)
        elif name == "date":
            info.created = info.created or text
        else:
            info.properties.setdefault(name, text)
    info.author = ", ".join(authors)[:_MAX_PROPERTY_LENGTH] or None
    return info


_TOLD = ("title", "creator", "date", "language", "publisher", "identifier", "subject", "description", "rights")
