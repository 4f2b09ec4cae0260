"""Invisible text over scans: found by viewers, in the right places, and nothing else changed."""

import io
import shutil
import subprocess
import tracemalloc
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from docsieve.content.pdf.file import ScannedPdf, jpeg_picture, picture_of
from docsieve.content.pdf.overlay import add_text
from docsieve.content.pdf.text_layer import text_layer
from docsieve.domain.pages.page import Box, Line, Page, Word
from docsieve.errors import CorruptDocument
from docsieve.parsers.pdf.text.turn import turn_page
from docsieve.parsers.pdf.view import DisplayedPage

_WORDS = ["Rechnung", "Größe", "Счёт", "請求書", "חשבון", "فاتورة", "a", "€", "12"]


def _page(words: list[str], *, number: int = 1, width: float = 400.0, height: float = 600.0, turned: int = 0) -> Page:
    placed = [Word(word, (40.0, 30.0 + 40 * at, 160.0, 50.0 + 40 * at)) for at, word in enumerate(words)]
    lines = [Line(word.text, word.box, [word]) for word in placed]
    return Page(number, width, height, lines, origin="ocr", turned=turned)


def _scanned(path: Path, *pages: Page) -> Path:
    with path.open("wb") as file:
        pdf = ScannedPdf(file, title="Scans & more")
        for page in pages:
            picture = picture_of(Image.new("L", (200, 300), 255))
            pdf.add(page.width, page.height, picture, text_layer(page, pdf.characters))
        pdf.close()
    return path


def _found(path: Path, number: int = 1, *, turned: int = 0) -> list[tuple[str, Box]]:
    """The words that PDFium finds, with their boxes on the displayed page."""
    document = pdfium.PdfDocument(path)
    page = document[number - 1]
    text = page.get_textpage()
    turn_page(page, turned)
    shown = DisplayedPage.of(page)
    words: list[tuple[str, Box]] = []
    going_on = False
    for index in range(text.count_chars()):
        character = text.get_text_range(index, 1)
        if not character.strip():
            going_on = False
            continue
        box = shown.place(*text.get_charbox(index, loose=True))
        if going_on:
            before, (x0, y0, x1, y1) = words[-1]
            words[-1] = before + character, (min(x0, box[0]), min(y0, box[1]), max(x1, box[2]), max(y1, box[3]))
        else:
            words.append((character, box))
        going_on = True
    document.close()
    return words


def test_words_of_all_scripts_are_found_in_their_boxes(tmp_path: Path) -> None:
    page = _page(_WORDS)
    found = _found(_scanned(tmp_path / "scan.pdf", page))
    assert [text for text, _ in found] == _WORDS
    for (_, box), line in zip(found, page.lines, strict=True):
        assert box == pytest.approx(line.box, abs=1.0)


def test_letters_beyond_the_basic_plane_are_found(tmp_path: Path) -> None:
    path = _scanned(tmp_path / "scan.pdf", _page(["𝔘𝔫𝔦", "x"]))
    assert pdfium.PdfDocument(path)[0].get_textpage().get_text_range().split() == ["𝔘𝔫𝔦", "x"]


def test_poppler_finds_the_same_words(tmp_path: Path) -> None:
    program = shutil.which("pdftotext")
    if program is None:
        pytest.skip("poppler-utils is not installed")
    path = _scanned(tmp_path / "scan.pdf", _page(_WORDS))
    ran = subprocess.run([program, path, "-"], capture_output=True, check=True, text=True)
    marks = dict.fromkeys(map(ord, "\u202a\u202b\u202c\u200e\u200f"))
    assert ran.stdout.translate(marks).split() == _WORDS


def test_nothing_is_seen_of_the_text(tmp_path: Path) -> None:
    path = _scanned(tmp_path / "scan.pdf", _page(["Rechnung"] * 10))
    image = pdfium.PdfDocument(path)[0].render().to_pil().convert("L")
    assert image.getextrema() == (255, 255)


def test_a_jpeg_is_embedded_byte_by_byte(tmp_path: Path) -> None:
    image = Image.effect_noise((60, 80), 50)
    content = io.BytesIO()
    image.save(content, "JPEG", quality=40)
    path = tmp_path / "scan.pdf"
    with path.open("wb") as file:
        pdf = ScannedPdf(file, title="")
        pdf.add(60.0, 80.0, jpeg_picture(image, content.getvalue()), b"")
        pdf.close()
    assert content.getvalue() in path.read_bytes()


