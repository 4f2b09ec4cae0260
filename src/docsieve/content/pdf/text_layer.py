"""Invisible text over a page: each word in its box, so that viewers select and find what the page shows."""

import unicodedata
from collections.abc import Iterator, Sequence

from docsieve.content.pdf.font import ADVANCE, ASCENT, Characters
from docsieve.domain.pages.page import Page, Word

FONT_NAME = "DocsieveText"

Matrix = tuple[float, float, float, float, float, float]
UPRIGHT: Matrix = (1, 0, 0, 1, 0, 0)

_MIN_SIZE = 0.5


def text_layer(page: Page, characters: Characters, matrix: Matrix = UPRIGHT) -> bytes:
    """The operators that write the page's words. `matrix` maps its coordinates, from the lower left, to the PDF's."""
    written = [" ".join(f"{value:.4f}" for value in matrix) + " cm BT 3 Tr"]
    for line in page.lines:
        written += _line(line.words or [Word(line.text, line.box)], page.height, characters)
    return ("q " + "\n".join(written) + "\nET Q\n").encode()


def _line(words: Sequence[Word], height: float, characters: Characters) -> Iterator[str]:
    top, bottom = min(word.box[1] for word in words), max(word.box[3] for word in words)
    size = max(bottom - top, _MIN_SIZE)
    baseline = height - top - size * ASCENT / 1000
    yield f"/{FONT_NAME} {size:.3f} Tf"
    for word in words:
        yield _shown(word, baseline, size, characters)


def _shown(word: Word, baseline: float, size: float, characters: Characters) -> str:
    """The word and a space, so that programs that do not look at positions tell words apart."""
    left, _, right, _ = word.box
    text = _in_visual_order(word.text)
    natural = max(len(text) * size * ADVANCE / 1000, 0.001)
    stretch = max(right - left, 0.01) / natural * 100
    return f"{stretch:.3f} Tz 1 0 0 1 {left:.3f} {baseline:.3f} Tm {characters.encoded(text + ' ')} Tj"


def _in_visual_order(text: str) -> str:
    """PDF viewers expect letters from left to right as they are seen, and turn right-to-left words around."""
    if any(unicodedata.bidirectional(each) in ("R", "AL") for each in text):
        return text[::-1]
    return text
