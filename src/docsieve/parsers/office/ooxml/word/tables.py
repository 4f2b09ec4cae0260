"""Tables of Word documents, with merged cells."""

from collections.abc import Callable, Iterator

from docsieve.parsers.flow.blocks import Grid, GridCell
from docsieve.parsers.office.markup import Element, attribute, child, name_of, number
from docsieve.parsers.office.ooxml.word.text import chosen

_MAX_COLUMNS = 1024
_WRAPPERS = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"})
_OFF = frozenset({"0", "false", "off"})

TextOfCell = Callable[[Element], str]


def inner_elements(element: Element, *names: str) -> Iterator[Element]:
    """Yield children of these names, including those inside content controls, insertions and the like."""
    for inner in element:
        name = name_of(inner)
        if name in names:
            yield inner
        elif name in _WRAPPERS:
            yield from inner_elements(inner, *names)
        elif name == "AlternateContent" and (branch := chosen(inner)) is not None:
            yield from inner_elements(branch, *names)


def only_cell(table: Element) -> Element | None:
    """Return the only cell of a table, which is a frame rather than a table."""
    cells: list[Element] = []
    for row in inner_elements(table, "tr"):
        cells.extend(inner_elements(row, "tc"))
        if len(cells) > 1:
            return None
    return cells[0] if cells else None


def grid_of(table: Element, text_of: TextOfCell) -> Grid:
    grid = Grid()
    open_cells: dict[int, GridCell] = {}
    for row in inner_elements(table, "tr"):
        properties = child(row, "trPr")
        if child(properties, "del") is not None:
            continue
        header = _is_on(child(properties, "tblHeader"))
        column = _skipped(properties, "gridBefore")
        cells = [GridCell("", column_span=column)] if column else []
        continued: dict[int, GridCell] = {}
        for cell in inner_elements(row, "tc"):
            settings = child(cell, "tcPr")
            span = min(max(1, number(child(settings, "gridSpan"), "val", 1)), _MAX_COLUMNS)
            merge = child(settings, "vMerge")
            above = open_cells.get(column)
            if merge is not None and attribute(merge, "val") != "restart" and above and above.column_span == span:
                above.row_span += 1
                continued[column] = above
            else:
                shown = GridCell(text_of(cell), column_span=span, header=header)
                cells.append(shown)
                if merge is not None:
                    continued[column] = shown
            column += span
        open_cells = continued
        grid.rows.append(cells)
    return grid


def _skipped(properties: Element | None, name: str) -> int:
    return min(max(0, number(child(properties, name), "val")), _MAX_COLUMNS)


def _is_on(element: Element | None) -> bool:
    return element is not None and (attribute(element, "val") or "1").lower() not in _OFF
