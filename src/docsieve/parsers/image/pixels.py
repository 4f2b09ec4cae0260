"""Converts any image to gray or color pixels on white, upright as its metadata says."""

import numpy as np
from PIL import Image

from docsieve.parsers.image.frames import DAMAGED
from docsieve.parsers.ocr.ink import is_blank

_ORIENTATION = 0x0112
_TRANSPOSED = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_WITH_ALPHA = frozenset({"LA", "La", "PA", "RGBA", "RGBa"})
_DEEP_GREY = frozenset({"I", "F", "I;16", "I;16L", "I;16B", "I;16N"})


def upright_pixels(image: Image.Image) -> Image.Image:
    """Return the decoded frame in mode L or RGB, rotated and mirrored as its EXIF data says."""
    image.load()
    # After decoding, because the TIFF reader then rotates its pages itself and says so.
    turn = _TRANSPOSED.get(_orientation(image))
    flat = _flat(image)
    return flat.transpose(turn) if turn is not None else flat


def is_transposed(image: Image.Image) -> bool:
    """Whether width and height are swapped; called before decoding, like the size."""
    return _orientation(image) in (5, 6, 7, 8)


def _orientation(image: Image.Image) -> int:
    try:
        found = image.getexif().get(_ORIENTATION, 1)
    except DAMAGED:
        return 1
    return found if isinstance(found, int) else 1


def _flat(image: Image.Image) -> Image.Image:
    if image.mode in ("L", "RGB"):
        # A copy, because the next page is decoded into the same object.
        return image.copy() if not image.has_transparency_data else _on_paper(image.convert("RGBA"))
    if image.mode == "1":
        return image.convert("L")
    if image.mode in _DEEP_GREY:
        return _eight_bits(image)
    if image.mode in _WITH_ALPHA or image.has_transparency_data:
        return _on_paper(image.convert("RGBA"))
    return image.convert("RGB")


def _on_paper(image: Image.Image) -> Image.Image:
    """On white, or on black if nothing would be visible on white."""
    for paper in ("white", "black"):
        flat = Image.new("RGB", image.size, paper)
        flat.paste(image, mask=image.getchannel("A"))
        if paper == "black" or not is_blank(flat):
            break
    return flat


def _eight_bits(image: Image.Image) -> Image.Image:
    """Scale deep gray so that the bits in use fill eight: scanners put 10 or 12 bits into 16."""
    values = np.nan_to_num(np.asarray(image, dtype=np.float32), posinf=0.0, neginf=0.0)
    low, high = min(0.0, float(values.min())), float(values.max())
    if image.mode != "F" and low == 0.0 and high <= 65535:
        high = float(next(limit for limit in (255, 1023, 4095, 16383, 65535) if high <= limit))
    return Image.fromarray(((values - low) * (255 / max(high - low, 1e-9))).astype(np.uint8), "L")
