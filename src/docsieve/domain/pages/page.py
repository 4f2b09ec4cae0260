"""The output of parsers: pages with lines, words, tables, form fields and codes, each with its box.

Parsers, storage and the API share these types. A box is `[x0, y0, x1, y1]` in points, with the origin at the upper left
corner of the page.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

MAX_NAMES_LEFT_OUT = 20

Box = tuple[float, float, float, float]

Origin = Literal["text", "ocr", "layout"]
"""Where a page's words come from: the document's own text, OCR, or our layout of flowing text."""


@dataclass(slots=True)
class Word:
    text: str
    box: Box
    confidence: float | None = None


LineRole = Literal["heading", "list", "header", "footnote", "footer"]
"""`header` and `footer` are what a page repeats around its text, such as its number or the sender's bank details."""


@dataclass(slots=True)
class Line:
    """`block` numbers the paragraphs of a page. `role` and a heading's `level`, from 1, are set if known."""

    text: str
    box: Box
    words: list[Word] = field(default_factory=list)
    block: int | None = None
    role: LineRole | None = None
    level: int | None = None


@dataclass(slots=True)
class Cell:
    """Rows and columns count from 0. A cell that spans several has the position of the first."""

    row: int
    column: int
    text: str
    box: Box
    row_span: int = 1
    column_span: int = 1
    header: bool = False


@dataclass(slots=True)
class Table:
    """Its text is also part of the page's lines."""

    box: Box
    rows: int
    columns: int
    cells: list[Cell] = field(default_factory=list)


@dataclass(slots=True)
class FormField:
    name: str
    kind: Literal["text", "checkbox", "radio", "choice", "signature", "button"]
    value: str | bool | list[str] | None
    box: Box


CodeKind = Literal[
    "qr_code", "data_matrix", "aztec", "pdf417", "maxicode", "code_128", "code_39", "code_93", "itf", "ean_13", "ean_8",
    "upc_a", "upc_e", "databar",
]  # fmt: skip


@dataclass(slots=True)
class Code:
    """A QR code or barcode with the text in it. Bytes that are no text are left out."""

    kind: CodeKind
    text: str
    box: Box


@dataclass(slots=True)
class Note:
    """An annotation: a comment on the page, or the target of a link."""

    kind: str
    text: str
    box: Box
    target: str | None = None


@dataclass(slots=True)
class Page:
    """`turned` is the clockwise rotation in degrees that made the page upright. Size and boxes are after it."""

    number: int
    width: float
    height: float
    lines: list[Line] = field(default_factory=list)
    error: str | None = None
    origin: Origin = "text"
    turned: int = 0
    tables: list[Table] = field(default_factory=list)
    form_fields: list[FormField] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    codes: list[Code] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


@dataclass(slots=True)
class Bookmark:
    title: str
    level: int
    page: int | None


@dataclass(slots=True)
class AttachmentEntry:
    """An embedded document. Its content is transferred separately."""

    name: str
    size: int
    media_type: str | None = None


@dataclass(slots=True)
class LeftOut:
    """Parts of a document that were not read because of a limit. `names` has the first names, if any."""

    what: str
    count: int
    names: list[str] = field(default_factory=list)


@dataclass(slots=True)
class DocumentInfo:
    """A document's own metadata, which is not verified, and the parts that were not read."""

    title: str | None = None
    author: str | None = None
    created: str | None = None
    properties: dict[str, str] = field(default_factory=dict)
    bookmarks: list[Bookmark] = field(default_factory=list)
    attachments: list[AttachmentEntry] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def leave_out(self, what: str, count: int, names: Sequence[str] = ()) -> None:
        """Record that `count` more parts of this kind were not read. Only the first names are kept."""
        if count <= 0:
            return
        entry = next((known for known in self.left_out if known.what == what), None)
        if entry is None:
            entry = LeftOut(what, 0)
            self.left_out.append(entry)
        entry.count += count
        entry.names = [*entry.names, *names][:MAX_NAMES_LEFT_OUT]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work has come; `page` and `pages` are null in a stage without pages."""

    stage: str
    page: int | None = None
    pages: int | None = None


OnProgress = Callable[[Progress], None]
