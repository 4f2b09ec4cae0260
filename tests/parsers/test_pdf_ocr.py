"""When a page is read by OCR. An engine that does not exist shows whether one was asked for at all."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.pages import Page
from docsieve.errors import OcrEngineUnknown
from docsieve.parsers.pdf import PdfParser
from docsieve.parsers.port import ReadOptions
from tests.parsers.pdf_samples import write_by_hand, write_scan

NO_ENGINE = ReadOptions(ocr_engine="none")
PROSE = "BT /F 20 Tf 50 300 Td (Plain words stand here to be read) Tj ET"


def read(path: Path, options: ReadOptions | None = None) -> list[Page]:
    return list(PdfParser().read(path, options or ReadOptions()).pages)


@pytest.mark.parametrize("turn", [0, 90])
def test_a_scanned_page_is_read_upright_however_it_lies(tmp_path: Path, turn: int) -> None:
    lines = ["Invoice number 4711", "Delivery of seven lamps", "Total amount 128.50"]
    path = write_scan(tmp_path / "scan.pdf", lines, turn=turn)

    [page] = read(path)

    assert page.origin == "ocr"
    assert page.turned == turn
    assert page.text.splitlines() == lines
    assert page.width > page.height
    assert all(0 <= line.box[0] < line.box[2] <= page.width for line in page.lines)
    shown = PdfParser().render(path, page, 600, ReadOptions())
    assert shown.width > shown.height


def test_a_blank_page_costs_no_ocr(tmp_path: Path) -> None:
    path = tmp_path / "blank.pdf"
    canvas = Canvas(str(path))
    canvas.showPage()
    canvas.setFillGray(1)
    canvas.rect(100, 100, 300, 300, stroke=0, fill=1)
    canvas.save()

    assert [page.text for page in read(path, NO_ENGINE)] == ["", ""]


def test_a_drawn_page_without_text_asks_for_ocr(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "scan.pdf", ["Words"])

    with pytest.raises(OcrEngineUnknown):
        read(path, NO_ENGINE)


def test_a_page_with_a_text_layer_costs_no_ocr(tmp_path: Path) -> None:
    path = write_by_hand(tmp_path / "plain.pdf", PROSE)

    [page] = read(path, NO_ENGINE)

    assert page.origin == "text"


@pytest.mark.parametrize("target", ["E000", "FFFD", "0007"])
def test_text_from_a_broken_font_map_asks_for_ocr(tmp_path: Path, target: str) -> None:
    broken = "\n".join(f"<{code:02X}> <{target}>" for code in b"abcdefghijklmnopqrstuvwxyz")
    path = write_by_hand(tmp_path / "broken.pdf", PROSE, to_unicode=broken)

    with pytest.raises(OcrEngineUnknown):
        read(path, NO_ENGINE)


def test_glyph_numbers_in_place_of_characters_ask_for_ocr(tmp_path: Path) -> None:
    shifted = "\n".join(f"<{code:02X}> <{code - 29:04X}>" for code in b"abcdefghijklmnopqrstuvwxyz")
    content = " ".join(
        f"BT /F 9 Tf 20 {700 - 12 * row} Td (when the meeting is at ten the agenda has to be sent at nine) Tj ET"
        for row in range(8)
    )
    path = write_by_hand(tmp_path / "shifted.pdf", content, to_unicode=shifted)

    with pytest.raises(OcrEngineUnknown):
        read(path, NO_ENGINE)


def test_an_invisible_text_layer_over_a_scan_is_used_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "searchable.pdf"
    write_scan(tmp_path / "scan.pdf", ["Words"])
    canvas = Canvas(str(path), pagesize=(595, 842))
    canvas.rect(0, 0, 595, 842, fill=1)
    text = canvas.beginText(72, 700)
    text.setTextRenderMode(3)
    for number in range(6):
        text.textLine(f"This is line {number} of what somebody read off the scan before")
    canvas.drawText(text)
    canvas.save()

    [page] = read(path, NO_ENGINE)

    assert len(page.lines) == 6


def test_a_stamp_upon_a_scan_does_not_hide_the_scan(tmp_path: Path) -> None:
    lines = ["Invoice number 4711", "Delivery of seven lamps", "Total amount 128.50"]
    path = write_scan(tmp_path / "stamped.pdf", lines, stamp="Received")

    [page] = read(path)

    assert page.origin == "ocr"
    assert "Delivery of seven lamps" in page.text


def test_an_image_of_too_many_pixels_fails_its_page_only(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "scan.pdf", ["Words"])

    [page] = read(path, ReadOptions(max_pixels=100_000))

    assert page.error is not None
    assert "1116000 pixels" in page.error
