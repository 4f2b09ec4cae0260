import pytest

from docsieve.domain.pages.page import Box, Line, Word
from docsieve.parsers.ocr.order import in_reading_order


def line(text: str, box: Box) -> Line:
    words = text.split()
    width = (box[2] - box[0]) / len(words)
    placed = [
        Word(word, (box[0] + at * width, box[1], box[0] + (at + 1) * width - 2, box[3]))
        for at, word in enumerate(words)
    ]
    return Line(text, box, placed)


def ordered(lines: list[Line], skew: float = 0.0) -> list[Line]:
    return in_reading_order(lines, skew, 842)[0]


def test_rows_are_read_from_left_to_right_and_from_top_to_bottom() -> None:
    found = ordered(
        [
            line("total", (10, 52, 60, 62)),
            line("price", (100, 1, 150, 11)),
            line("item", (10, 0, 60, 10)),
            line("9.50", (100, 50, 150, 60)),
        ]
    )

    assert [(entry.text, entry.block) for entry in found] == [("item", 0), ("price", 0), ("total", 1), ("9.50", 1)]


def test_a_slanted_row_is_still_one_row() -> None:
    # Five degrees over 400 points fall by 35, which is more than two lines.
    boxes = {"a": (0, 0, 40, 13), "b": (400, 35, 440, 48), "c": (0, 14, 40, 27), "d": (400, 49, 440, 62)}

    found = ordered([line(text, box) for text, box in boxes.items()], -5.0)

    assert [entry.text for entry in found] == ["a", "b", "c", "d"]


def article(columns: int) -> list[Line]:
    """A title across the page, then columns of ten full lines each."""
    width = 600 / columns
    lines = [line("title", (50, 0, 550, 10))]
    for column in range(columns):
        left = column * width
        lines += [
            line(f"{column} row {row} of the text", (left, 20 + 12 * row, left + width - 20, 30 + 12 * row))
            for row in range(10)
        ]
    return lines


@pytest.mark.parametrize("columns", [2, 3])
def test_columns_of_running_text_are_read_one_after_the_other(columns: int) -> None:
    lines = article(columns)

    found = ordered(sorted(lines, key=lambda entry: entry.box[1]))

    assert [entry.text for entry in found] == [entry.text for entry in lines]
    assert len({entry.block for entry in found}) == 1 + columns


def test_a_list_of_prices_is_read_row_by_row() -> None:
    items = [line(f"item {row}", (0, 12 * row, 150 + 9 * row, 12 * row + 10)) for row in range(12)]
    prices = [line(f"{row}.00", (260, 12 * row, 290, 12 * row + 10)) for row in range(12)]

    found = ordered([*items, *prices])

    assert [entry.text for entry in found[:4]] == ["item 0", "0.00", "item 1", "1.00"]
