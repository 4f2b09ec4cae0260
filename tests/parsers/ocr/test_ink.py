import numpy as np
from PIL import Image, ImageDraw

from docsieve.parsers.ocr.ink import is_blank


def test_noisy_paper_is_blank_and_one_faint_line_is_not() -> None:
    noise = np.random.default_rng(1).normal(235, 6, (3000, 2000)).clip(0, 255).astype(np.uint8)
    paper = Image.fromarray(noise)

    assert is_blank(paper)
    ImageDraw.Draw(paper).text((500, 500), "page 7", fill=150, font_size=40)
    assert not is_blank(paper)
