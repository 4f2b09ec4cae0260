"""One table of a document as CSV."""

import csv
import io

from docsieve.content.formats.port import About
from docsieve.content.grids import text_rows
from docsieve.content.outline import PageContent
from docsieve.tables.cells import harmless


class CsvWriter:
    """Writes the table with this number, counted from 1; `written` says whether there was one."""

    def __init__(self, number: int) -> None:
        self._left = number
        self.written = False

    def begin(self, about: About) -> str:
        return ""

    def page(self, content: PageContent) -> str:
        for block in content.blocks:
            if block.table is None:
                continue
            self._left -= 1
            if self._left == 0:
                self.written = True
                text = io.StringIO(newline="")
                rows = ([harmless(" ".join(cell.split())) for cell in row] for row in text_rows(block.table))
                csv.writer(text).writerows(rows)
                return text.getvalue()
        return ""

    def end(self) -> str:
        return ""
