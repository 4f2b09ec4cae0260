"""Blank pages and separator sheets, detected from how a page looks: its ink, patch codes and barcodes.

Scanning departments put a sheet with a patch code between documents: four bars, two of them wide, with equal spaces,
across the page or along it. Barcodes are decoded with zxing-cpp.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from docsieve.analysis.packets import vocabulary
from docsieve.analysis.packets.page_facts import word_count
from docsieve.domain.pages.page import Page

if TYPE_CHECKING:
    from PIL.Image import Image

SPARSE_WORDS = 25
"""A page with more words is neither blank nor a separator sheet."""

LOOK_WIDTH = 1000
"""Pixels across the image that `look` wants: narrow bars of a patch code are then several pixels wide."""

_INK_LEVEL = 0.6  # of the paper's brightness
_MARGIN = 0.03  # scans often have a dark edge
_BLANK_INK = 0.0015
_BLANK_WORDS = 2
_BARCODE_WORDS = 8
_SEPARATOR_CODES = ("sep", "patch", "split", "break", "trenn", "divid")
_LINES = (0.2, 0.35, 0.5, 0.65, 0.8)
_LINES_THAT_AGREE = 3
_NARROW = (0.55, 1.7)
_WIDE = (1.8, 3.6)
_MIN_BAR = 3
_INTENTIONALLY_BLANK = vocabulary.phrases(
    """this page intentionally left blank; page intentionally left blank; intentionally left blank; this page is blank;
    diese seite ist absichtlich leer; leerseite; page laissee blanche intentionnellement; pagina en blanco;
    pagina dejada en blanco intencionadamente; pagina intenzionalmente bianca"""
)

Pixels = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class SheetLook:
    """`ink` is the share of dark pixels, `barcodes` the texts of all barcodes."""

    ink: float
    has_patch: bool = False
    barcodes: tuple[str, ...] = ()


def look(image: "Image") -> SheetLook:
    gray = np.asarray(image.convert("L"))
    height, width = gray.shape
    inner = gray[int(height * _MARGIN) : int(height * (1 - _MARGIN)), int(width * _MARGIN) : int(width * (1 - _MARGIN))]
    if inner.size == 0:
        return SheetLook(0.0)
    dark: Pixels = inner < float(np.percentile(inner, 90)) * _INK_LEVEL
    ink = float(dark.mean())
    if ink < _BLANK_INK:
        return SheetLook(ink)
    return SheetLook(ink, _has_patch(dark) or _has_patch(dark.T), _barcodes(image))


def sheet_kind(page: Page, seen: SheetLook | None) -> Literal["blank", "separator"] | None:
    """What a page is if it belongs to no document. `seen` is None where the page could not be rendered."""
    words = word_count(page)
    if words > SPARSE_WORDS or page.error is not None:
        return None
    text = vocabulary.folded(page.text)
    if vocabulary.SEPARATOR.search(text) or (seen is not None and seen.has_patch):
        return "separator"
    if seen is not None and _separating(seen.barcodes, words):
        return "separator"
    if _INTENTIONALLY_BLANK.search(text):
        return "blank"
    # without an image, a page without words may still show a picture
    return "blank" if words <= _BLANK_WORDS and seen is not None and seen.ink < _BLANK_INK else None


def _separating(barcodes: Sequence[str], words: int) -> bool:
    if any(mark in code.casefold() for code in barcodes for mark in _SEPARATOR_CODES):
        return True
    return bool(barcodes) and words <= _BARCODE_WORDS


def _barcodes(image: "Image") -> tuple[str, ...]:
    import zxingcpp

    return tuple(each.text for each in zxingcpp.read_barcodes(np.asarray(image.convert("L"))) if each.text)


def _has_patch(dark: Pixels) -> bool:
    found = [_patches(dark[:, int(dark.shape[1] * at)]) for at in _LINES]
    close = dark.shape[0] * 0.02
    return any(
        sum(any(abs(start - other) < close for other in others) for others in found) >= _LINES_THAT_AGREE
        for starts in found
        for start in starts
    )


def _patches(line: Pixels) -> list[int]:
    """Where four bars of a patch code begin on a line across them."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], line.astype(np.int8), [0]))))
    starts, ends = edges[::2], edges[1::2]
    found = []
    for at in range(len(starts) - 3):
        bars = (ends - starts)[at : at + 4]
        spaces = starts[at + 1 : at + 4] - ends[at : at + 3]
        if _is_patch(bars.tolist(), spaces.tolist()):
            found.append(int(starts[at]))
    return found


def _is_patch(bars: list[int], spaces: list[int]) -> bool:
    unit = sum(spaces) / 3
    if min(bars) < _MIN_BAR or max(spaces) > 1.6 * min(spaces):
        return False
    wide = [_WIDE[0] <= bar / unit <= _WIDE[1] for bar in bars]
    narrow = [_NARROW[0] <= bar / unit <= _NARROW[1] for bar in bars]
    return sum(wide) == 2 and all(a or b for a, b in zip(wide, narrow, strict=True))
