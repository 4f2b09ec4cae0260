"""What the provider found, as our pages."""

import json
from dataclasses import asdict
from typing import Any

import pytest

from docsieve.domain.pages.page import Box, Page
from docsieve.domain.pages.pagefile import decode_page
from docsieve.parsers.azure.pages import read_pages
from docsieve.remote.azure.shapes import AnalysisShape
from tests.remote.azure.azure_service import AzureService, succeeded
from tests.remote.azure.conftest import ModelCalls


def quad(x0: float, y0: float, x1: float, y1: float) -> list[float]:
    return [x0, y0, x1, y0, x1, y1, x0, y1]


def word(content: str, offset: int, polygon: list[float], confidence: float = 0.9) -> dict[str, Any]:
    span = {"offset": offset, "length": len(content)}
    return {"content": content, "polygon": polygon, "confidence": confidence, "span": span}


def line(content: str, offset: int, polygon: list[float]) -> dict[str, Any]:
    return {"content": content, "polygon": polygon, "spans": [{"offset": offset, "length": len(content)}]}


def mark(state: str, offset: int, polygon: list[float]) -> dict[str, Any]:
    length = len(f":{state}:")
    return {"state": state, "polygon": polygon, "confidence": 0.8, "span": {"offset": offset, "length": length}}


def page(number: int = 1, **given: Any) -> dict[str, Any]:
    return {"pageNumber": number, "angle": 0, "width": 8.5, "height": 11, "unit": "inch", **given}


def pages(**analysis: Any) -> list[Page]:
    found = list(read_pages(AnalysisShape.model_validate(analysis)))
    for each in found:
        _assert_sound(each)
    return found


def _assert_sound(found: Page) -> None:
    boxes = [line.box for line in found.lines] + [word.box for line in found.lines for word in line.words]
    boxes += [table.box for table in found.tables] + [cell.box for table in found.tables for cell in table.cells]
    for x0, y0, x1, y1 in boxes:
        assert 0 <= x0 < x1 <= found.width + 0.01
        assert 0 <= y0 < y1 <= found.height + 0.01


def test_inches_become_points_and_words_find_their_line() -> None:
    words = [
        word("Hello", 0, quad(1, 1, 2, 1.2), 0.97),
        word("world", 6, quad(2.1, 1, 3, 1.2)),
        word("Bye", 12, quad(1, 2, 2, 2.2)),
    ]
    lines = [line("Hello world", 0, quad(1, 1, 3, 1.2)), line("Bye", 12, quad(1, 2, 2, 2.2))]
    (found,) = pages(pages=[page(words=words, lines=lines)])
    assert (found.width, found.height, found.turned, found.origin) == (612, 792, 0, "ocr")
    assert found.text == "Hello world\nBye"
    first, second = found.lines
    assert [(each.text, each.box, each.confidence) for each in first.words] == [
        ("Hello", (72, 72, 144, 86.4), 0.97),
        ("world", (151.2, 72, 216, 86.4), 0.9),
    ]
    assert first.box == (72, 72, 216, 86.4)
    assert [each.text for each in second.words] == ["Bye"]


def test_pixels_become_points_of_a_scan() -> None:
    shape = page(unit="pixel", width=1700, height=2200, words=[word("x", 0, quad(200, 400, 300, 500))])
    (found,) = pages(pages=[shape])
    assert (found.width, found.height) == (612, 792)
    assert found.lines[0].box == (72, 144, 108, 180)


