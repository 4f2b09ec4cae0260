"""The same content in each format."""

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from docsieve.content.formats.csv import CsvWriter
from docsieve.content.formats.markdown import MarkdownWriter, paragraph
from docsieve.content.formats.port import About
from docsieve.content.formats.registry import MEDIA_TYPES, FormatName, writer_for
from docsieve.content.outline import PageContent, document_content
from docsieve.domain.pages.page import Cell, Page, Table
from tests.content.pages import line, page, table

_COMMONMARK = MarkdownIt("commonmark").enable("table")


def _written(name: FormatName, *pages: Page, number: int = 1) -> str:
    writer = writer_for(name, table=number)
    contents: list[PageContent] = list(document_content(pages, pages))
    about = About("A title", len(pages), language="en")
    return writer.begin(about) + "".join(map(writer.page, contents)) + writer.end()


def _document() -> list[Page]:
    made, lines = table([["Item", "Price"], ["Lamp | desk", "80"], ["=1+1", "2 * 3"]], 20)
    first = page(
        line("Order form", 2, role="heading", block=0),
        line("Please deliver soon.", 8, block=1),
        line("• one lamp", 12, role="list", block=2),
        line("• two chairs", 13, role="list", block=3),
        *lines,
        line("Page 1 of 2", 58, block=9),
        tables=[made],
    )
    return [first, page(line("The end <of it>.", 8, block=0), line("Page 2 of 2", 58, block=1), number=2)]


def test_markdown_has_headings_lists_tables_and_pages() -> None:
    assert _written("markdown", *_document()) == (
        "<!-- page 1 -->\n\n# Order form\n\nPlease deliver soon.\n\n- one lamp\n- two chairs\n\n"
        "| Item | Price |\n| --- | --- |\n| Lamp \\| desk | 80 |\n| =1+1 | 2 * 3 |\n\n"
        "<footer>Page 1 of 2</footer>\n\n<!-- page 2 -->\n\nThe end \\<of it>.\n\n<footer>Page 2 of 2</footer>\n\n"
    )


def test_html_escapes_text_and_keeps_spans() -> None:
    cells = [
        Cell(0, 0, "Both & all", (0, 0, 9, 9), row_span=1, column_span=2, header=True),
        Cell(1, 0, "<b>left", (0, 9, 4, 18)),
        Cell(1, 1, "right", (4, 9, 9, 18)),
    ]
    made = Table((50.0, 100.0, 250.0, 200.0), 2, 2, cells)
    written = _written("html", page(line("Both left right", 8), tables=[made]))
    assert '<tr><th colspan="2">Both &amp; all</th></tr>' in written
    assert "<td>&lt;b&gt;left</td><td>right</td>" in written
    assert "<title>A title</title>" in written


def test_every_tag_of_html_is_closed() -> None:
    items = [("• one", 50.0), ("a) two", 70.0), ("b) three", 70.0), ("• four", 50.0), ("• five", 90.0)]
    lines = [line(text, 5 + at, left=left, role="list", block=at) for at, (text, left) in enumerate(items)]
    opened: list[str] = []

    class Balance(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag not in ("meta", "br"):
                opened.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert opened.pop() == tag

    Balance().feed(_written("html", page(*lines), *_document()))
    assert opened == []


def test_text_separates_cells_by_tabs_and_pages_by_form_feeds() -> None:
    first, second = _written("text", *_document()).split("\f")
    assert "Item\tPrice\nLamp | desk\t80" in first
    assert "- one lamp\n- two chairs" in first
    assert second == "The end <of it>.\n\nPage 2 of 2\n"


def test_json_has_page_and_box_of_each_block() -> None:
    written = json.loads(_written("json", *_document()))
    assert (written["title"], written["page_count"]) == ("A title", 2)
    blocks = [block for each in written["pages"] for block in each["blocks"]]
    assert [block["kind"] for block in blocks] == [
        "heading", "paragraph", "list", "table", "paragraph", "paragraph", "paragraph",
    ]  # fmt: skip
    assert [block["part"] for block in blocks].count("footer") == 2
    assert blocks[0]["box"] == [50.0, 28.0, 100.0, 38.0]
    assert blocks[3]["table"]["number"] == 1
    assert {block["page"] for block in blocks} == {1, 2}


def test_csv_has_one_table_without_formulas() -> None:
    rows = list(csv.reader(io.StringIO(_written("csv", *_document()))))
    assert rows == [["Item", "Price"], ["Lamp | desk", "80"], ["'=1+1", "2 * 3"]]
    writer = CsvWriter(2)
    assert [writer.page(content) for content in document_content(_document(), _document())] == ["", ""]
    assert not writer.written


@pytest.mark.parametrize("name", list(MEDIA_TYPES))
def test_a_page_that_could_not_be_read_does_not_end_the_document(name: FormatName) -> None:
    broken = replace(page(number=1), error="Out of --> ink")
    written = _written(name, broken, page(line("Still here", 9), number=2))
    assert name == "csv" or "Still here" in written
    assert name != "markdown" or re.search(r"<!-- page 1 could not be read: Out of\s+ink -->", written)


def test_a_table_with_a_claim_to_a_billion_columns_is_written_without_them() -> None:
    cells = [Cell(at, at * 1_000_000, str(at), (0, 0, 9, 9)) for at in range(1_500)]
    made = Table((50.0, 100.0, 250.0, 200.0), 10**9, 10**9, cells)
    assert len(_written("csv", page(line("x", 8), tables=[made]))) < 20_000


_TEXTS = st.text(st.sampled_from("ab 1.)(*_#-+>`~|![]<&;:/=\\x"), min_size=1, max_size=24)


@given(_TEXTS)
def test_no_text_becomes_markup(text: str) -> None:
    shown = " ".join(text.split())
    if not shown:
        return
    tokens = _COMMONMARK.parse(paragraph(shown))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    children = tokens[1].children or []
    assert {token.type for token in children} <= {"text", "text_special"}, children
    assert "".join(token.content for token in children) == shown


@given(st.lists(st.lists(_TEXTS, min_size=2, max_size=2), min_size=2, max_size=4))
def test_no_cell_breaks_its_table(rows: list[list[str]]) -> None:
    rows = [["Head", "Row"], *[[f"x{text}" for text in row] for row in rows]]
    made, lines = table(rows, 10)
    pages = [page(*lines, tables=[made])]
    writer = MarkdownWriter()
    writer.begin(About("", 1))
    tokens = _COMMONMARK.parse("".join(map(writer.page, document_content(pages, pages))))
    cells = [
        "".join(child.content for child in (tokens[at + 1].children or []))
        for at, token in enumerate(tokens)
        if token.type in ("th_open", "td_open")
    ]
    assert cells == [" ".join(text.split()) for row in rows for text in row]
