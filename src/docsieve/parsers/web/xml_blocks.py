"""XML of any vocabulary in readable form: prose as paragraphs, tables as grids, data as `name: value`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Heading, Paragraph
from docsieve.parsers.web.xml_events import feed

_PROSE = frozenset(["p", "para", "simpara", "paragraph", "ab", "l", "verse", "claim-text", "lg", "quote"])
_TITLES = frozenset(["title", "head", "heading", "subtitle", "article-title", "invention-title", "chapter-title"])
_ROWS = frozenset(["row", "tr", "table-row"])
_CELLS = frozenset(["entry", "td", "th", "tc", "cell", "table-cell", "entrytbl"])
_TABLES = frozenset(["table", "tgroup", "informaltable", "tbl"])
_SCAFFOLD = _TABLES | {"thead", "tbody", "tfoot"}
_COLUMNS = frozenset(["colspec", "col", "colgroup"])
_DRAWINGS = frozenset(["svg", "path", "g", "polygon", "rect", "circle", "line", "use"])
_MAX_ROWS = 200
_MAX_PENDING = 500
_MAX_ATTRIBUTE_LENGTH = 2000
_MAX_INDENT = 12


@dataclass(slots=True)
class _Element:
    """`parts` is collected until it is known whether the element is prose or data."""

    name: str
    attributes: str
    header: bool = False
    parts: list["str | _Element"] = field(default_factory=list)
    has_text: bool = False
    has_elements: bool = False
    shown: bool = False
    span: tuple[int, int] = (1, 1)

    @property
    def mixed(self) -> bool:
        return self.has_text and self.has_elements

    def empty(self) -> None:
        self.parts = []
        self.has_text = self.has_elements = False

    @property
    def prose(self) -> str:
        return " ".join("".join(_texts(self)).split())


def _texts(element: _Element) -> Iterator[str]:
    for part in element.parts:
        if isinstance(part, str):
            yield part
        else:
            yield from _texts(part)


def xml_blocks(source: Path) -> Iterator[Block]:
    reader = _Reader()
    for _ in feed(source, reader):
        if reader.done:
            yield from reader.take()
    reader.finish()
    yield from reader.take()


class _Reader:
    def __init__(self) -> None:
        self.done: list[Block] = []
        self._open: list[_Element] = []
        self._lines: list[str] = []
        self._rows: list[list[GridCell]] = []

    def take(self) -> list[Block]:
        taken, self.done = self.done, []
        return taken

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        local = name.rpartition(":")[2]
        element = _Element(local, "" if local.lower() in _DRAWINGS else _readable(attributes))
        if local.lower() in _CELLS:
            element.span = (_span(attributes, "rowspan", "morerows"), _span(attributes, "colspan", "cols"))
            element.header = local.lower() == "th" or any(outer.name.lower() == "thead" for outer in self._open[-3:])
        elif local.lower() in _SCAFFOLD:
            element.shown = True
        self._open.append(element)

    def text(self, text: str) -> None:
        if not self._open:
            if text.strip():
                self._end_paragraph()
                self._end_table()
                self.done.extend(Paragraph(part) for part in text.split("\n\n"))
            return
        element = self._open[-1]
        if text:
            element.parts.append(text)
            element.has_text = element.has_text or not text.isspace()

    def end(self) -> None:
        element = self._open.pop()
        name = element.name.lower()
        if name in _COLUMNS and any(outer.name.lower() in _TABLES for outer in self._open):
            return
        if not element.shown:
            self._end_hidden(element, name)
            return
        self._show(element, len(self._open))
        if name in _TABLES:
            self._end_table()

    def _end_hidden(self, element: _Element, name: str) -> None:
        if name in _ROWS and self._is_row(element):
            self._add_row(element)
        elif (name in _PROSE or name in _TITLES) and not self._inside_prose():
            self._flush_outer()
            self._add_prose(element)
        elif self._open and (not element.has_elements or element.mixed or self._inside_prose() or name in _CELLS):
            parent = self._open[-1]
            parent.parts.append(element)
            parent.has_elements = True
            if len(parent.parts) > _MAX_PENDING and not parent.mixed:
                self._flush_outer()
        else:
            self._flush_outer()
            self._show(element, len(self._open))

    def finish(self) -> None:
        while self._open:
            self.end()
        self._end_paragraph()
        self._end_table()

    def _inside_prose(self) -> bool:
        return any(outer.name.lower() in _PROSE or outer.name.lower() in _CELLS for outer in self._open)

    def _flush_outer(self) -> None:
        """Show everything pending in the enclosing elements first."""
        for depth, outer in enumerate(self._open):
            self._show(outer, depth)

    def _show(self, element: _Element, depth: int) -> None:
        indent = "  " * min(depth, _MAX_INDENT)
        own = element.prose if element.mixed else _own_text(element)
        lines = []
        if not element.shown:
            lines.append(indent + _labelled(element, own))
        elif own:
            lines.append(f"{indent}  {own}")
        if not element.mixed:
            inner = (part for part in element.parts if isinstance(part, _Element))
            lines.extend(f"{indent}  {_labelled(part, part.prose)}" for part in inner)
        if lines:
            self._end_table()
            if depth <= 1 and not element.shown:
                self._end_paragraph()
            self._lines.extend(lines)
        element.shown = True
        element.empty()

    def _add_prose(self, element: _Element) -> None:
        self._end_paragraph()
        self._end_table()
        if text := element.prose:
            title = element.name.lower() in _TITLES
            self.done.append(Heading(text) if title else Paragraph(text))

    def _is_row(self, element: _Element) -> bool:
        inner = [part for part in element.parts if isinstance(part, _Element)]
        return bool(inner) and all(part.name.lower() in _CELLS for part in inner)

    def _add_row(self, element: _Element) -> None:
        if not self._rows:
            self._flush_outer()
            self._end_paragraph()
        cells = [part for part in element.parts if isinstance(part, _Element)]
        self._rows.append([GridCell(cell.prose, *cell.span, header=cell.header) for cell in cells])
        if len(self._rows) >= _MAX_ROWS and all(cell.row_span == 1 for row in self._rows for cell in row):
            self._end_table()

    def _end_table(self) -> None:
        if any(cell.text for row in self._rows for cell in row):
            self.done.append(Grid(self._rows))
        self._rows = []

    def _end_paragraph(self) -> None:
        if self._lines:
            self.done.append(Paragraph("\n".join(self._lines)))
        self._lines = []


def _own_text(element: _Element) -> str:
    return " ".join("".join(part for part in element.parts if isinstance(part, str)).split())


def _labelled(element: _Element, text: str) -> str:
    label = f"{element.name} ({element.attributes})" if element.attributes else element.name
    return f"{label}: {text}" if text else label


def _readable(attributes: Mapping[str, str]) -> str:
    """Format attributes, without those that are only for machines."""
    shown = []
    for name, value in attributes.items():
        prefix, _, local = name.rpartition(":")
        if prefix in ("xmlns", "xsi", "xml") or local == "xmlns" or not value.strip():
            continue
        shown.append(f"{local} {' '.join(value[:_MAX_ATTRIBUTE_LENGTH].split())}")
    return ", ".join(shown)


def _span(attributes: Mapping[str, str], plain: str, more: str) -> int:
    for name, added in ((plain, 0), (more, 1)):
        text = attributes.get(name, "")
        if text.isascii() and text.isdigit() and len(text) < 4:
            return max(1, int(text) + added)
    return 1
