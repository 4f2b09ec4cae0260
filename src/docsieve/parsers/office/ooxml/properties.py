"""The properties of an OOXML document, and the documents embedded in it."""

import posixpath
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

from docsieve.domain.pages.page import MAX_NAMES_LEFT_OUT, AttachmentEntry, DocumentInfo
from docsieve.domain.text import clean
from docsieve.errors import TooLarge
from docsieve.parsers.office.embedded import unwrap
from docsieve.parsers.office.markup import Element, name_of, part, within
from docsieve.parsers.office.package import Package
from docsieve.parsers.office.package_entries import Entry
from docsieve.parsers.port import MAX_ATTACHMENTS, Attachment

Opener = Callable[[], AbstractContextManager[Package]]

_CORE = ("docProps/core.xml", "docProps/app.xml")
_SHOWN = frozenset(
    {
        "subject",
        "keywords",
        "description",
        "category",
        "lastModifiedBy",
        "modified",
        "Company",
        "Manager",
        "Application",
    }
)
_EMBEDDED = re.compile(r"(?:word|ppt|xl)/(?:embeddings/[^/]+|afchunk[^/]*)\Z", re.IGNORECASE)
_MAX_PROPERTY_LENGTH = 4000
_ATTACHMENT_BYTES = 64 * 1024**2
_ALL_ATTACHMENTS_BYTES = 256 * 1024**2


def info_of(package: Package) -> DocumentInfo:
    texts: dict[str, str] = {}
    for name in _CORE:
        root = part(package, name)
        for element in root if root is not None else ():
            if text := clean(_text(element)).strip()[:_MAX_PROPERTY_LENGTH]:
                texts.setdefault(name_of(element), text)
    embedded = _embedded(package)
    info = DocumentInfo(
        title=texts.get("title"),
        author=texts.get("creator"),
        created=texts.get("created"),
        properties={name: text for name, text in texts.items() if name in _SHOWN},
        attachments=[AttachmentEntry(_file_name(entry), entry.claimed_size) for entry in embedded[:MAX_ATTACHMENTS]],
    )
    beyond = embedded[MAX_ATTACHMENTS:]
    info.leave_out("attachments", len(beyond), [_file_name(entry) for entry in beyond[:MAX_NAMES_LEFT_OUT]])
    return info


def attachments_of(opened: Opener) -> Iterator[Attachment]:
    """Yield the documents embedded in the package, without those that are too large or not documents."""
    with opened() as package:
        total = 0
        for entry in _embedded(package)[:MAX_ATTACHMENTS]:
            try:
                content = package.read(entry.name, _ATTACHMENT_BYTES)
            except TooLarge:
                continue
            total += len(content)
            if total > _ALL_ATTACHMENTS_BYTES:
                return
            name, content = unwrap(_file_name(entry), content)
            if content:
                yield Attachment(name, content)


def _embedded(package: Package) -> list[Entry]:
    return [entry for entry in package.entries.values() if _EMBEDDED.match(entry.name)]


def _file_name(entry: Entry) -> str:
    return clean(posixpath.basename(entry.name))


def _text(element: Element) -> str:
    return element.text or " ".join(filter(None, (found.text for found in within(element, "lpstr", "lpwstr"))))
