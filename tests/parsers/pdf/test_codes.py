"""QR codes and barcodes on PDF pages that have text."""

from pathlib import Path

import pypdfium2
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.pages.page import Code, Page
from docsieve.parsers.ocr.page import OcrPage, read_image
from docsieve.parsers.pdf.format import PDF
from tests.native import in_child, pages_of, scan_options
from tests.parsers.codes import GIRO, write_page_with_codes

FOUND = [("qr_code", GIRO), ("code_128", "INV-2026-0042"), ("data_matrix", "DM-77")]


def read(path: Path) -> Page:
    [page] = pages_of(PDF, path)
    return page


def within(code: Code, left: float, top: float, right: float, bottom: float) -> bool:
    x0, y0, x1, y1 = code.box
    return left <= x0 < x1 <= right and top <= y0 < y1 <= bottom


def test_codes_that_are_drawn_or_images_are_read_where_they_are(tmp_path: Path) -> None:
    page = read(write_page_with_codes(tmp_path / "codes.pdf"))

    assert page.origin == "text"
    assert sorted((code.kind, code.text) for code in page.codes) == sorted(FOUND)
    by_kind = {code.kind: code for code in page.codes}
    assert within(by_kind["qr_code"], 58, 340, 162, 444)
    assert within(by_kind["data_matrix"], 58, 530, 122, 594)


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_codes_of_a_turned_page_are_read_where_it_shows_them(tmp_path: Path, rotate: int) -> None:
    upright = read(write_page_with_codes(tmp_path / "upright.pdf")).codes

    page = read(write_page_with_codes(tmp_path / "turned.pdf", rotate=rotate))

    assert sorted(code.text for code in page.codes) == sorted(code.text for code in upright)
    for code in page.codes:
        assert within(code, 0, 0, page.width, page.height)


def test_codes_of_a_scan_are_read(tmp_path: Path) -> None:
    drawn = pypdfium2.PdfDocument(write_page_with_codes(tmp_path / "codes.pdf"))
    image: Image.Image = drawn[0].render(scale=200 / 72).to_pil()

    page: OcrPage = in_child(read_image, image, width_points=595.0, height_points=842.0, options=scan_options())

    assert sorted((code.kind, code.text) for code in page.codes) == sorted(FOUND)
    assert within(next(code for code in page.codes if code.kind == "qr_code"), 58, 340, 162, 444)


def test_tables_and_dotted_lines_are_no_codes(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "ruled.pdf"), pagesize=(595, 842), invariant=1)
    for row in range(30):
        canvas.drawString(60, 800 - row * 20, f"Row {row}")
        canvas.line(50, 795 - row * 20, 500, 795 - row * 20)
        for dot in range(40):
            canvas.rect(50 + dot * 11, 797 - row * 20, 1, 1, fill=1, stroke=0)
    for column in range(20):
        canvas.line(50 + column * 20, 215, 50 + column * 20, 795)
    canvas.save()

    assert read(tmp_path / "ruled.pdf").codes == []
