"""Spreadsheets (xlsx and related types): sheets are streamed row by row; formulas are shown by their last results."""

from collections.abc import Iterator

from docsieve.parsers.flow.blocks import Block, Heading, NewPage, Paragraph
from docsieve.parsers.office.markup import (
    Element,
    attribute,
    child,
    children,
    elements_of,
    name_of,
    part,
    relation_id,
    required_part,
    text_within,
    within,
)
from docsieve.parsers.office.ooxml.figures import figure_blocks
from docsieve.parsers.office.ooxml.opc import Relation, relations_of, targets
from docsieve.parsers.office.package import Package
from docsieve.parsers.office.sheets.grids import Row, grids_of
from docsieve.parsers.office.sheets.places import LAST_COLUMN, LAST_ROW, merges_of, place_of
from docsieve.parsers.office.sheets.xlsx_cells import CellReader, formats_of, rich_text

_ROWS = frozenset({"sheetData"})
_STRINGS = frozenset({"sst"})


def workbook_blocks(package: Package, name: str) -> Iterator[Block]:
    root = required_part(package, name)
    relations = relations_of(package, name)
    cells = _cell_reader(package, relations, root)
    sheets = child(root, "sheets")
    for sheet in children(sheets, "sheet") if sheets is not None else ():
        yield NewPage()
        yield Heading(attribute(sheet, "name") or "")
        relation = relations.get(relation_id(sheet) or "")
        if relation is not None:
            yield from grids_of(_rows(package, relation.target, cells), merges_of(package.stream(relation.target)))
            yield from _attached_blocks(package, relation.target)


def _cell_reader(package: Package, relations: dict[str, Relation], root: Element) -> CellReader:
    settings = child(root, "workbookPr")
    since_1904 = settings is not None and (attribute(settings, "date1904") or "0").lower() in ("1", "true", "on")
    strings = [
        rich_text(element)
        for name in targets(relations, "sharedStrings")[:1]
        for element in elements_of(package.stream(name), _STRINGS, "si")
    ]
    styles = targets(relations, "styles")
    return CellReader(strings, formats_of(part(package, styles[0]) if styles else None), since_1904)


def _rows(package: Package, name: str, cells: CellReader) -> Iterator[Row]:
    """Rows and cells may omit their positions, and then follow one another."""
    following = 0
    for row in elements_of(package.stream(name), _ROWS, "row"):
        stated = row.attrib.get("r", "")
        row_number = int(stated) - 1 if stated.isdecimal() and len(stated) < 8 else following
        if not following <= row_number < LAST_ROW:
            continue
        following = row_number + 1
        texts: dict[int, str] = {}
        column = 0
        for cell in row:
            if name_of(cell) != "c":
                continue
            place = place_of(cell.attrib.get("r", ""))
            column = place[1] if place is not None else column
            if column < LAST_COLUMN and len(cell):
                texts[column] = cells.text(cell)
            column += 1
        yield row_number, texts


def _attached_blocks(package: Package, name: str) -> Iterator[Block]:
    """Yield the text boxes, charts and comments of a sheet."""
    relations = relations_of(package, name)
    for drawing in targets(relations, "drawing"):
        root = part(package, drawing)
        for body in within(root, "txBody") if root is not None else ():
            if text := "\n".join(text_within(paragraph, "t") for paragraph in children(body, "p")).strip():
                yield Paragraph(text)
        for chart in targets(relations_of(package, drawing), "chart"):
            yield from figure_blocks(package, chart)
    for comments in targets(relations, "comments"):
        root = part(package, comments)
        for comment in within(root, "comment") if root is not None else ():
            if text := text_within(comment, "t").strip():
                yield Paragraph(f"Comment on {attribute(comment, 'ref') or 'a cell'}: {text}")
