"""Blank pages and separator sheets, by how they look."""

import pytest
from PIL import Image, ImageDraw

from docsieve.analysis.packets.sheets import look, sheet_kind
from docsieve.domain.pages.page import Line, Page

WIDE, NARROW = 33, 13


def sheet() -> Image.Image:
    return Image.new("RGB", (1000, 1414), "white")


def patch(bars: str, *, turned: bool = False, spaces: int = NARROW) -> Image.Image:
    image = sheet()
    draw = ImageDraw.Draw(image)
    at = 120
    for bar in bars:
        size = WIDE if bar == "w" else NARROW
        draw.rectangle((100, at, 900, at + size - 1), fill="black")
        at += size + spaces
    return image.transpose(Image.Transpose.ROTATE_90) if turned else image


def page(*texts: str) -> Page:
    return Page(1, 595.0, 842.0, [Line(text, (60, 60, 400, 80)) for text in texts])


@pytest.mark.parametrize("bars", ["wnnw", "wnwn", "nwnw", "nnww", "wwnn", "nwwn"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_patch_code_of_any_type_in_any_direction_makes_a_separator_sheet(bars: str, turned: bool) -> None:
    seen = look(patch(bars, turned=turned))
    assert seen.has_patch
    assert sheet_kind(page(), seen) == "separator"


@pytest.mark.parametrize("image", [patch("nnnn"), patch("wwww"), patch("wnnw", spaces=60)])
def test_other_bars_are_not_a_patch_code(image: Image.Image) -> None:
    assert not look(image).has_patch


def test_an_empty_image_is_a_blank_page_and_a_picture_is_not() -> None:
    assert sheet_kind(page(), look(sheet())) == "blank"
    picture = sheet()
    ImageDraw.Draw(picture).ellipse((300, 300, 700, 700), fill="gray")
    assert sheet_kind(page(), look(picture)) is None


def test_a_dark_edge_of_a_scan_is_not_ink() -> None:
    edged = sheet()
    ImageDraw.Draw(edged).rectangle((0, 0, 20, 1414), fill="black")
    assert sheet_kind(page(), look(edged)) == "blank"


def test_words_can_say_that_a_sheet_separates_or_is_blank() -> None:
    assert sheet_kind(page("Trennblatt"), None) == "separator"
    assert sheet_kind(page("This page intentionally left blank"), None) == "blank"
    assert sheet_kind(page("Trennblatt", *["a line of a document that mentions it"] * 8), None) is None


def test_a_page_without_words_that_cannot_be_rendered_is_kept() -> None:
    assert sheet_kind(page(), None) is None


def test_a_barcode_alone_on_a_sheet_separates() -> None:
    zxingcpp = pytest.importorskip("zxingcpp")
    code = zxingcpp.create_barcode("DOC-7", zxingcpp.BarcodeFormat.Code128)
    image = sheet()
    image.paste(Image.fromarray(zxingcpp.write_barcode_to_image(code, scale=4)).convert("RGB"), (200, 400))
    seen = look(image)
    assert seen.barcodes == ("DOC-7",)
    assert sheet_kind(page(), seen) == "separator"
    ticket = page("Admit one person to the concert on Friday in the great hall")
    assert sheet_kind(ticket, seen) is None
