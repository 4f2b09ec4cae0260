"""Files inside a PDF: those of the document, and those of annotations on its pages."""

from collections.abc import Iterator, Sequence
from ctypes import byref, c_ulong, create_string_buffer
from dataclasses import dataclass
from typing import Any, Self

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages.page import MAX_NAMES_LEFT_OUT, AttachmentEntry, DocumentInfo
from docsieve.parsers.pdf.strings import wide_string
from docsieve.parsers.port import MAX_ATTACHMENTS, Attachment

_MAX_BYTES = 64 * 1024**2
_MAX_TOTAL_BYTES = 256 * 1024**2


@dataclass(frozen=True, slots=True)
class AttachmentPlace:
    """Where an attachment is: the `index` among the document's own, or of an annotation on a page."""

    page: int | None
    index: int


AttachmentPlaces = list[AttachmentPlace]


def list_attachments(
    document: pdfium.PdfDocument,
    places: AttachmentPlaces,
    info: DocumentInfo,
    page: int | None = None,
    annotations: Sequence[int] | None = None,
) -> None:
    """List the attachments of the document, or of annotations of a page, and add their places to `places`."""
    indices = range(pdfium_c.FPDFDoc_GetAttachmentCount(document)) if annotations is None else annotations
    for number, index in enumerate(indices):
        if len(places) >= MAX_ATTACHMENTS:
            beyond = [AttachmentPlace(page, index) for index in indices[number:]]
            info.leave_out("attachments", len(beyond), _names(document, beyond[:MAX_NAMES_LEFT_OUT]))
            return
        place = AttachmentPlace(page, index)
        with _Held(document, place) as held:
            if held.handle:
                info.attachments.append(AttachmentEntry(held.name, held.size, held.media_type))
                places.append(place)


def _names(document: pdfium.PdfDocument, places: AttachmentPlaces) -> list[str]:
    names = []
    for place in places:
        with _Held(document, place) as held:
            if held.handle:
                names.append(held.name)
    return names


def read_attachments(document: pdfium.PdfDocument, places: AttachmentPlaces) -> Iterator[Attachment]:
    """Yield attachments that are not too large; the others are only listed."""
    left = _MAX_TOTAL_BYTES
    for place in places:
        with _Held(document, place) as held:
            content = held.content(min(left, _MAX_BYTES)) if held.handle else None
            if content is not None:
                left -= len(content)
                yield Attachment(held.name, content, held.media_type)


class _Held:
    """Open an attachment together with its page and annotation, if any."""

    def __init__(self, document: pdfium.PdfDocument, place: AttachmentPlace) -> None:
        self._document = document
        self._place = place
        self._page: pdfium.PdfPage | None = None
        self._annotation: Any = None
        self.handle: Any = None

    def __enter__(self) -> Self:
        if self._place.page is None:
            self.handle = pdfium_c.FPDFDoc_GetAttachment(self._document, self._place.index)
        else:
            self._page = self._document[self._place.page]
            self._annotation = pdfium_c.FPDFPage_GetAnnot(self._page, self._place.index)
            if self._annotation:
                self.handle = pdfium_c.FPDFAnnot_GetFileAttachment(self._annotation)
        return self

    def __exit__(self, *_: object) -> None:
        if self._annotation:
            pdfium_c.FPDFPage_CloseAnnot(self._annotation)
        if self._page is not None:
            self._page.close()

    @property
    def name(self) -> str:
        return wide_string(lambda buffer, size: pdfium_c.FPDFAttachment_GetName(self.handle, buffer, size)) or "unnamed"

    @property
    def media_type(self) -> str | None:
        found = wide_string(lambda buffer, size: pdfium_c.FPDFAttachment_GetSubtype(self.handle, buffer, size))
        return found if "/" in found else None

    @property
    def size(self) -> int:
        length = c_ulong()
        return length.value if pdfium_c.FPDFAttachment_GetFile(self.handle, None, 0, byref(length)) else 0

    def content(self, limit: int) -> bytes | None:
        size = self.size
        if size > limit:
            return None
        buffer, length = create_string_buffer(max(size, 1)), c_ulong()
        if size and not pdfium_c.FPDFAttachment_GetFile(self.handle, buffer, size, byref(length)):
            return None
        return buffer.raw[: min(size, length.value)]
