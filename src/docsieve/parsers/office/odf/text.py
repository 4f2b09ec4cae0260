"""OpenDocument text as blocks: the body, with headers and footers around it and notes at its end."""

from collections.abc import Iterator

from docsieve.parsers.flow.blocks import Block, Heading, NewPage, Paragraph
from docsieve.parsers.office.markup import Element, attribute, name_of, number
from docsieve.parsers.office.odf.paragraphs import PAGE_BREAK, OdfParagraph, paragraph_of
from docsieve.parsers.office.odf.styles import OdfStyles
from docsieve.parsers.office.odf.tables import grid_of, only_cell

_HOLDERS = frozenset(
    {
        "section", "index-body", "index-title", "table-of-content", "illustration-index", "table-index", "object-index",
        "user-index", "alphabetical-index", "bibliography", "numbered-paragraph", "frame", "text-box", "g",
        "custom-shape", "rect", "ellipse", "circle", "connector", "line", "path", "polygon", "caption",
    }
)  # fmt: skip
_LISTS = ("list", "ordered-list", "unordered-list")
_MAX_INDENT = 8


def text_blocks(content: Element, styles: OdfStyles) -> Iterator[Block]:
    reader = OdfReader(styles)
    yield from reader.margins(styles.headers())
    filled = False
    for block in reader.inside(content):
        if filled or not isinstance(block, NewPage):
            filled = True
            yield block
    yield from reader.margins(styles.footers())
    yield from reader.ends()


class OdfReader:
    """Collects notes and comments while it reads; `ends` returns them."""

    def __init__(self, styles: OdfStyles) -> None:
        self._styles = styles
        self._notes: list[str] = []
        self._comments: list[str] = []

    def inside(self, container: Element) -> Iterator[Block]:
        for element in container:
            name = name_of(element)
            if name in ("p", "h"):
                yield from self._paragraph(element)
            elif name in _LISTS:
                yield from self._list(element, attribute(element, "style-name"), 1)
            elif name == "table":
                frame = only_cell(element)
                if frame is not None:
                    yield from self.inside(frame)
                else:
                    yield grid_of(element, self.text)
            elif name == "soft-page-break":
                yield NewPage()
            elif name in _HOLDERS:
                yield from self.inside(element)

    def margins(self, parts: Iterator[Element]) -> Iterator[Block]:
        """Yield headers or footers; one that several kinds of page share is yielded once."""
        given: set[str] = set()
        for part in parts:
            text = self.text(part)
            if text and text not in given:
                given.add(text)
                yield from (block for block in self.inside(part) if not isinstance(block, NewPage))

    def ends(self) -> Iterator[Block]:
        yield from map(Paragraph, self._notes + self._comments)
        self._notes, self._comments = [], []

    def text(self, container: Element) -> str:
        """Return all text of a cell; nested tables become lines."""
        lines = []
        for block in self.inside(container):
            if isinstance(block, Heading | Paragraph):
                lines.append(block.text)
            elif not isinstance(block, NewPage):
                lines.extend("\t".join(cell.text for cell in row) for row in block.rows)
        return "\n".join(lines).strip()

    def _paragraph(self, element: Element, label: str = "", indent: str = "") -> Iterator[Block]:
        if self._styles.breaks_page(element):
            yield NewPage()
        found = self._taken(element)
        level = number(element, "outline-level", number(element, "level", 1)) if name_of(element) == "h" else None
        for place, text in enumerate(found.text.split(PAGE_BREAK)):
            if place:
                yield NewPage()
            if not text.strip():
                continue
            if level is not None:
                yield Heading(text, level)
            else:
                yield Paragraph(f"{indent}{label} {text}" if label else text, listed=bool(label))
            label = ""
        for box in found.boxes:
            yield from (block for block in self.inside(box) if not isinstance(block, NewPage))

    def _list(self, element: Element, style: str | None, depth: int) -> Iterator[Block]:
        rule = self._styles.list_level(style, depth)
        count = rule.start
        indent = "  " * min(depth - 1, _MAX_INDENT)
        for item in element:
            label = rule.label(count) if name_of(item) == "list-item" else ""
            count += name_of(item) == "list-item"
            for inner in item:
                if name_of(inner) in _LISTS:
                    yield from self._list(inner, attribute(inner, "style-name") or style, depth + 1)
                elif name_of(inner) in ("p", "h"):
                    yield from self._paragraph(inner, label, indent)
                    label = ""

    def _taken(self, element: Element) -> OdfParagraph:
        found = paragraph_of(element)
        self._notes.extend(found.notes)
        self._comments.extend(found.comments)
        return found
