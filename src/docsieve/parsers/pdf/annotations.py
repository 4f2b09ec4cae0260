"""The annotations of a PDF page: comments, marks, links and form fields."""

from dataclasses import dataclass, field
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from docsieve.domain.pages.page import Box, FormField, Note
from docsieve.domain.text import clean
from docsieve.parsers.pdf.fields import FieldReader
from docsieve.parsers.pdf.strings import narrow_string, wide_string
from docsieve.parsers.pdf.view import DisplayedPage, PdfBox

_MAX_ANNOTATIONS = 5_000
_MAX_QUADS = 500

_MARKS = {
    pdfium_c.FPDF_ANNOT_HIGHLIGHT: "highlight",
    pdfium_c.FPDF_ANNOT_UNDERLINE: "underline",
    pdfium_c.FPDF_ANNOT_SQUIGGLY: "squiggly",
    pdfium_c.FPDF_ANNOT_STRIKEOUT: "strikeout",
}
_KINDS = {
    **_MARKS,
    pdfium_c.FPDF_ANNOT_TEXT: "comment",
    pdfium_c.FPDF_ANNOT_FREETEXT: "free_text",
    pdfium_c.FPDF_ANNOT_LINK: "link",
    pdfium_c.FPDF_ANNOT_STAMP: "stamp",
    pdfium_c.FPDF_ANNOT_CARET: "caret",
    pdfium_c.FPDF_ANNOT_INK: "ink",
    pdfium_c.FPDF_ANNOT_LINE: "line",
    pdfium_c.FPDF_ANNOT_SQUARE: "square",
    pdfium_c.FPDF_ANNOT_CIRCLE: "circle",
    pdfium_c.FPDF_ANNOT_POLYGON: "polygon",
    pdfium_c.FPDF_ANNOT_POLYLINE: "polyline",
    pdfium_c.FPDF_ANNOT_FILEATTACHMENT: "attachment",
}
_HIDDEN = pdfium_c.FPDF_ANNOT_FLAG_HIDDEN | pdfium_c.FPDF_ANNOT_FLAG_NOVIEW


@dataclass(slots=True)
class Annotations:
    """`show_text` says that some have visible text; `files` are the indices of those with a file."""

    notes: list[Note] = field(default_factory=list)
    form_fields: list[FormField] = field(default_factory=list)
    show_text: bool = False
    files: list[int] = field(default_factory=list)


def read_annotations(document: pdfium.PdfDocument, page: pdfium.PdfPage, shown: DisplayedPage) -> Annotations:
    found = Annotations()
    reader = _NoteReader(document, page, shown)
    fields = FieldReader(document.formenv.raw) if document.formenv else None
    for index in range(min(pdfium_c.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
        annotation = pdfium_c.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = pdfium_c.FPDFAnnot_GetSubtype(annotation)
            found.show_text |= kind in (pdfium_c.FPDF_ANNOT_WIDGET, pdfium_c.FPDF_ANNOT_FREETEXT)
            if kind == pdfium_c.FPDF_ANNOT_FILEATTACHMENT:
                found.files.append(index)
            box = _box_of(annotation, shown)
            if box is None or pdfium_c.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
                continue
            if kind == pdfium_c.FPDF_ANNOT_WIDGET and fields is not None:
                fields.add(annotation, box)
            elif kind in _KINDS and (note := reader.note(annotation, kind, box)) is not None:
                found.notes.append(note)
        finally:
            pdfium_c.FPDFPage_CloseAnnot(annotation)
    reader.close()
    found.form_fields = fields.fields if fields is not None else []
    return found


def _box_of(annotation: Any, shown: DisplayedPage) -> Box | None:
    rectangle = pdfium_c.FS_RECTF()
    if not pdfium_c.FPDFAnnot_GetRect(annotation, rectangle):
        return None
    return shown.box(*_upright(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top))


def _upright(left: float, bottom: float, right: float, top: float) -> PdfBox:
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


class _NoteReader:
    """Reads notes; the text under them is extracted only if one needs it."""

    def __init__(self, document: pdfium.PdfDocument, page: pdfium.PdfPage, shown: DisplayedPage) -> None:
        self._document = document
        self._page = page
        self._shown = shown
        self._text: pdfium.PdfTextPage | None = None

    def close(self) -> None:
        if self._text is not None:
            self._text.close()

    def note(self, annotation: Any, kind: int, box: Box) -> Note | None:
        written = wide_string(
            lambda buffer, size: pdfium_c.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, size)
        )
        target = None
        if kind == pdfium_c.FPDF_ANNOT_LINK:
            target = self._target_of(annotation)
            if not target:
                return None
            written = self._text_under(self._rectangle_of(annotation)) or written
        elif kind in _MARKS:
            marked = self._marked_text(annotation)
            written = "\n".join(dict.fromkeys(part for part in (marked, written) if part))
        return Note(_KINDS[kind], written, box, target) if written or target else None

    def _target_of(self, annotation: Any) -> str | None:
        link = pdfium_c.FPDFAnnot_GetLink(annotation)
        action = pdfium_c.FPDFLink_GetAction(link) if link else None
        if not action or pdfium_c.FPDFAction_GetType(action) != pdfium_c.PDFACTION_URI:
            return None
        return narrow_string(lambda buffer, size: pdfium_c.FPDFAction_GetURIPath(self._document, action, buffer, size))

    def _rectangle_of(self, annotation: Any) -> PdfBox:
        rectangle = pdfium_c.FS_RECTF()
        pdfium_c.FPDFAnnot_GetRect(annotation, rectangle)
        return _upright(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)

    def _marked_text(self, annotation: Any) -> str:
        quad = pdfium_c.FS_QUADPOINTSF()
        parts = []
        for index in range(min(pdfium_c.FPDFAnnot_CountAttachmentPoints(annotation), _MAX_QUADS)):
            if pdfium_c.FPDFAnnot_GetAttachmentPoints(annotation, index, quad):
                xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
                parts.append(self._text_under((min(xs), min(ys), max(xs), max(ys))))
        return " ".join(part for part in parts if part)

    def _text_under(self, area: PdfBox) -> str:
        if self._text is None:
            self._text = self._page.get_textpage()
        return " ".join(clean(self._text.get_text_bounded(*area)).split())
