from pathlib import Path

import pypdfium2 as pdfium
import pytest
from PIL import ImageOps
from reportlab.pdfgen.canvas import Canvas

from docsieve.domain.pages.page import Box, Page
from docsieve.errors import PasswordRequired, PasswordWrong, TooManyPages
from docsieve.parsers.pdf.format import PDF
from docsieve.parsers.pdf.text.words import _even_tokens, _tokens
from docsieve.parsers.port import ReadOptions
from tests.parsers.pdf.samples import write_by_hand, write_pages

WORD = "BT /F 20 Tf 150 300 Td (Quay) Tj ET"


def read(path: Path, options: ReadOptions | None = None) -> list[Page]:
    return list(PDF.read(path, options or ReadOptions()).pages)


def seen_on_screen(path: Path) -> Box:
    """The box of everything drawn on page 1 as PDFium renders it, in points."""
    with pdfium.PdfDocument(path) as document:
        image = document[0].render(scale=4).to_pil().convert("L")
    box = ImageOps.invert(image).getbbox()
    assert box is not None
    return box[0] / 4, box[1] / 4, box[2] / 4, box[3] / 4


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize("boxes", ["/MediaBox [0 0 595 842]", "/MediaBox [-50 -60 545 782] /CropBox [100 200 400 700]"])
def test_a_box_is_where_the_word_is_seen_whatever_the_rotation_and_crop(tmp_path: Path, turn: int, boxes: str) -> None:
    path = write_by_hand(tmp_path / "turned.pdf", WORD, page=f"{boxes} /Rotate {turn}")

    [page] = read(path)

    [line] = page.lines
    assert line.text == "Quay"
    assert line.words[0].box == pytest.approx(seen_on_screen(path), abs=1.5)


def test_text_off_the_visible_page_is_left_out(tmp_path: Path) -> None:
    path = write_by_hand(
        tmp_path / "cropped.pdf",
        f"{WORD} BT /F 20 Tf 150 750 Td (hidden) Tj ET",
        page="/MediaBox [0 0 595 842] /CropBox [0 0 595 500]",
    )

    assert read(path)[0].text == "Quay"


def test_lines_and_words_keep_their_order(tmp_path: Path) -> None:
    path = write_pages(tmp_path / "lines.pdf", [["Invoice 4711 of May", "Total 12.50 EUR"], ["Second page"]])

    assert [page.text for page in read(path)] == ["Invoice 4711 of May\nTotal 12.50 EUR", "Second page"]


def test_a_word_hyphenated_at_a_line_end_stays_on_its_two_lines(tmp_path: Path) -> None:
    path = write_pages(tmp_path / "hyphen.pdf", [["This is a very long exam-", "ple of a hyphen at the end"]])

    [page] = read(path)

    assert page.text == "This is a very long exam-\nple of a hyphen at the end"
    assert page.lines[0].box[3] < page.lines[1].box[3]


@pytest.mark.parametrize(
    "characters",
    [
        "",
        " ",
        "\r\n",
        "One line",
        "One\r\ntwo\r\n",
        "  Größe  in m \r\n\r\n   \r\n – 5 € \r\nEnd",
        "\r\nlate  start\r\n",
    ],
)
def test_the_quick_way_to_take_a_text_apart_finds_the_same_words_and_lines(characters: str) -> None:
    assert _even_tokens(characters) == _tokens(characters)


@pytest.mark.parametrize(
    "characters", ["exam\x02ple", "no\xa0break", "one\nline", "tab\there", "\ud835\udc4e", "bell\x07"]
)
def test_a_text_with_other_than_visible_characters_is_not_taken_apart_the_quick_way(characters: str) -> None:
    assert _even_tokens(characters) is None


def test_a_word_of_many_text_objects_has_the_box_around_all_of_them(tmp_path: Path) -> None:
    letters, wide = "banedo" * 160, "/MediaBox [0 0 9000 842]"
    one_by_one = "".join(f"({letter}) Tj " for letter in letters)
    at_once = write_by_hand(tmp_path / "once.pdf", f"BT /F 10 Tf 20 300 Td ({letters}) Tj ( end) Tj ET", page=wide)
    apart = write_by_hand(tmp_path / "apart.pdf", f"BT /F 10 Tf 20 300 Td {one_by_one} ( end) Tj ET", page=wide)

    [expected], [page] = read(at_once), read(apart)

    assert page.text == expected.text == f"{letters} end"
    for word, same in zip(page.lines[0].words, expected.lines[0].words, strict=True):
        assert word.box == pytest.approx(same.box, abs=0.02)


def test_characters_beyond_the_basic_plane_do_not_shift_the_boxes_after_them(tmp_path: Path) -> None:
    content = "BT /F 20 Tf 100 300 Td (A) Tj 200 0 Td (here) Tj ET"
    plain = write_by_hand(tmp_path / "plain.pdf", content)
    wide = write_by_hand(tmp_path / "wide.pdf", content, to_unicode="<41> <D835DC4E>")

    [expected], [page] = read(plain), read(wide)

    assert page.text == "\U0001d44e\nhere"
    assert page.lines[1].box == expected.lines[1].box


def test_characters_that_no_store_accepts_are_left_out(tmp_path: Path) -> None:
    content = "BT /F 20 Tf 100 300 Td (xAyBzC here) Tj ET"
    path = write_by_hand(tmp_path / "dirty.pdf", content, to_unicode="<41> <0000>\n<42> <0007>\n<43> <D835>")

    assert read(path)[0].text == "xyz here"


def test_values_of_filled_form_fields_are_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "form.pdf"
    canvas = Canvas(str(path))
    canvas.drawString(72, 700, "Name")
    canvas.acroForm.textfield(name="name", value="Grace Hopper", x=150, y=690, width=200)
    canvas.save()

    assert "Grace Hopper" in read(path)[0].text


def test_a_protected_document_opens_with_its_password_only(tmp_path: Path) -> None:
    path = write_pages(tmp_path / "locked.pdf", [["secret"]], password="open sesame")

    with pytest.raises(PasswordRequired):
        read(path)
    with pytest.raises(PasswordWrong):
        read(path, ReadOptions(password="guess"))
    assert read(path, ReadOptions(password="open sesame"))[0].text == "secret"


def test_a_document_whose_header_is_damaged_is_known_by_what_follows() -> None:
    assert PDF.sniff(b"%1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog >>") == "application/pdf"
    assert PDF.sniff(b"% a comment\n\\documentclass{article}") is None


def test_more_pages_than_allowed_are_refused(tmp_path: Path) -> None:
    path = write_pages(tmp_path / "long.pdf", [["one"], ["two"], ["three"]])

    with pytest.raises(TooManyPages, match="3 pages"):
        read(path, ReadOptions(max_pages=2))
