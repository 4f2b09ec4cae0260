from collections.abc import Iterable, Iterator

import pytest

from docsieve.domain.pages.page import Box, Page
from docsieve.errors import TooManyPages
from docsieve.parsers.flow.blocks import Block, Grid, GridCell, Heading, NewPage, Paragraph
from docsieve.parsers.flow.metrics import A4, MAX_WIDTH
from docsieve.parsers.flow.pages import reading_of
from docsieve.parsers.port import Attachment, ReadOptions


def lay_out(blocks: Iterable[Block], max_pages: int = 5000) -> list[Page]:
    reading = reading_of(blocks, ReadOptions(max_pages=max_pages))
    pages = list(reading.pages)
    assert len(pages) == reading.page_count
    for page in pages:
        assert page.origin == "layout"
        for line in page.lines:
            assert inside(line.box, (0, 0, page.width, page.height))
            assert all(inside(word.box, line.box) for word in line.words)
        for table in page.tables:
            assert inside(table.box, (0, 0, page.width, page.height))
            assert all(inside(cell.box, table.box) for cell in table.cells)
    return pages


def inside(inner: Box, outer: Box) -> bool:
    return outer[0] <= inner[0] < inner[2] <= outer[2] and outer[1] <= inner[1] < inner[3] <= outer[3]


def grid(*rows: list[str]) -> Grid:
    return Grid([[GridCell(text) for text in row] for row in rows])


def test_blocks_are_numbered_and_keep_their_roles() -> None:
    [page] = lay_out([Heading("Title"), Paragraph("word " * 40), Paragraph("• item", listed=True)])

    assert [(line.block, line.role) for line in page.lines] == [(0, "heading"), (1, None), (1, None), (2, "list")]


def test_no_words_of_a_page_overlap() -> None:
    [page] = lay_out([Paragraph("one two\nthree"), grid(["a b", "c"], ["d", "e f g"])])

    boxes = [word.box for line in page.lines for word in line.words]
    for place, a in enumerate(boxes):
        for b in boxes[:place]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_a_document_without_text_is_one_empty_page() -> None:
    assert [page.lines for page in lay_out([])] == [[]]
    assert [page.lines for page in lay_out([Paragraph(" \n "), Grid([]), Grid([[]])])] == [[]]


def test_a_page_break_at_the_very_beginning_makes_no_empty_page() -> None:
    pages = lay_out([NewPage(), Paragraph("one"), NewPage(), Paragraph("two")])

    assert [page.text for page in pages] == ["one", "two"]


def test_the_words_of_a_cell_lie_in_its_box() -> None:
    [page] = lay_out([grid(["name", "a long text " * 12], ["x", "y"])])

    [table] = page.tables
    words = [word for line in page.lines for word in line.words]
    for cell in table.cells:
        held = [word.text for word in words if inside(word.box, cell.box)]
        assert held == cell.text.split()
    assert len(words) == sum(len(cell.text.split()) for cell in table.cells)


def test_every_row_of_a_table_is_a_separate_block() -> None:
    [page] = lay_out([grid(["a", "b"], ["c", "d"]), Paragraph("after")])

    assert [(line.text, line.block) for line in page.lines] == [("a b", 0), ("c d", 1), ("after", 2)]


def test_spans_are_resolved_as_in_a_web_page() -> None:
    [page] = lay_out(
        [Grid([[GridCell("a", row_span=2), GridCell("b", column_span=2, header=True)], [GridCell("c"), GridCell("d")]])]
    )

    [table] = page.tables
    places = {cell.text: (cell.row, cell.column, cell.row_span, cell.column_span) for cell in table.cells}
    assert (table.rows, table.columns) == (2, 3)
    assert places == {"a": (0, 0, 2, 1), "b": (0, 1, 1, 2), "c": (1, 1, 1, 1), "d": (1, 2, 1, 1)}
    assert [cell.header for cell in table.cells] == [False, True, False, False]


def test_a_wide_table_widens_the_page_and_loses_nothing() -> None:
    [page] = lay_out([grid([f"column{n}" for n in range(60)], [f"value{n}" for n in range(60)])])

    assert A4.width < page.width <= MAX_WIDTH
    assert [word.text for line in page.lines for word in line.words] == [
        f"{name}{n}" for name in ("column", "value") for n in range(60)
    ]


