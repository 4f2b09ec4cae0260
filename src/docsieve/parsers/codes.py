"""QR codes and barcodes in images, decoded with zxing-cpp."""

from typing import TYPE_CHECKING

import numpy as np

from docsieve.domain.pages.page import Code, CodeKind
from docsieve.domain.text import clean

if TYPE_CHECKING:
    import zxingcpp
    from PIL.Image import Image

MAX_CODES = 100
_MAX_TEXT = 10_000
# Others, such as Codabar, have too little redundancy: lines of text would be taken for them.
_KINDS: dict[str, CodeKind] = {
    "QRCode": "qr_code",
    "MicroQRCode": "qr_code",
    "RMQRCode": "qr_code",
    "DataMatrix": "data_matrix",
    "Aztec": "aztec",
    "PDF417": "pdf417",
    "MaxiCode": "maxicode",
    "Code128": "code_128",
    "Code39": "code_39",
    "Code93": "code_93",
    "ITF": "itf",
    "EAN13": "ean_13",
    "EAN8": "ean_8",
    "UPCA": "upc_a",
    "UPCE": "upc_e",
    "DataBar": "databar",
    "DataBarExp": "databar",
    "DataBarLtd": "databar",
}


def read_codes(
    image: "Image", *, points_per_pixel: tuple[float, float], left: float = 0.0, top: float = 0.0
) -> list[Code]:
    """The codes in an image that begins at this place of the page, from the top of the page down."""
    import zxingcpp

    names = [name for name in _KINDS if hasattr(zxingcpp.BarcodeFormat, name)]
    formats = [getattr(zxingcpp.BarcodeFormat, name) for name in names]
    kinds = {wanted: _KINDS[name] for wanted, name in zip(formats, names, strict=True)}
    found = zxingcpp.read_barcodes(np.asarray(image.convert("L")), formats=zxingcpp.BarcodeFormats(formats))
    codes = [
        Code(_kind(each, kinds), text, _box(each, points_per_pixel, left, top))
        for each in found[:MAX_CODES]
        if (text := clean(each.text)[:_MAX_TEXT].strip())
    ]
    return sorted(codes, key=lambda code: (code.box[1], code.box[0]))


def _kind(found: "zxingcpp.Barcode", kinds: "dict[zxingcpp.BarcodeFormat, CodeKind]") -> CodeKind:
    """Some formats are reported as a variant of the one that was asked for."""
    symbology = getattr(found, "symbology", found.format)
    return kinds.get(found.format) or kinds.get(symbology) or _KINDS[str(symbology).rpartition(".")[2].replace(" ", "")]


def _box(
    found: "zxingcpp.Barcode", points_per_pixel: tuple[float, float], left: float, top: float
) -> tuple[float, float, float, float]:
    place = found.position
    corners = [place.top_left, place.top_right, place.bottom_left, place.bottom_right]
    xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
    wide, high = points_per_pixel
    sides = left + min(xs) * wide, top + min(ys) * high, left + max(xs) * wide, top + max(ys) * high
    x0, y0, x1, y1 = (round(side, 2) for side in sides)
    return x0, y0, x1, y1
