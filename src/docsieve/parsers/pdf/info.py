"""The properties and bookmarks of a PDF."""

import re
from collections.abc import Iterator
from ctypes import addressof
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages.page import Bookmark, DocumentInfo
from docsieve.parsers.pdf.strings import wide_string

_MAX_BOOKMARKS = 5_000
_MAX_BOOKMARK_DEPTH = 20
_MAX_TEXT_LENGTH = 1_000

_PROPERTIES = {
    "subject": b"Subject",
    "keywords": b"Keywords",
    "creator": b"Creator",
    "producer": b"Producer",
    "modified": b"ModDate",
}
_DATE = re.compile(
    r"(?:D:)?(?P<year>\d{4})(?P<month>\d\d)?(?P<day>\d\d)?(?P<hour>\d\d)?(?P<minute>\d\d)?(?P<second>\d\d)?"
    r"(?:(?P<zulu>Z)|(?P<sign>[+-])(?P<hours>\d\d)'?(?P<minutes>\d\d)?)?"
)


def read_info(document: pdfium.PdfDocument) -> DocumentInfo:
    def text(key: bytes) -> str | None:
        found = wide_string(lambda buffer, size: pdfium_c.FPDF_GetMetaText(document, key, buffer, size))
        return found[:_MAX_TEXT_LENGTH] or None

    info = DocumentInfo(text(b"Title"), text(b"Author"), iso_date(text(b"CreationDate")))
    for name, key in _PROPERTIES.items():
        value = text(key)
        if name == "modified":
            value = iso_date(value)
        if value:
            info.properties[name] = value
    info.bookmarks = list(_bookmarks(document))
    return info


def iso_date(text: str | None) -> str | None:
    """Convert a PDF date (`D:20240131120000+01'00'`) to ISO 8601; None if it is not valid."""
    match = _DATE.match(text.strip()) if text else None
    if match is None:
        return None
    parts = match.groupdict()
    zone = UTC if parts["zulu"] else None
    if parts["sign"]:
        offset = timedelta(hours=int(parts["hours"]), minutes=int(parts["minutes"] or 0))
        if offset < timedelta(hours=24):
            zone = timezone(offset if parts["sign"] == "+" else -offset)
    day = [int(parts[name] or 1) for name in ("year", "month", "day")]
    time = [int(parts[name] or 0) for name in ("hour", "minute", "second")]
    try:
        return datetime(day[0], day[1], day[2], time[0], time[1], time[2], tzinfo=zone).isoformat()
    except ValueError:
        return None


def _bookmarks(document: pdfium.PdfDocument) -> Iterator[Bookmark]:
    """Return the bookmarks in order, without loops and without those nested too deeply."""
    seen: set[int] = set()
    waiting = [(pdfium_c.FPDFBookmark_GetFirstChild(document, None), 0)]
    while waiting and len(seen) < _MAX_BOOKMARKS:
        bookmark, level = waiting.pop()
        if not bookmark or addressof(bookmark.contents) in seen:
            continue
        seen.add(addressof(bookmark.contents))
        title = _title(bookmark)
        if title:
            yield Bookmark(title[:_MAX_TEXT_LENGTH], level, _page_of(document, bookmark))
        waiting.append((pdfium_c.FPDFBookmark_GetNextSibling(document, bookmark), level))
        if level < _MAX_BOOKMARK_DEPTH:
            waiting.append((pdfium_c.FPDFBookmark_GetFirstChild(document, bookmark), level + 1))


def _title(bookmark: Any) -> str:
    return wide_string(lambda buffer, size: pdfium_c.FPDFBookmark_GetTitle(bookmark, buffer, size))


def _page_of(document: pdfium.PdfDocument, bookmark: Any) -> int | None:
    """Return the number of the page that a bookmark leads to."""
    destination = pdfium_c.FPDFBookmark_GetDest(document, bookmark)
    if not destination:
        action = pdfium_c.FPDFBookmark_GetAction(bookmark)
        if action and pdfium_c.FPDFAction_GetType(action) == pdfium_c.PDFACTION_GOTO:
            destination = pdfium_c.FPDFAction_GetDest(document, action)
    index = pdfium_c.FPDFDest_GetDestPageIndex(document, destination) if destination else -1
    return index + 1 if index >= 0 else None
