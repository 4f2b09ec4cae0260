import numpy as np
import pytest
from PIL import Image, ImageDraw

from docsieve.domain.pages import Box, Line
from docsieve.parsers.ocr.ink import is_blank
from docsieve.parsers.ocr.order import in_reading_order
from docsieve.parsers.ocr.rapid.bearing import Read, find_skew, find_turn
from docsieve.parsers.ocr.rapid.characters import Character, decode, split_words
from docsieve.parsers.ocr.rapid.quads import Quad


def spelled(text: str, *, wider_before: str = "", gap: float = 30.0) -> list[Character]:
    """The characters of a text ten pixels apart, but `gap` before each that `wider_before` names."""
    place, found = 0.0, []
    for character in text:
        place += gap if character in wider_before else 10.0
        found.append(Character(character, place, 0.9))
    return found


def words(line: list[Character]) -> list[str]:
    return ["".join(character.text for character in word) for word in split_words(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (spelled("to pay"), ["to", "pay"]),
        (spelled("Totalx", wider_before="x"), ["Total", "x"]),
        (spelled("Co.Reg", wider_before="R", gap=20), ["Co.", "Reg"]),
        (spelled("10.50", wider_before="5", gap=20), ["10.50"]),
        (spelled("Date：1（Sun）9"), ["Date:", "1", "(Sun)", "9"]),
        (spelled("発行：東京（株）"), ["発行：東京（株）"]),
        (spelled("  "), []),
    ],
)
def test_words_are_parted_by_spaces_and_by_gaps_as_wide(line: list[Character], expected: list[str]) -> None:
    assert words(line) == expected


def test_repeated_columns_are_one_character_unless_a_blank_parts_them() -> None:
    classes = [0, 1, 1, 0, 1, 2, 0]
    scores = np.zeros((len(classes), 3), dtype=np.float32)
    scores[range(len(classes)), classes] = 0.9

    found = decode(scores, "ab", 8.0)

    assert [(character.text, character.place) for character in found] == [("a", 16.0), ("a", 36.0), ("b", 44.0)]


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


def line(text: str, box: Box) -> Line:
    return Line(text, box)


def test_rows_are_read_from_left_to_right_and_from_top_to_bottom() -> None:
    found = in_reading_order(
        [
            line("total", (10, 52, 60, 62)),
            line("price", (100, 1, 150, 11)),
            line("item", (10, 0, 60, 10)),
            line("9.50", (100, 50, 150, 60)),
        ],
        0.0,
    )

    assert [(entry.text, entry.block) for entry in found] == [("item", 0), ("price", 0), ("total", 1), ("9.50", 1)]


def test_a_slanted_row_is_still_one_row() -> None:
    # Five degrees over 400 points fall by 35, which is more than two lines.
    boxes = {"a": (0, 0, 40, 13), "b": (400, 35, 440, 48), "c": (0, 14, 40, 27), "d": (400, 49, 440, 62)}

    found = in_reading_order([line(text, box) for text, box in boxes.items()], -5.0)

    assert [entry.text for entry in found] == ["a", "b", "c", "d"]


def test_noisy_paper_is_blank_and_one_faint_line_is_not() -> None:
    noise = np.random.default_rng(1).normal(235, 6, (3000, 2000)).clip(0, 255).astype(np.uint8)
    paper = Image.fromarray(noise)

    assert is_blank(paper)
    ImageDraw.Draw(paper).text((500, 500), "page 7", fill=150, font_size=40)
    assert not is_blank(paper)


def article(columns: int) -> list[Line]:
    """A title across the page, then columns of ten full lines each."""
    width = 600 / columns
    lines = [line("title", (50, 0, 550, 10))]
    for column in range(columns):
        left = column * width
        lines += [line(f"{column}{row}", (left, 20 + 12 * row, left + width - 20, 30 + 12 * row)) for row in range(10)]
    return lines


@pytest.mark.parametrize("columns", [2, 3])
def test_columns_of_running_text_are_read_one_after_the_other(columns: int) -> None:
    lines = article(columns)

    found = in_reading_order(sorted(lines, key=lambda entry: entry.box[1]), 0.0)

    assert [entry.text for entry in found] == [entry.text for entry in lines]
    assert len({entry.block for entry in found}) == 1 + columns


def test_a_list_of_prices_is_read_row_by_row() -> None:
    items = [line(f"item {row}", (0, 12 * row, 150 + 9 * row, 12 * row + 10)) for row in range(12)]
    prices = [line(f"{row}.00", (260, 12 * row, 290, 12 * row + 10)) for row in range(12)]

    found = in_reading_order([*items, *prices], 0.0)

    assert [entry.text for entry in found[:4]] == ["item 0", "0.00", "item 1", "1.00"]
