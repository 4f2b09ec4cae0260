"""The few sizes to which images and lines are scaled, because models prepare themselves for each."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from docsieve.parsers.ocr.rapid.models import LINE_WIDTHS, Detector, detector_size

Values = NDArray[np.float32]

PIXELS = 0.9e6


@pytest.mark.parametrize("size", [(1654, 2339), (2200, 1700), (463, 797), (3000, 4000), (4000, 300), (60, 30), (1, 1)])
def test_the_detector_sees_an_image_in_nearly_its_own_proportions(size: tuple[int, int]) -> None:
    width, height = detector_size(*size, PIXELS)

    assert width % 32 == height % 32 == 0
    assert width * height < 1.15 * PIXELS
    if min(size) > 100:
        assert width / height == pytest.approx(size[0] / size[1], rel=0.13)


def test_scans_of_the_same_paper_have_one_size() -> None:
    assert len({detector_size(1654 + more, 2339 - more, PIXELS) for more in range(-20, 20)}) == 1


def test_no_line_but_a_very_short_one_is_stretched_by_more_than_an_eighth() -> None:
    assert all((wider / narrower) ** 0.5 < 1.13 for narrower, wider in pairwise(LINE_WIDTHS[3:]))
    assert all(width % 8 == 0 for width in LINE_WIDTHS)


class Lines:
    """A detector that sees lines as high as told, and remembers the pixels that it was given."""

    def __init__(self, height: int) -> None:
        self._height = height
        self.given: list[int] = []

    def __call__(self, values: Values) -> Values:
        found = np.zeros((1, 1, *values.shape[2:]), dtype=np.float32)
        for top in range(50, values.shape[2] - 50, 60):
            found[0, 0, top : top + self._height, 50:-50] = 0.9
        self.given.append(values.shape[2] * values.shape[3])
        return found

    def metadata(self, key: str) -> str:
        raise KeyError(key)

    def weights(self, name: str) -> Values:
        raise KeyError(name)

    def release(self) -> None:
        """It keeps nothing."""


@pytest.mark.parametrize("size", [(1654, 2339), (600, 800)])
def test_only_fine_print_is_looked_at_again_with_more_pixels(size: tuple[int, int]) -> None:
    page = Image.new("RGB", size)
    large, fine = Lines(14), Lines(4)

    Detector(large)(page)
    Detector(fine)(page)

    assert len(large.given) == 1
    assert len(fine.given) == 2
    assert fine.given[1] > 1.4 * fine.given[0]
