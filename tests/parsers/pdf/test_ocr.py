"""When a page is read by OCR. An engine that does not exist shows whether one was asked for at all."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pikepdf
import pymupdf_fonts
import pytest
from pikepdf import Name
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfbase.ttfonts import TTFont, TTFontFile
from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.pages.page import Page
from docsieve.errors import OcrEngineUnknown
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.port import ReadOptions
from tests.native import pages_of
from tests.parsers.pdf.samples import write_by_hand, write_scan

NO_ENGINE = {"ocr_engine": "none"}
PROSE = "BT /F 20 Tf 50 300 Td (Plain words stand here to be read) Tj ET"


CODES = ["DWTGNMRTCB VMTBMSGXXB BPXLGMBGMN GGGMHBVPRF", "ZWDKSSXMVR HQWWNQBGVL FPSRLMNTNL NBBSZQLFNZ"] * 4


def write_codes(path: Path, font: str) -> Path:
    """Text that has no vowels; `Embedded` is a font subset with a custom map to Unicode."""
    registerFont(TTFont("Embedded", BytesIO(pymupdf_fonts.myfont("figo"))))
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=1)
    text = canvas.beginText(50, 780)
    text.setFont(font, 14)
    text.textLines(CODES)
    canvas.drawText(text)
    canvas.save()
    return path


def write_unmapped(path: Path, lines: list[str]) -> Path:
    """Codes that are characters, and a font that does not say so: PDFium gives them without a meaning."""
    program = pymupdf_fonts.myfont("figo")
    glyphs = TTFontFile(BytesIO(program)).charToGlyph
    document = pikepdf.new()
    table = b"".join(glyphs.get(code, 0).to_bytes(2, "big") for code in range(128))
    descriptor = pikepdf.Dictionary(
        Type=Name.FontDescriptor, FontName=Name.Own, Flags=4, FontFile2=document.make_stream(program)
    )
    descendant = pikepdf.Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name.Own, FontDescriptor=document.make_indirect(descriptor),
        CIDSystemInfo=pikepdf.Dictionary(Registry=b"Adobe", Ordering=b"Identity", Supplement=0), DW=560,
        CIDToGIDMap=document.make_stream(table),
    )  # fmt: skip
    font = pikepdf.Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name.Own, Encoding=Name("/Identity-H"),
        DescendantFonts=[document.make_indirect(descendant)],
    )  # fmt: skip
    page = document.add_blank_page(page_size=(595, 842)).obj
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=document.make_indirect(font)))
    shown = " ".join(
        f"BT /F 20 Tf 50 {700 - 40 * row} Td <{line.encode('utf-16-be').hex()}> Tj ET" for row, line in enumerate(lines)
    )
    page.Contents = document.make_stream(shown.encode())
    document.save(path)
    return path


def without_maps(path: Path) -> Path:
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        for font in dict(document.pages[0].Resources.Font).values():
            if "/ToUnicode" in font:
                del font["/ToUnicode"]
        document.save(path)
    return path


def read(path: Path, **options: Any) -> list[Page]:
    return pages_of(PDF, path, **options)


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
    shown = PDF.render(path, page, 600, ReadOptions())
    assert shown.width > shown.height


def test_a_blank_page_costs_no_ocr(tmp_path: Path) -> None:
    path = tmp_path / "blank.pdf"
    canvas = Canvas(str(path))
    canvas.showPage()
    canvas.setFillGray(1)
    canvas.rect(100, 100, 300, 300, stroke=0, fill=1)
    canvas.save()

    assert [page.text for page in read(path, **NO_ENGINE)] == ["", ""]


def test_a_drawn_page_without_text_asks_for_ocr(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "scan.pdf", ["Words"])

    with pytest.raises(OcrEngineUnknown):
        read(path, **NO_ENGINE)


def test_a_page_with_a_text_layer_costs_no_ocr(tmp_path: Path) -> None:
    path = write_by_hand(tmp_path / "plain.pdf", PROSE)

    [page] = read(path, **NO_ENGINE)

    assert page.origin == "text"


@pytest.mark.parametrize("target", ["E000", "FFFD", "0007"])
def test_text_from_a_broken_font_map_asks_for_ocr(tmp_path: Path, target: str) -> None:
    broken = "\n".join(f"<{code:02X}> <{target}>" for code in b"abcdefghijklmnopqrstuvwxyz")
    path = write_by_hand(tmp_path / "broken.pdf", PROSE, to_unicode=broken)

    with pytest.raises(OcrEngineUnknown):
        read(path, **NO_ENGINE)


def test_glyph_numbers_in_place_of_characters_ask_for_ocr(tmp_path: Path) -> None:
    shifted = "\n".join(f"<{code:02X}> <{code - 29:04X}>" for code in b"abcdefghijklmnopqrstuvwxyz")
    content = " ".join(
        f"BT /F 9 Tf 20 {700 - 12 * row} Td (when the meeting is at ten the agenda has to be sent at nine) Tj ET"
        for row in range(8)
    )
    path = write_by_hand(tmp_path / "shifted.pdf", content, to_unicode=shifted)

    with pytest.raises(OcrEngineUnknown):
        read(path, **NO_ENGINE)


@pytest.mark.parametrize("font", ["Helvetica", "Courier-Bold", "Embedded"])
def test_codes_in_a_font_that_maps_them_cost_no_ocr(tmp_path: Path, font: str) -> None:
    [page] = read(write_codes(tmp_path / "codes.pdf", font), **NO_ENGINE)

    assert page.origin == "text"
    assert [line.text for line in page.lines] == CODES


def test_codes_in_a_locked_document_cost_no_ocr_either(tmp_path: Path) -> None:
    path = write_codes(tmp_path / "codes.pdf", "Embedded")
    with pikepdf.open(path, allow_overwriting_input=True) as document:
        document.save(path, encryption=pikepdf.Encryption(user="open", owner="all"))

    [page] = read(path, ocr_engine="none", password="open")

    assert page.origin == "text"


def test_codes_in_a_font_without_a_map_ask_for_ocr(tmp_path: Path) -> None:
    path = without_maps(write_codes(tmp_path / "codes.pdf", "Embedded"))

    with pytest.raises(OcrEngineUnknown):
        read(path, **NO_ENGINE)


def test_a_text_layer_that_ocr_agrees_with_is_kept(tmp_path: Path) -> None:
    path = write_unmapped(tmp_path / "unmapped.pdf", ["Invoice number 4711", "Delivery of seven lamps"])
    with pytest.raises(OcrEngineUnknown):
        read(path, **NO_ENGINE)

    [page] = read(path)

    assert page.origin == "text"
    assert [line.text for line in page.lines] == ["Invoice number 4711", "Delivery of seven lamps"]


def test_a_text_layer_that_ocr_contradicts_is_replaced(tmp_path: Path) -> None:
    shifted = "\n".join(f"<{code:02X}> <{code - 29:04X}>" for code in b"abcdefghijklmnopqrstuvwxyz")
    words = "when the meeting is at ten the agenda has to be sent at nine"
    content = " ".join(f"BT /F 14 Tf 40 {700 - 24 * row} Td ({words}) Tj ET" for row in range(6))
    path = write_by_hand(tmp_path / "shifted.pdf", content, to_unicode=shifted)

    [page] = read(path)

    assert page.origin == "ocr"
    assert [line.text for line in page.lines] == [words] * 6


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

    [page] = read(path, **NO_ENGINE)

    assert len(page.lines) == 6


def test_a_stamp_on_a_scan_does_not_hide_the_scan(tmp_path: Path) -> None:
    lines = ["Invoice number 4711", "Delivery of seven lamps", "Total amount 128.50"]
    path = write_scan(tmp_path / "stamped.pdf", lines, stamp="Received")

    [page] = read(path)

    assert page.origin == "ocr"
    assert "Delivery of seven lamps" in page.text


def test_an_image_of_too_many_pixels_fails_its_page_only(tmp_path: Path) -> None:
    path = write_scan(tmp_path / "scan.pdf", ["Words"])

    [page] = read(path, max_pixels=100_000)

    assert page.error is not None
    assert "1116000 pixels" in page.error
