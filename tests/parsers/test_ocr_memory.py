"""What OCR keeps of the lines that it has read."""

import numpy as np

from docsieve.parsers.ocr.backends import LADDER
from docsieve.parsers.ocr.rapid_models import load
from docsieve.sandbox.isolation import reserved_mb


def test_lines_of_ever_new_widths_do_not_reserve_ever_more_memory() -> None:
    _, recognise = load(LADDER[0])
    before = reserved_mb()

    def read(widths: range) -> int:
        for width in widths:
            recognise(np.full((48, width, 3), 255, dtype=np.uint8))
        return reserved_mb()

    after_some = read(range(32, 352, 8))
    after_more = read(range(352, 672, 8))

    assert after_more - after_some < 0.8 * (after_some - before)