@pytest.mark.parametrize(
    ("angle", "size", "polygon", "turned", "box"),
    [
        # A word 1 inch wide and 0.2 high whose beginning is 1 inch from the left and 2 from the top of an upright
        # letter page, as it lies when the page was scanned turned.
        (0.4, (8.5, 11), quad(1, 2, 2, 2.2), 0, (72, 144, 144, 158.4)),
        (90, (11, 8.5), [9, 1, 9, 2, 8.8, 2, 8.8, 1], 270, (72, 144, 144, 158.4)),
        (180, (8.5, 11), [7.5, 9, 6.5, 9, 6.5, 8.8, 7.5, 8.8], 180, (72, 144, 144, 158.4)),
        (-179.6, (8.5, 11), [7.5, 9, 6.5, 9, 6.5, 8.8, 7.5, 8.8], 180, (72, 144, 144, 158.4)),
        (-90, (11, 8.5), [2, 7.5, 2, 6.5, 2.2, 6.5, 2.2, 7.5], 90, (72, 144, 144, 158.4)),
    ],
)
def test_rotated_pages_are_turned_upright(
    angle: float, size: tuple[float, float], polygon: list[float], turned: int, box: Box
) -> None:
    shape = page(angle=angle, width=size[0], height=size[1], words=[word("word", 0, polygon)])
    (found,) = pages(pages=[shape])
    assert (found.width, found.height, found.turned) == (612, 792, turned)
    assert found.lines[0].words[0].box == pytest.approx(box)


def test_lines_follow_the_order_of_reading_and_know_their_paragraph() -> None:
    lines = [
        line("second column", 30, quad(5, 1, 8, 1.2)),
        line("Title", 0, quad(1, 0.5, 4, 0.8)),
        line("first column", 6, quad(1, 1, 4, 1.2)),
        line("goes on", 19, quad(1, 1.3, 4, 1.5)),
    ]
    paragraphs = [
        {"role": "title", "content": "Title", "spans": [{"offset": 0, "length": 5}]},
        {"content": "first column goes on", "spans": [{"offset": 6, "length": 20}]},
        {"role": "sectionHeading", "content": "second column", "spans": [{"offset": 30, "length": 13}]},
    ]
    (found,) = pages(pages=[page(lines=lines)], paragraphs=paragraphs)
    assert [(each.text, each.block, each.role) for each in found.lines] == [
        ("Title", 0, "heading"),
        ("first column", 1, None),
        ("goes on", 1, None),
        ("second column", 2, "heading"),
    ]


@pytest.mark.parametrize(
    ("named", "role"),
    [("pageHeader", "header"), ("footnote", "footnote"), ("pageFooter", "footer"), ("pageNumber", "footer")],
)
def test_what_a_page_has_around_its_text_is_marked(named: str, role: str) -> None:
    paragraphs = [{"role": named, "content": "Page 3", "spans": [{"offset": 0, "length": 6}]}]
    (found,) = pages(pages=[page(lines=[line("Page 3", 0, quad(1, 0.5, 4, 0.8))])], paragraphs=paragraphs)
    assert [each.role for each in found.lines] == [role]


def test_selection_marks_are_text_next_to_their_option() -> None:
    marks = [
        mark("selected", 0, quad(1, 1, 1.15, 1.15)),
        mark("unselected", 20, quad(1, 2, 1.15, 2.15)),
        mark("selected", 40, quad(7, 9, 7.15, 9.15)),
    ]
    lines = [line("Yes", 11, quad(1.25, 1, 2, 1.2)), line("No", 33, quad(1.25, 2, 2, 2.2))]
    (found,) = pages(pages=[page(lines=lines, selectionMarks=marks)])
    assert [each.text for each in found.lines] == ["☑ Yes", "☐ No", "☑"]
    first = found.lines[0]
    assert (first.words[0].text, first.words[0].confidence) == ("☑", 0.8)
    assert first.box == (72, 72, 144, 86.4)


