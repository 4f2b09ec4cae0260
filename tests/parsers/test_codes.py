"""QR codes and barcodes in images."""

import pytest
from PIL import Image, ImageDraw

from docsieve.parsers.codes import read_codes
from tests.parsers.codes import code_image

TEXTS = {"EAN13": "4006381333931", "EAN8": "96385074", "UPCE": "01234565", "ITF": "12345678"}
KINDS = {
    "QRCode": "qr_code",
    "MicroQRCode": "qr_code",
    "DataMatrix": "data_matrix",
    "Aztec": "aztec",
    "PDF417": "pdf417",
    "Code128": "code_128",
    "Code39": "code_39",
    "Code93": "code_93",
    "ITF": "itf",
    "EAN13": "ean_13",
    "EAN8": "ean_8",
    "UPCE": "upc_e",
}


@pytest.mark.parametrize("symbology", KINDS)
def test_codes_of_every_kind_are_read(symbology: str) -> None:
    text = TEXTS.get(symbology, "NL-2026-7")

    [code] = read_codes(code_image(text, symbology), points_per_pixel=(1.0, 1.0))

    assert code.kind == KINDS[symbology]
    assert code.text.endswith(text) or symbology == "UPCE"


def test_a_code_is_placed_on_its_page() -> None:
    image = Image.new("L", (800, 600), 255)
    image.paste(code_image("NL-2026-7", "DataMatrix"), (300, 200))

    [code] = read_codes(image, points_per_pixel=(0.5, 0.5), left=40.0, top=70.0)

    x0, y0, x1, y1 = code.box
    assert 190 <= x0 < x1 <= 290
    assert 170 <= y0 < y1 <= 270


def test_several_codes_come_from_the_top_down_and_text_is_none() -> None:
    image = Image.new("L", (900, 900), 255)
    ImageDraw.Draw(image).text((20, 400), "IIIIlllliiii1111 ||||| Il1I 4006381333931" * 2, fill=0, font_size=30)
    image.paste(code_image("second", "QRCode"), (100, 600))
    image.paste(code_image("first", "QRCode"), (500, 20))

    assert [code.text for code in read_codes(image, points_per_pixel=(1.0, 1.0))] == ["first", "second"]
