import numpy as np
import pytest

from docsieve.parsers.ocr.rapid.characters import Character
from docsieve.parsers.ocr.rapid.orientation import Read, find_skew, find_turn
from docsieve.parsers.ocr.rapid.quads import Quad


def region(x: float, y: float, width: float, height: float) -> Quad:
    return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], dtype=np.float32)


def reader(confidence: dict[int, float], characters: int = 20) -> Read:
    return lambda _, turn: [Character("x", 0.0, confidence[turn])] * characters


LYING = [region(10, 40 * row, 300, 20) for row in range(10)]
STANDING = [region(40 * column, 10, 20, 300) for column in range(10)]


@pytest.mark.parametrize(
    ("quads", "confidence", "turn"),
    [
        (LYING, {0: 0.99, 180: 1.0}, 0),
        (LYING, {0: 0.7, 180: 0.98}, 180),
        (LYING, {0: 0.85, 180: 0.88}, 0),
        (LYING, {0: 0.4, 180: 0.6}, 0),
        (STANDING, {90: 0.98, 270: 0.7}, 90),
        (STANDING, {90: 0.7, 270: 0.98}, 270),
        (STANDING, {90: 0.7, 270: 0.7}, 0),
        ([], {}, 0),
    ],
)
def test_a_page_is_turned_only_where_that_reads_clearly_better(
    quads: list[Quad], confidence: dict[int, float], turn: int
) -> None:
    assert find_turn(quads, reader(confidence)) == turn


def test_a_few_characters_are_not_enough_to_turn_a_page() -> None:
    assert find_turn(LYING[:1], reader({0: 0.5, 180: 0.99}, characters=3)) == 0


def test_the_skew_is_that_of_most_of_the_text() -> None:
    falling = np.array([[0, 0], [300, 15.72], [299, 35.72], [-1, 20]], dtype=np.float32)

    assert find_skew([falling] * 5 + [region(0, 0, 300, 20)], 0) == pytest.approx(-3, abs=0.1)
    assert find_skew([], 0) == 0
