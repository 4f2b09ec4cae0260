"""Detects blank images, because OCR is expensive."""

from PIL import Image

# Scanned paper is noisy. At a small size, noise averages out and a line of text is still visible.
_LOOKED_AT = 1000
_MIN_CONTRAST = 28
_MIN_DARK_PIXELS = 12


def is_blank(image: Image.Image) -> bool:
    """Whether an image in mode L or RGB has no more contrast than empty paper of any color."""
    shrink = max(image.size) // _LOOKED_AT
    small = image.reduce(shrink) if shrink > 1 else image
    counts = small.convert("L").histogram()
    background = max(range(256), key=counts.__getitem__)
    apart = sum(counts[: max(0, background - _MIN_CONTRAST)]) + sum(counts[background + _MIN_CONTRAST :])
    return apart < _MIN_DARK_PIXELS
