"""OOXML: text documents, spreadsheets and slides in a ZIP container, with or without macros, which are never run."""

import re

from docsieve.parsers.format import Format
from docsieve.parsers.office.ooxml.types import FAMILIES, GENERIC, MAIN_CONTENT_TYPE, PLAIN_TYPES, media_type_of
from docsieve.parsers.office.zip_head import HeadEntry, entries_in

# A folder of that name alone proves nothing: a plain ZIP may have one.
_PART = re.compile(r"(word|xl|ppt)/(?:media/[^/]+|(?:[^/]+/)*[^/]+\.(?:xml|rels|bin))\Z", re.IGNORECASE)
_PACKAGE = re.compile(r"\[Content_Types\]\.xml\Z|_rels/\.rels\Z|docProps/(?:core|app|custom)\.xml\Z", re.IGNORECASE)


def _sniff(head: bytes) -> str | None:
    generic = None
    for entry in entries_in(head):
        found = _type_shown_by(entry)
        if found and found != GENERIC:
            return found
        generic = generic or found
    return generic


def _type_shown_by(entry: HeadEntry) -> str | None:
    name = entry.name.replace("\\", "/").lstrip("/")
    if name.lower() == "[content_types].xml":
        for match in MAIN_CONTENT_TYPE.findall(entry.content):
            if media_type := media_type_of(match.decode("ascii")):
                return media_type
    if folder := _PART.match(name):
        return PLAIN_TYPES[folder.group(1).lower()]
    return GENERIC if _PACKAGE.match(name) else None


OOXML = Format(
    name="ooxml",
    version="4",
    media_types=frozenset({*FAMILIES, GENERIC}),
    sniff=_sniff,
    reader="docsieve.parsers.office.ooxml.reader",
    begins=b"P",
)
