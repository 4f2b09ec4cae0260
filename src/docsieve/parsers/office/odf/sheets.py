"""OpenDocument spreadsheets, streamed row by row. A cell has a value and the text that was last shown."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import chain, groupby

from docsieve.parsers.flow.blocks import Block, Heading, NewPage, Paragraph
from docsieve.parsers.office.markup import Element, attribute, children, elements_of, name_of, number
from docsieve.parsers.office.odf.paragraphs import PAGE_BREAK, paragraph_of, plain_text
from docsieve.parsers.office.package import Readable
from docsieve.parsers.office.sheets.cell_values import plain_number, shown_moment
from docsieve.parsers.office.sheets.grids import Anchors, Merge, Row, grids_of
from docsieve.parsers.office.sheets.places import LAST_COLUMN, LAST_ROW

_ROW_HOLDERS = frozenset({"table", "table-rows", "table-row-group", "table-header-rows"})


def spreadsheet_blocks(content: Readable) -> Iterator[Block]:
    rows = elements_of(content, _ROW_HOLDERS, "table-row")
    for _, of_sheet in groupby(_numbered_by_sheet(rows), key=lambda found: found[0]):
        following = (row for _, row in of_sheet)
        first = next(following)
        table = _table_of(first)
        sheet = _Sheet()
        yield NewPage()
        yield Heading((attribute(table, "name") or "") if table is not None else "")
        yield from grids_of(sheet.rows(chain([first], following)), sheet.anchors)
        yield from map(Paragraph, sheet.comments)


class _Sheet:
    """`anchors` and `comments` fill while its rows are read."""

    def __init__(self) -> None:
        self.anchors: Anchors = {}
        self.comments: list[str] = []

    def rows(self, elements: Iterator[Element]) -> Iterator[Row]:
        row = 0
        for element in elements:
            repeated = max(1, number(element, "number-rows-repeated", 1))
            texts = self._texts(element, row)
            if texts:
                yield from ((place, texts) for place in range(row, min(row + repeated, LAST_ROW)))
            row += repeated
            if row >= LAST_ROW:
                return

    def _texts(self, element: Element, row: int) -> dict[int, str]:
        texts: dict[int, str] = {}
        column = 0
        for cell in children(element, "table-cell", "covered-table-cell"):
            repeated = max(1, number(cell, "number-columns-repeated", 1))
            text = cell_text(cell) if len(cell) or attribute(cell, "value-type") else ""
            if text and column < LAST_COLUMN:
                texts.update(dict.fromkeys(range(column, min(column + repeated, LAST_COLUMN)), text))
                self._note_merge(cell, row, column)
            for annotation in children(cell, "annotation"):
                if comment := plain_text(annotation):
                    self.comments.append(f"Comment: {comment}")
            column += repeated
        return texts

    def _note_merge(self, cell: Element, row: int, column: int) -> None:
        down, across = number(cell, "number-rows-spanned", 1), number(cell, "number-columns-spanned", 1)
        if down > 1 or across > 1:
            self.anchors[row, column] = Merge(row, column, row + max(1, down) - 1, column + max(1, across) - 1)


def cell_text(cell: Element) -> str:
    """Return dates in ISO form and everything else as shown."""
    moment = attribute(cell, "date-value")
    if moment:
        return _shown_date(moment)
    shown = "\n".join(paragraph_of(line).text for line in children(cell, "p", "h")).replace(PAGE_BREAK, "")
    return shown or plain_number(attribute(cell, "string-value") or attribute(cell, "value") or "")


def _shown_date(moment: str) -> str:
    try:
        exact = datetime.fromisoformat(moment)
    except ValueError:
        return moment
    # Spreadsheets count in days, whose binary fractions are slightly off the second.
    return shown_moment((exact + timedelta(microseconds=500_000)).replace(microsecond=0))


def _numbered_by_sheet(rows: Iterator[Element]) -> Iterator[tuple[int, Element]]:
    table: Element | None = None
    sheet = 0
    for row in rows:
        holder = _table_of(row)
        if holder is not table:
            table = holder
            sheet += 1
        yield sheet, row


def _table_of(row: Element) -> Element | None:
    holder = row.getparent()
    while holder is not None and name_of(holder) != "table":
        holder = holder.getparent()
    return holder