def test_tables_keep_spans_headers_and_places() -> None:
    def cell(row: int, column: int, content: str, polygon: list[float] | None, **more: Any) -> dict[str, Any]:
        regions = [{"pageNumber": 1, "polygon": polygon}] if polygon else []
        return {"rowIndex": row, "columnIndex": column, "content": content, "boundingRegions": regions, **more}

    table = {
        "rowCount": 3,
        "columnCount": 2,
        "boundingRegions": [{"pageNumber": 1, "polygon": quad(1, 1, 5, 4)}],
        "cells": [
            cell(0, 0, "Both", quad(1, 1, 5, 2), kind="columnHeader", columnSpan=2),
            cell(1, 0, "Side", quad(1, 2, 3, 4), kind="rowHeader", rowSpan=2),
            cell(1, 1, ":selected: a", quad(3, 2, 5, 3)),
            cell(2, 1, "", None),
        ],
    }
    (found,) = pages(pages=[page()], tables=[table])
    (read,) = found.tables
    assert (read.rows, read.columns, read.box) == (3, 2, (72, 72, 360, 288))
    assert [(c.row, c.column, c.row_span, c.column_span, c.header, c.text) for c in read.cells] == [
        (0, 0, 1, 2, True, "Both"),
        (1, 0, 2, 1, True, "Side"),
        (1, 1, 1, 1, False, "☑ a"),
        (2, 1, 1, 1, False, ""),
    ]
    assert read.cells[2].box == (216, 144, 360, 216)
    assert (read.cells[3].box[0], read.cells[3].box[2]) == (216, 360)


def test_a_table_over_two_pages_is_a_table_on_each() -> None:
    regions = [{"pageNumber": number, "polygon": quad(1, 1, 5, 2)} for number in (1, 2)]
    cells = [
        {
            "rowIndex": row,
            "columnIndex": 0,
            "content": f"row {row}",
            "boundingRegions": [{"pageNumber": 1 + row // 2, "polygon": quad(1, 1, 5, 2)}],
        }
        for row in range(4)
    ]
    table = {"rowCount": 4, "columnCount": 1, "cells": cells, "boundingRegions": regions}
    first, second = pages(pages=[page(1), page(2)], tables=[table])
    for found, texts in ((first, ["row 0", "row 1"]), (second, ["row 2", "row 3"])):
        (read,) = found.tables
        assert (read.rows, [(cell.row, cell.text) for cell in read.cells]) == (2, list(enumerate(texts)))


def test_a_page_that_the_provider_left_out_is_marked() -> None:
    first, second, third = pages(pages=[page(1), page(3)])
    assert (first.error, third.error) == (None, None)
    assert second.error


def test_strange_places_and_characters_do_no_harm() -> None:
    words = [
        word("out", 0, quad(-3, -3, 90, 90)),
        word("point", 4, [2, 2, 2, 2, 2, 2, 2, 2]),
        word("corner", 10, quad(8.5, 11, 8.5, 11)),
        word("no place", 17, []),
        word("half", 26, [1]),
        word("nul\x00l", 31, quad(1, 1, 2, 2), 7.0),
        word("\x00", 40, quad(1, 1, 2, 2)),
    ]
    (found,) = pages(pages=[page(words=words)])
    assert [each.text for each in found.lines] == ["out", "point", "corner", "null"]
    assert found.lines[-1].words[0].confidence == 1.0
    (empty,) = pages(pages=[page(width=0, height=0, words=[word("x", 0, quad(1, 1, 2, 2))])])
    assert empty.width > 0


async def test_all_of_it_comes_through_the_vendors_client(service: AzureService, asking: ModelCalls) -> None:
    shapes = [
        page(number, words=[word("Zahlung", 0, quad(1, 1, 2, 2))], lines=[line("Zahlung", 0, quad(1, 1, 2, 2))])
        for number in (1, 2, 3)
    ]
    service.polls = [succeeded({"content": "Zahlung", "pages": shapes, "styles": [], "sections": [{"spans": []}]})]
    reading = await asking.read()
    found = list(reading.pages)
    assert [each.number for each in found] == [1, 2, 3] and reading.page_count == 3
    assert {each.text for each in found} == {"Zahlung"}
    assert decode_page(json.dumps(asdict(found[0])).encode()) == found[0]
