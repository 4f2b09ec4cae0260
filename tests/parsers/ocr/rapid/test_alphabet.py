import numpy as np
import pytest

from docsieve.parsers.ocr.rapid.alphabet import Alphabets, Reading

# One feature per class: blank, a Latin letter, an East Asian one, the space.
ALPHABETS = Alphabets(["a", "\u4eac", " "], np.eye(4, dtype=np.float32), np.zeros(4, dtype=np.float32))


def line(*columns: list[float]) -> Reading:
    return Reading(np.array(columns, dtype=np.float32), 8.0, ALPHABETS)


def test_a_surely_read_line_is_not_asked_for_east_asian_characters() -> None:
    reading = line([9, 0, 0, 0], [0, 9, 0, 0])

    assert [character.text for character in reading.western] == ["a"]
    assert (reading.is_doubtful, reading.is_known_in_full) == (False, False)


def test_a_doubtful_line_is_read_with_all_characters_and_is_then_as_sure_as_among_all() -> None:
    reading = line([0, 3, 9, 1])
    assert reading.is_doubtful
    before = reading.western[0].confidence

    assert [character.text for character in reading.full] == ["\u4eac"]

    assert before > 0.8
    assert reading.western[0].confidence == pytest.approx(np.exp(3 - 9), rel=0.05)
    assert not reading.is_doubtful


def test_a_long_line_is_read_as_its_parts_are() -> None:
    columns = [[9.0, 0, 0, 0], [0, 9.0, 0, 0]] * 40

    assert len(line(*columns).western) == len(line(*columns).full) == 40
