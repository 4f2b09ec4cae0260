"""Our pages from an analysis by Azure Document Intelligence."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from docsieve.domain.pages.page import Page
from docsieve.errors import CorruptDocument, TooManyPages
from docsieve.parsers.azure.lines import Paragraphs, read_lines
from docsieve.parsers.azure.tables import pages_of, read_tables
from docsieve.parsers.port import Reading, ReadOptions
from docsieve.remote.azure.errors import error_of_failure
from docsieve.remote.azure.places import Sheet
from docsieve.remote.azure.shapes import AnalysisShape, PageShape, TableShape, parse_operation


def read(source: Path, options: ReadOptions) -> Reading:
    """Raises the provider's error, CorruptDocument or TooManyPages."""
    found = parse_operation(source.read_bytes())
    if found.status != "succeeded" or found.analyze_result is None:
        raise error_of_failure(found.error)
    count = page_count(found.analyze_result)
    if count == 0:
        raise CorruptDocument("The provider found no pages in the document.")
    if count > options.max_pages:
        raise TooManyPages(f"The document has {count} pages; at most {options.max_pages} are allowed.")
    return Reading(count, read_pages(found.analyze_result))


def read_pages(analysis: AnalysisShape) -> Iterator[Page]:
    """Yield pages numbered from 1. A page that the provider left out has an error."""
    paragraphs = Paragraphs(analysis.paragraphs)
    tables: defaultdict[int, list[TableShape]] = defaultdict(list)
    for table in analysis.tables:
        for number in set(pages_of(table)):
            tables[number].append(table)
    known = {page.page_number: page for page in analysis.pages}
    for number in range(1, page_count(analysis) + 1):
        page = known.get(number)
        if page is None:
            yield Page(number, 0.0, 0.0, error="The provider gave no result for this page.", origin="ocr")
        else:
            yield _page(page, paragraphs, tables[number])


def page_count(analysis: AnalysisShape) -> int:
    return max((page.page_number for page in analysis.pages), default=0)


def _page(shape: PageShape, paragraphs: Paragraphs, tables: list[TableShape]) -> Page:
    sheet = Sheet.of(shape)
    return Page(
        shape.page_number,
        sheet.width,
        sheet.height,
        read_lines(shape, sheet, paragraphs),
        origin="ocr",
        turned=sheet.turned,
        tables=read_tables(tables, shape.page_number, sheet),
    )
