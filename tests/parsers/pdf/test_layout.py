"""How pages are held, in which order they are read, and what their lines are."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.pages.page import Page
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions
from tests.parsers.pdf.samples import write_by_hand, write_grid

SENTENCE = "Every word of this sentence stands on one line"


def read(path: Path) -> Page:
    [page] = PDF.read(path, ReadOptions()).pages
    return page


def canvas_of(path: Path) -> Canvas:
    return Canvas(str(path), pagesize=(595, 842), invariant=1)


@pytest.mark.parametrize(("lies", "size"), [(90, (842, 595)), (180, (595, 842)), (270, (842, 595))])
def test_a_page_whose_text_runs_another_way_is_set_upright(tmp_path: Path, lies: int, size: tuple[int, int]) -> None:
    canvas = canvas_of(tmp_path / "turned.pdf")
    canvas.translate(300, 421)
    canvas.rotate(lies)
    for row in range(5):
        canvas.drawString(-200, 100 - 20 * row, f"{SENTENCE} {row}")
    canvas.save()

    page = read(tmp_path / "turned.pdf")

    assert (page.turned, page.width, page.height) == (lies, *size)
    assert [line.text for line in page.lines] == [f"{SENTENCE} {row}" for row in range(5)]
    assert all(line.box[2] - line.box[0] > 5 * (line.box[3] - line.box[1]) for line in page.lines)
    tops = [line.box[1] for line in page.lines]
    assert tops == sorted(tops)


def test_a_page_is_not_turned_for_fonts_that_are_mirrored_twice(tmp_path: Path) -> None:
    rows = " ".join(f"BT /F -10 Tf -1 0 0 -1 50 {700 - 20 * row} Tm ({SENTENCE}) Tj ET" for row in range(5))
    page = read(write_by_hand(tmp_path / "mirrored.pdf", rows))

    assert page.turned == 0
    assert page.lines[0].text == SENTENCE


def test_some_sideways_text_does_not_turn_the_page(tmp_path: Path) -> None:
    canvas = canvas_of(tmp_path / "margin.pdf")
    for row in range(5):
        canvas.drawString(72, 700 - 20 * row, SENTENCE)
    canvas.translate(30, 200)
    canvas.rotate(90)
    canvas.drawString(0, 0, SENTENCE)
    canvas.save()

    assert read(tmp_path / "margin.pdf").turned == 0


def test_two_columns_written_row_by_row_are_read_column_by_column(tmp_path: Path) -> None:
    canvas = canvas_of(tmp_path / "columns.pdf")
    canvas.setFont("Helvetica", 10)
    for row in range(12):
        canvas.drawString(60, 700 - 14 * row, f"left {row} has words of the first column")
        canvas.drawString(320, 700 - 14 * row, f"right {row} has words of the other column")
    canvas.save()

    page = read(tmp_path / "columns.pdf")

    firsts = [line.text.split()[0] for line in page.lines]
    assert firsts == ["left"] * 12 + ["right"] * 12
    assert not page.tables


def test_lines_written_in_a_wild_order_are_read_from_top_to_bottom(tmp_path: Path) -> None:
    canvas = canvas_of(tmp_path / "wild.pdf")
    for row in (7, 2, 9, 0, 5, 1, 8, 3, 6, 4):
        canvas.drawString(72, 700 - 20 * row, f"{row} {SENTENCE}")
    canvas.save()

    assert [line.text[0] for line in read(tmp_path / "wild.pdf").lines] == list("0123456789")


def test_a_footer_that_is_written_first_is_read_last(tmp_path: Path) -> None:
    canvas = canvas_of(tmp_path / "footer.pdf")
    for text, y in (("Account 12", 40), ("Invoice 7", 780), ("Total 9.00", 760)):
        canvas.drawString(72, y, text)
    canvas.save()

    assert [line.text for line in read(tmp_path / "footer.pdf").lines] == ["Invoice 7", "Total 9.00", "Account 12"]


def test_paragraphs_are_numbered_and_headings_and_lists_are_marked(tmp_path: Path) -> None:
    canvas = canvas_of(tmp_path / "article.pdf")
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(72, 760, "On the Nature of Paper")
    canvas.setFont("Helvetica", 10)
    for top in (730, 660):
        for row in range(4):
            canvas.drawString(72, top - 12 * row, SENTENCE)
    canvas.setFont("Helvetica-Bold", 10)
    canvas.drawString(72, 600, "Methods")
    canvas.setFont("Helvetica", 10)
    for row in range(3):
        canvas.drawString(72, 585 - 12 * row, f"{row + 1}. {SENTENCE}")
    canvas.save()

    lines = read(tmp_path / "article.pdf").lines

    assert [line.text for line in lines if line.role == "heading"] == ["On the Nature of Paper", "Methods"]
    assert [line.text[:2] for line in lines if line.role == "list"] == ["1.", "2.", "3."]
    blocks = {line.block for line in lines if line.role is None}
    assert len(blocks) == 2


def test_a_ruled_table_is_found_on_the_page(tmp_path: Path) -> None:
    canvas = canvas_of(tmp_path / "table.pdf")
    write_grid(canvas, [72, 200, 300, 400], [600, 620, 640, 660])
    for row, texts in enumerate([("Item", "Count", "Price"), ("Lamp", "7", "12.50"), ("Chair", "2", "80.00")]):
        for column, text in enumerate(texts):
            canvas.drawString((76, 204, 304)[column], 645 - 20 * row, text)
    canvas.save()

    [table] = read(tmp_path / "table.pdf").tables

    assert (table.rows, table.columns) == (3, 3)
    assert [cell.text for cell in table.cells] == [
        "Item", "Count", "Price", "Lamp", "7", "12.50", "Chair", "2", "80.00",
    ]  # fmt: skip
    assert [cell.header for cell in table.cells] == [True] * 3 + [False] * 6
    assert table.box == pytest.approx((72, 182, 400, 242), abs=1)


def test_a_page_of_fifty_thousand_paths_is_read_all_the_same(tmp_path: Path) -> None:
    strokes = " ".join(f"{x} {y} m {x + 5} {y} l S" for x in range(0, 500, 5) for y in range(500))
    page = read(write_by_hand(tmp_path / "map.pdf", f"{strokes} BT /F 20 Tf 150 600 Td (Quay) Tj ET"))

    assert page.text == "Quay"
    assert not page.tables