def test_black_and_white_stays_exact(tmp_path: Path) -> None:
    image = Image.new("1", (21, 9), 1)
    for at in range(9):
        image.putpixel((2 * at, at), 0)
    path = tmp_path / "scan.pdf"
    with path.open("wb") as file:
        pdf = ScannedPdf(file, title="")
        pdf.add(21.0, 9.0, picture_of(image), b"")
        pdf.close()
    with pikepdf.open(path) as document:
        scan = document.pages[0].Resources.XObject.Scan
        assert isinstance(scan, pikepdf.Stream)
        stored = pikepdf.PdfImage(scan).as_pil_image()
    assert stored.convert("L").tobytes() == image.convert("L").tobytes()


def test_scans_have_what_pdf_a_2b_asks_for(tmp_path: Path) -> None:
    with pikepdf.open(_scanned(tmp_path / "scan.pdf", _page(_WORDS))) as document:
        assert "/Info" not in document.trailer
        with document.open_metadata(set_pikepdf_as_editor=False) as metadata:
            assert metadata.pdfa_status == "2B"
            assert metadata["dc:title"] == "Scans & more"
        intent = document.Root.OutputIntents[0]
        assert str(intent.S) == "/GTS_PDFA1"
        assert int(intent.DestOutputProfile.N) == 3
        assert len(document.trailer.ID) == 2
        font = document.pages[0].Resources.Font.DocsieveText.DescendantFonts[0]
        assert font.FontDescriptor.FontFile2.read_bytes()[:4] == b"\x00\x01\x00\x00"
        assert set(font.CIDToGIDMap.read_bytes()[2:]) == {0, 1}  # never the glyph for missing characters


def test_a_long_scan_is_written_with_one_page_in_memory(tmp_path: Path) -> None:
    picture = picture_of(Image.effect_noise((1200, 1700), 60))
    assert len(picture.content) > 500_000
    tracemalloc.start()
    try:
        with (tmp_path / "long.pdf").open("wb") as file:
            pdf = ScannedPdf(file, title="")
            for number in range(1, 301):
                pdf.add(400.0, 600.0, picture, text_layer(_page(_WORDS, number=number), pdf.characters))
            pdf.close()
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    assert len(pdfium.PdfDocument(tmp_path / "long.pdf")) == 300


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
@pytest.mark.parametrize("turned", [0, 90])
def test_text_is_over_the_words_however_the_page_is_rotated_and_cropped(
    tmp_path: Path, rotation: int, turned: int
) -> None:
    source, target = tmp_path / "source.pdf", tmp_path / "target.pdf"
    canvas = Canvas(str(source), pagesize=(500, 700))
    canvas.showPage()
    canvas.save()
    with pikepdf.open(source, allow_overwriting_input=True) as document:
        page = document.pages[0]
        page.CropBox = [50, 60, 450, 660]
        page.Rotate = rotation
        document.save()
    sideways = (rotation + turned) % 180 != 0
    width, height = (600.0, 400.0) if sideways else (400.0, 600.0)
    read = _page(["Rechnung", "Nummer"], width=width, height=height, turned=turned)
    add_text(source, target, [read], password=None)
    found = _found(target, turned=turned)
    assert [text for text, _ in found] == ["Rechnung", "Nummer"]
    for (_, box), line in zip(found, read.lines, strict=True):
        assert box == pytest.approx(line.box, abs=1.0)


def test_what_a_page_inherits_and_draws_stays(tmp_path: Path) -> None:
    source, target = tmp_path / "source.pdf", tmp_path / "target.pdf"
    canvas = Canvas(str(source), pagesize=(400, 600))
    canvas.drawString(40, 300, "Printed before")
    canvas.showPage()
    canvas.drawString(40, 300, "Another page")
    canvas.showPage()
    canvas.save()
    with pikepdf.open(source, allow_overwriting_input=True) as document:
        resources = document.make_indirect(document.pages[0].Resources)
        for page in document.pages:
            del page.Resources
            page.Contents = document.make_stream(b"2 0 0 2 0 0 cm q " + page.Contents.read_bytes())
        document.Root.Pages.Resources = resources
        document.save()
    before = [pdfium.PdfDocument(source)[at].render().to_pil().tobytes() for at in (0, 1)]
    add_text(source, target, [_page(["Rechnung"])], password=None)
    assert [pdfium.PdfDocument(target)[at].render().to_pil().tobytes() for at in (0, 1)] == before
    assert dict(_found(target))["Rechnung"] == pytest.approx((40.0, 30.0, 160.0, 50.0), abs=1.0)


def test_a_document_without_the_page_is_corrupt(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "source.pdf"))
    canvas.showPage()
    canvas.save()
    with pytest.raises(CorruptDocument):
        add_text(tmp_path / "source.pdf", tmp_path / "target.pdf", [_page(["x"], number=2)], password=None)
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing")
    with pytest.raises(CorruptDocument):
        add_text(tmp_path / "broken.pdf", tmp_path / "target.pdf", [_page(["x"])], password=None)
