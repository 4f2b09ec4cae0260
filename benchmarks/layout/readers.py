"""Readers of a PDF: Docsieve, and libraries that give its text in an order of their own."""

import re
import warnings
from collections.abc import Callable
from pathlib import Path

from benchmarks.layout.score import Said
from benchmarks.layout.sheet import Rows
from docsieve.domain.pages.page import Table
from docsieve.parsers.ocr.backends import LADDER
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions

Reader = Callable[[Path], Said]

_RULE = re.compile(r"\|(\s*:?-+:?\s*\|)+")


def docsieve(path: Path) -> Said:
    pages = list(PDF.read(path, ReadOptions(ocr_backend=LADDER[0].name)).pages)
    lines = [line.text for page in pages for line in page.lines]
    return Said(lines, [_rows(table) for page in pages for table in page.tables])


def _rows(table: Table) -> Rows:
    rows = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        rows[cell.row][cell.column] = " ".join(cell.text.split())
    return rows


def markitdown(path: Path) -> Said:
    from markitdown import MarkItDown

    with warnings.catch_warnings(action="ignore"):
        return _of_markdown(MarkItDown().convert(str(path)).markdown)


def kreuzberg(path: Path) -> Said:
    from kreuzberg import extract_file_sync

    result = extract_file_sync(str(path))
    said = _of_markdown(result.content)
    said.tables = [[[str(cell) for cell in row] for row in table.cells] for table in result.tables]
    return said


def _of_markdown(text: str) -> Said:
    """Each cell of a table is a line: Markdown has no other way to write a row."""
    said = Said()
    table: Rows = []
    for line in text.splitlines():
        stripped = line.strip()
        if stripped.startswith("|") and stripped.endswith("|"):
            if _RULE.fullmatch(stripped):
                continue
            cells = [cell.strip() for cell in stripped.strip("|").split("|")]
            said.lines += [cell for cell in cells if cell]
            if not table:
                said.tables.append(table)
            table.append(cells)
        else:
            table = []
            said.lines += [stripped] if stripped else []
    return said


READERS: dict[str, Reader] = {"Docsieve": docsieve, "markitdown": markitdown, "kreuzberg": kreuzberg}
