"""How long the rest of a document is expected to take."""

import pytest

from docsieve.domain.pages.page import Progress
from docsieve.queue.pace import Pace


def pace_of(*reports: tuple[float, int], pages: int = 30, stage: str = "reading") -> Pace:
    pace = Pace()
    for at, page in reports:
        pace.add(Progress(stage, page, pages), at)
    return pace


@pytest.mark.parametrize(
    ("reports", "now", "left"),
    [
        ([(0, 0), (8, 1)], 8, 8 * 29),
        ([(0, 0), (8, 1), (10, 2), (12, 3)], 12, 2 * 27),
        ([(0, 0), (8, 1), (10, 2)], 11, 2 * 28 - 1),
        ([(0, 0), (8, 1), (28, 11)], 100, 0),
    ],
    ids=["after the first page", "the first page is not typical", "the page in progress counts", "never negative"],
)
def test_pages_are_expected_to_take_as_long_as_those_before(
    reports: list[tuple[float, int]], now: float, left: float
) -> None:
    assert pace_of(*reports).seconds_left(now) == left


def test_nothing_is_expected_before_the_first_page_after_the_last_or_in_other_stages() -> None:
    assert pace_of((0, 0)).seconds_left(1) is None
    assert pace_of((0, 0), (1, 1), (2, 2), pages=2).seconds_left(3) is None
    assert pace_of((0, 1), (1, 2), stage="ocr").seconds_left(3) is None


def test_a_reading_that_begins_again_is_measured_again() -> None:
    assert pace_of((0, 0), (1, 1), (2, 2), (10, 0), (15, 1)).seconds_left(15) == 5 * 29
    assert pace_of((0, 0), (10, 0), (15, 1)).seconds_left(15) == 5 * 29, "not even the first page was read before"
