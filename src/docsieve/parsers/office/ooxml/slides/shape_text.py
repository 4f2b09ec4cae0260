"""The text of shapes in DrawingML: paragraphs, tables, charts and diagrams."""

from collections.abc import Iterator

from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Heading, Paragraph
from docsieve.parsers.office.list_numbers import BULLET
from docsieve.parsers.office.markup import Element, attribute, child, children, name_of, number, relation_id, within
from docsieve.parsers.office.ooxml.figures import figure_blocks
from docsieve.parsers.office.ooxml.opc import Relation
from docsieve.parsers.office.ooxml.slides.shapes import Shape
from docsieve.parsers.office.package import Package

_BULLETED = frozenset({"body", "obj"})
_KNOWN_FIELDS = ("slidenum", "datetime")
_ON = frozenset({"1", "true"})
_MAX_SPAN = 1024


def shape_blocks(package: Package, shape: Shape, relations: dict[str, Relation]) -> Iterator[Block]:
    body = child(shape.element, "txBody")
    if body is not None:
        yield from _paragraphs(body, shape)
    for table in within(shape.element, "tbl"):
        yield _grid(table)
    for figure in within(shape.element, "chart", "relIds"):
        relation = relations.get(relation_id(figure) or relation_id(figure, "dm") or "")
        if relation is not None:
            yield from figure_blocks(package, relation.target)


def is_numbered(element: Element) -> bool:
    """Whether it shows the number of the slide."""
    return any(attribute(field, "type") == "slidenum" for field in within(element, "fld"))


def has_known_fields(element: Element) -> bool:
    """Whether all of its fields are slide numbers or dates. A date is the one that was last shown."""
    return all((attribute(field, "type") or "").startswith(_KNOWN_FIELDS) for field in within(element, "fld"))


def set_slide_number(element: Element, slide: int) -> None:
    """Write the number into its fields: the file has the last shown number or a placeholder."""
    for field in within(element, "fld"):
        shown = child(field, "t") if attribute(field, "type") == "slidenum" else None
        if shown is not None:
            shown.text = str(slide)


def body_text(body: Element) -> str:
    return "\n".join(_paragraph_text(paragraph) for paragraph in children(body, "p")).strip()


def _paragraphs(body: Element, shape: Shape) -> Iterator[Block]:
    if shape.is_title:
        if text := body_text(body):
            yield Heading(text)
        return
    for paragraph in children(body, "p"):
        text = _paragraph_text(paragraph)
        if not text.strip():
            continue
        properties = child(paragraph, "pPr")
        bulleted = _is_bulleted(properties, shape.kind)
        indent = "  " * min(max(0, number(properties, "lvl")), 8) if bulleted else ""
        yield Paragraph(f"{indent}{BULLET} {text}" if bulleted else text, listed=bulleted)


def _is_bulleted(properties: Element | None, kind: str | None) -> bool:
    if properties is not None:
        for mark in properties:
            if name_of(mark) in ("buChar", "buAutoNum", "buBlip"):
                return True
            if name_of(mark) == "buNone":
                return False
    return kind in _BULLETED


def _paragraph_text(paragraph: Element) -> str:
    texts = []
    for inner in paragraph:
        name = name_of(inner)
        if name == "br":
            texts.append("\n")
        elif name in ("r", "fld"):
            texts.extend(text.text or "" for text in children(inner, "t"))
        elif name not in ("pPr", "endParaRPr"):
            texts.extend(text.text or "" for text in within(inner, "t"))
    # A vertical tab is how older versions write a line break.
    return "".join(texts).replace("\v", "\n").replace("_x000B_", "\n")


def _grid(table: Element) -> Grid:
    properties = child(table, "tblPr")
    first_is_header = properties is not None and (attribute(properties, "firstRow") or "0").lower() in _ON
    grid = Grid()
    for place, row in enumerate(children(table, "tr")):
        cells = []
        for cell in children(row, "tc"):
            if (cell.attrib.get("hMerge", "0") in _ON) or (cell.attrib.get("vMerge", "0") in _ON):
                continue
            body = child(cell, "txBody")
            cells.append(
                GridCell(
                    body_text(body) if body is not None else "",
                    row_span=min(max(1, number(cell, "rowSpan", 1)), _MAX_SPAN),
                    column_span=min(max(1, number(cell, "gridSpan", 1)), _MAX_SPAN),
                    header=first_is_header and place == 0,
                )
            )
        grid.rows.append(cells)
    return grid
