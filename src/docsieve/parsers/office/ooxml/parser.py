"""OOXML: text documents, spreadsheets and slides in a ZIP container, with or without macros, which stay inert."""

import re
from pathlib import Path

from docsieve.parsers.office.ooxml.types import FAMILIES, GENERIC, MAIN_CONTENT_TYPE, PLAIN_TYPES, media_type_of
from docsieve.parsers.office.zip_head import HeadEntry, entries_in
from docsieve.parsers.port import Reading, ReadOptions

# A folder of that name alone is no evidence: a plain ZIP may have it.
_PART = re.compile(r"(word|xl|ppt)/(?:media/[^/]+|(?:[^/]+/)*[^/]+\.(?:xml|rels|bin))\Z", re.IGNORECASE)
_PACKAGE = re.compile(r"\[Content_Types\]\.xml\Z|_rels/\.rels\Z|docProps/(?:core|app|custom)\.xml\Z", re.IGNORECASE)


class OoxmlParser:
    name = "ooxml"
    version = "3"
    uses_ocr = False
    media_types = frozenset({*FAMILIES, GENERIC})

    def sniff(self, head: bytes) -> str | None:
        generic = None
        for entry in entries_in(head):
            found = _type_shown_by(entry)
            if found and found != GENERIC:
                return found
            generic = generic or found
        return generic

    def read(self, source: Path, options: ReadOptions) -> Reading:
        from docsieve.parsers.office.legacy.document import is_compound, read_ole
        from docsieve.parsers.office.ooxml.document import read_ooxml
        from docsieve.parsers.office.package import open_package

        # An encrypted package is a compound file, whose finer type is one of ours once it was opened.
        if is_compound(source):
            return read_ole(source, options)
        return read_ooxml(lambda: open_package(source), options)


def _type_shown_by(entry: HeadEntry) -> str | None:
    name = entry.name.replace("\\", "/").lstrip("/")
    if name.lower() == "[content_types].xml":
        for match in MAIN_CONTENT_TYPE.findall(entry.content):
            if media_type := media_type_of(match.decode("ascii")):
                return media_type
    if folder := _PART.match(name):
        return PLAIN_TYPES[folder.group(1).lower()]
    return GENERIC if _PACKAGE.match(name) else None
