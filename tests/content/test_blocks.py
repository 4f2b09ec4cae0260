"""Blocks from pages: paragraphs, lists, headings with levels, headers and footers."""

from dataclasses import replace

import pytest

from docsieve.content.blocks import list_items, page_blocks
from docsieve.content.outline import PageContent, document_content
from docsieve.domain.pages.page import Page
from tests.content.pages import line, page, table

_LONG = "These words fill a line of the column up to its right edge, so that no further word has"


def _content(*pages: Page) -> list[PageContent]:
    return list(document_content(pages, pages))


def test_lines_of_a_paragraph_are_joined_and_hyphenated_words_are_whole_again() -> None:
    lines = [line(f"{_LONG} docu-", 10, block=0), line("mented room in it and", 11, block=0)]
    (block,) = page_blocks(page(*lines))
    assert block.text == f"{_LONG} documented room in it and"


def test_a_line_that_leaves_room_for_the_next_word_ends_where_the_document_ends_it() -> None:
    address = [line("Havsvik Hospital", 2, block=0), line("Strandallee 3", 3, block=0), line("Havsvik", 4, block=0)]
    prose = [line(_LONG, 10, block=1), line("room at all.", 11, block=1)]
    blocks = list(page_blocks(page(*address, *prose)))
    assert [block.text for block in blocks] == [
        "Havsvik Hospital\nStrandallee 3\nHavsvik",
        f"{_LONG} room at all.",
    ]


def test_lines_in_scripts_without_spaces_are_joined_without_one() -> None:
    lines = [line("これは最初の行です", 1, block=0), line("そして次の行です", 2, block=0)]
    (block,) = page_blocks(page(*lines))
    assert block.text == "これは最初の行ですそして次の行です"


def test_items_of_a_list_keep_their_numbers_further_lines_and_depth() -> None:
    lines = [
        line("1. First of all", 1, role="list", block=0),
        line("it goes on", 2, block=0, left=62.0),
        line("a) within it", 3, role="list", block=1, left=70.0),
        line("2. Second", 4, role="list", block=2),
        line("• without a number", 5, role="list", block=3),
    ]
    (block,) = page_blocks(page(*lines))
    found = [(item.number, " ".join(item.text.split()), item.depth) for item in list_items(block)]
    assert found == [
        ("1.", "First of all it goes on", 0),
        ("a)", "within it", 1),
        ("2.", "Second", 0),
        (None, "without a number", 0),
    ]


def test_what_neighboring_pages_repeat_at_their_edges_is_marked_and_can_be_dropped() -> None:
    pages = [
        page(
            line("Annual report 2025", 1, block=0),
            line(f"Body of page {number} says something new.", 20, block=1),
            line(f"Page {number} of 4", 58, block=2),
            number=number,
        )
        for number in range(1, 5)
    ]
    contents = _content(*pages)
    assert [content.number for content in contents] == [1, 2, 3, 4]
    assert [[block.part for block in content.blocks] for content in contents] == [
        ["body", "body", "footer"],  # a letterhead of the first page is content
        *[["header", "body", "footer"]] * 3,
    ]
    kept = [[block.text for block in content.without_running().blocks] for content in contents[1:]]
    assert kept == [[f"Body of page {number} says something new."] for number in (2, 3, 4)]


def test_text_in_the_middle_of_pages_is_not_a_header_even_if_all_pages_have_it() -> None:
    pages = [page(line("Signature:", 30, block=0), number=number) for number in range(1, 4)]
    assert {block.part for content in _content(*pages) for block in content.blocks} == {"body"}


def test_lines_that_differ_in_numbers_other_than_those_of_pages_are_not_headers() -> None:
    pages = [page(line(f"{5 * number * number} lamps", 3, block=0), number=number) for number in range(1, 5)]
    assert {block.part for content in _content(*pages) for block in content.blocks} == {"body"}


def test_roles_that_the_parser_found_are_kept_and_come_in_the_order_of_a_page() -> None:
    lines = [
        line("Sender GmbH, bank details", 40, role="footer", block=0),
        line("The text.", 20, block=1),
        line("1 A note.", 35, role="footnote", block=2),
        line("Letterhead", 2, role="header", block=3),
    ]
    (content,) = _content(page(*lines))
    assert [block.part for block in content.blocks] == ["header", "body", "footnote", "footer"]
    assert [block.part for block in content.without_running().blocks] == ["body", "footnote"]


def test_levels_come_from_the_document_from_numbers_or_from_sizes() -> None:
    large = line("Title of it all", 1, role="heading", block=0)
    large.box = (50.0, 14.0, 300.0, 34.0)
    small = line("Part of it", 5, role="heading", block=1)
    own = replace(line("Own level", 9, role="heading", block=2), level=5)
    numbered = line("2.1 Scope of delivery", 12, role="heading", block=3)
    (content,) = _content(page(large, small, own, numbered))
    assert [block.level for block in content.blocks] == [1, 2, 5, 3]


@pytest.mark.parametrize(("text", "descends"), [("Reason for visit", 0.0), ("Medical history", 2.1)])
def test_deep_letters_do_not_change_the_level_of_a_heading(text: str, descends: float) -> None:
    title = line("Discharge Letters", 1, role="heading", block=0)
    title.box = (50.0, 14.0, 300.0, 34.0)
    headings = []
    for at, each in enumerate(("Reason for visit", "Medical history")):
        heading = line(each, 5 + 4 * at, role="heading", block=1 + at)
        deep = 2.6 if each == "Medical history" else 0.0
        heading.box = (50.0, heading.box[1], 200.0, heading.box[1] + 9.1 + deep)
        headings.append(heading)
    (content,) = _content(page(title, *headings))
    assert [block.level for block in content.blocks] == [1, 2, 2]


def test_large_lines_of_a_scan_are_headings() -> None:
    title = line("Terms of Delivery", 1)
    title.box = (50.0, 14.0, 300.0, 32.0)
    body = [line(_LONG, row) for row in (5, 6, 7)]
    footer = line("Page 1", 50)
    footer.role = "footer"
    (content,) = _content(replace(page(title, *body, footer), origin="ocr"))
    assert [block.kind for block in content.blocks] == ["heading", "paragraph", "paragraph"]


def test_a_table_comes_where_its_first_line_is_and_its_lines_do_not_come_again() -> None:
    made, lines = table([["Item", "Price"], ["Lamp", "80"]], 10)
    blocks = list(page_blocks(page(line("Before", 5), *lines, line("After", 20), tables=[made])))
    assert [block.kind for block in blocks] == ["paragraph", "table", "paragraph"]