def test_a_table_too_wide_for_any_page_is_cut_into_bands() -> None:
    pages = lay_out([grid([f"c{n}" for n in range(9000)])])

    assert max(page.width for page in pages) <= MAX_WIDTH
    assert sum(len(table.cells) for page in pages for table in page.tables) == 9000


def test_a_long_table_breaks_over_pages_and_each_part_is_a_table() -> None:
    pages = lay_out([grid(*([f"row {n}", "x"] for n in range(150)))])

    assert [page.tables[0].rows for page in pages] == [A4.rows, A4.rows, 30]
    assert "\n".join(page.text for page in pages) == "\n".join(f"row {n} x" for n in range(150))


def test_a_cell_taller_than_a_page_continues_on_the_next() -> None:
    pages = lay_out([grid(["\n".join(f"line{n}" for n in range(100)), "beside"])])

    texts = [word.text for page in pages for line in page.lines for word in line.words]
    assert len(pages) == 2
    assert sorted(texts) == sorted([f"line{n}" for n in range(100)] + ["beside"])


@pytest.mark.parametrize(
    "text", ["漢字" * 200, "é" * 500, "e\u0301" * 300, "👍🏽 " * 100, "a" * 1000, "\u0301", "\u200b"]
)
def test_any_script_is_wrapped_within_the_page_and_keeps_its_characters(text: str) -> None:
    [page] = lay_out([Paragraph(text)])

    assert "".join(page.text.split()) == "".join(text.split())


def test_a_wide_character_takes_two_columns() -> None:
    [page] = lay_out([Paragraph("漢字 ab")])

    wide, narrow = page.lines[0].words
    assert wide.box[2] - wide.box[0] == pytest.approx(2 * (narrow.box[2] - narrow.box[0]), abs=0.02)


def test_the_limit_on_pages_is_kept_before_the_rest_is_looked_at() -> None:
    taken = 0

    def blocks() -> Iterator[Block]:
        nonlocal taken
        for _ in range(1000):
            taken += 1
            yield NewPage()

    with pytest.raises(TooManyPages):
        lay_out(blocks(), max_pages=3)
    assert taken == 4


def test_attachments_and_information_pass_through() -> None:
    reading = reading_of([], ReadOptions(), attachments=iter([Attachment("a", b"b")]), media_type="text/x")

    assert [attachment.name for attachment in reading.attachments] == ["a"]
    assert reading.media_type == "text/x"


def test_lines_are_no_longer_than_the_page_is_wide() -> None:
    [page] = lay_out([Paragraph("twelve chars " * 50)])

    assert all(len(line.text) <= A4.columns for line in page.lines)


def height_of_lines(page: Page) -> float:
    return page.lines[0].box[3] - page.lines[0].box[1]


def test_a_slide_is_one_page_of_its_size_with_lines_as_large_as_fit() -> None:
    little, much = [Paragraph("few words")], [Paragraph("many words\n" * 50)]
    pages = lay_out([NewPage(slide=(720, 540)), *little, NewPage(slide=(720, 540)), *much, NewPage(), *little])

    assert [(page.width, page.height) for page in pages] == [(720, 540), (720, 540), (A4.width, A4.height)]
    assert height_of_lines(pages[0]) > 3 * height_of_lines(pages[1])
    assert len(pages[1].lines) == 50


def test_a_slide_that_fits_on_no_page_continues_on_pages_of_its_size() -> None:
    pages = lay_out([NewPage(slide=(960, 540)), Paragraph("\n".join(f"line {n}" for n in range(100))), NewPage()])

    assert [(page.width, page.height) for page in pages] == [(960, 540), (960, 540), (A4.width, A4.height)]
    assert [line.text for page in pages for line in page.lines] == [f"line {n}" for n in range(100)]


def test_a_wide_table_on_a_slide_gets_smaller_lines_before_the_page_gets_wider() -> None:
    def slide(columns: int) -> Page:
        [page] = lay_out([NewPage(slide=(720, 540)), grid([f"column{n}" for n in range(columns)])])
        return page

    assert slide(3).width == slide(15).width == 720
    assert height_of_lines(slide(15)) < height_of_lines(slide(3))
    assert slide(60).width > 720


def test_the_limit_on_pages_holds_for_slides() -> None:
    with pytest.raises(TooManyPages, match="more than 3 pages"):
        lay_out([NewPage(slide=(720, 540))] * 4, max_pages=3)


def test_slides_without_text_are_empty_pages() -> None:
    assert [page.lines for page in lay_out([NewPage(slide=(720, 540))] * 2)] == [[], []]
