"""Word documents (docx and related types) as blocks: the body between headers and footers, and notes at the end."""

from collections.abc import Iterator

from docsieve.parsers.flow.blocks import Block, Heading, NewPage, Paragraph
from docsieve.parsers.office.markup import (
    Element,
    attribute,
    child,
    children,
    name_of,
    part,
    relation_id,
    required_part,
)
from docsieve.parsers.office.ooxml.figures import figure_blocks
from docsieve.parsers.office.ooxml.opc import Relation, relations_of, targets
from docsieve.parsers.office.ooxml.word.imports import imported_document, imported_text
from docsieve.parsers.office.ooxml.word.notes import Notes
from docsieve.parsers.office.ooxml.word.numbering import list_numbers
from docsieve.parsers.office.ooxml.word.sections import Sections
from docsieve.parsers.office.ooxml.word.styles import Styles
from docsieve.parsers.office.ooxml.word.tables import grid_of, inner_elements, only_cell
from docsieve.parsers.office.ooxml.word.text import PAGE_BREAK, ParagraphText, chosen, paragraph_text
from docsieve.parsers.office.package import Package

_WRAPPERS = frozenset({"sdt", "sdtContent", "customXml", "ins", "moveTo", "smartTag"})
_OFF = frozenset({"0", "false", "off"})
_MAX_IMPORT_DEPTH = 3


def word_blocks(package: Package, name: str, depth: int = 0) -> Iterator[Block]:
    """`depth` counts the documents that this one is nested in."""
    root = required_part(package, name)
    body = child(root, "body")
    relations = relations_of(package, name)
    reader = _WordReader(package, relations, depth)
    yield from _pages_with_content(reader.document(body if body is not None else root))


class _WordReader:
    def __init__(self, package: Package, relations: dict[str, Relation], depth: int) -> None:
        self._package = package
        self._relations = relations
        self._depth = depth
        self._styles = Styles(self._related("styles"))
        self._lists = list_numbers(self._related("numbering"))
        self._notes = Notes()

    def document(self, body: Element) -> Iterator[Block]:
        sections = Sections(body, self._relations)
        yield from self._margins(sections.headers())
        for element in body:
            yield from self._blocks(element)
            if name_of(element) == "p" and child(element, "pPr", "sectPr") is not None:
                yield from self._margins(sections.footers())
                if sections.next_begins_page():
                    yield NewPage()
                yield from self._margins(sections.headers())
        yield from self._margins(sections.footers())
        yield from self._ends()

    def _margins(self, names: list[str]) -> Iterator[Block]:
        for name in names:
            root = part(self._package, name)
            if root is not None:
                yield from (block for block in self._inside(root) if not isinstance(block, NewPage))

    def _ends(self) -> Iterator[Block]:
        for kind in ("footnote", "endnote"):
            root = self._related(f"{kind}s")
            notes = {attribute(note, "id") or "": note for note in children(root, kind)} if root is not None else {}
            for note_id, mark in self._notes.marks(kind):
                if note_id in notes:
                    yield Paragraph(f"{mark} {self._text_inside(notes[note_id])}")
        comments = self._related("comments")
        for comment in children(comments, "comment") if comments is not None else ():
            if text := self._text_inside(comment):
                author = attribute(comment, "author")
                yield Paragraph(f"Comment by {author}: {text}" if author else f"Comment: {text}")

    def _inside(self, container: Element) -> Iterator[Block]:
        for element in container:
            yield from self._blocks(element)

    def _blocks(self, element: Element) -> Iterator[Block]:
        name = name_of(element)
        if name == "p":
            yield from self._paragraph(element)
        elif name == "tbl":
            frame = only_cell(element)
            if frame is not None:
                yield from self._inside(frame)
            else:
                yield grid_of(element, self._text_inside)
        elif name in _WRAPPERS:
            yield from self._inside(element)
        elif name == "altChunk" and (imported := self._relations.get(relation_id(element) or "")):
            yield from self._imported(self._package.read(imported.target))
        elif name == "AlternateContent" and (branch := chosen(element)) is not None:
            yield from self._inside(branch)

    def _imported(self, content: bytes) -> Iterator[Block]:
        inner = imported_document(content)
        if inner is None:
            yield from imported_text(content)
        elif self._depth < _MAX_IMPORT_DEPTH:
            yield from word_blocks(*inner, self._depth + 1)

    def _paragraph(self, element: Element) -> Iterator[Block]:
        properties = child(element, "pPr")
        breaks_before = child(properties, "pageBreakBefore")
        if breaks_before is not None and (attribute(breaks_before, "val") or "1").lower() not in _OFF:
            yield NewPage()
        found = paragraph_text(element, self._notes.mark)
        level = self._styles.heading(properties)
        label = self._label(properties, found)
        for place, text in enumerate(found.text.split(PAGE_BREAK)):
            if place:
                yield NewPage()
            if not text.strip():
                continue
            shown, label = f"{label} {text}" if label else text, ""
            yield Heading(shown, level) if level else Paragraph(shown, listed=shown is not text)
        for box in found.boxes:
            yield from (block for block in self._inside(box) if not isinstance(block, NewPage))
        for figure in found.figures:
            if figure in self._relations:
                yield from figure_blocks(self._package, self._relations[figure].target)

    def _label(self, properties: Element | None, found: ParagraphText) -> str:
        place = self._styles.place(properties)
        # An empty list paragraph has no number and is not counted.
        return self._lists.label(place.list_id, place.level) if place and found.text.strip() else ""

    def _text_inside(self, container: Element) -> str:
        """Return all text of a cell, a note or a comment; nested tables become lines."""
        lines: list[str] = []
        for element in inner_elements(container, "p", "tbl"):
            if name_of(element) == "p":
                found = paragraph_text(element, self._notes.mark)
                text = found.text.replace(PAGE_BREAK, "")
                label = self._label(child(element, "pPr"), found)
                lines.append(f"{label} {text}" if label else text)
                lines.extend(self._text_inside(box) for box in found.boxes)
            else:
                rows = grid_of(element, self._text_inside).rows
                lines.extend("\t".join(cell.text for cell in row) for row in rows)
        return "\n".join(lines).strip()

    def _related(self, kind: str) -> Element | None:
        names = targets(self._relations, kind)
        return part(self._package, names[0]) if names else None


def _pages_with_content(blocks: Iterator[Block]) -> Iterator[Block]:
    """Merge page breaks: Word marks one break in several ways, and two breaks with nothing between are one."""
    filled = pending = False
    for block in blocks:
        if isinstance(block, NewPage):
            pending = filled
            continue
        if pending:
            yield NewPage()
            pending = False
        filled = True
        yield block
