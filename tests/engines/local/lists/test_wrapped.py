"""Cells of several lines: a name, and remarks under it."""

from docsieve.domain.schemas.fields import Schema
from tests.engines.local.drawing import line, page, table
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, spread, value

NAMED: dict[str, Schema] = {"items": listed(name=TEXT, quantity=NUMBER, line_total=NUMBER)}
HEADS = ["Article", "Quantity", "Amount"]


def names(*cells: str) -> list[object]:
    """The names found in a table with these cells of several lines."""
    ruled, whole = table([HEADS, *([cell, "2", f"{at + 3}.50"] for at, cell in enumerate(cells))], row_height=40)
    lines = [
        line(each.box[0], each.box[1] + 12 * at, text)
        for each in whole
        for at, text in enumerate(" ".join(word.text for word in each.words).split("\n"))
    ]
    return [row[0] for row in rows(value(NAMED, page(lines, tables=[ruled]))["items"])]


def test_a_line_after_which_the_next_word_would_have_fitted_ends_a_name() -> None:
    assert names("M-01\nSunny lamp\nkeeps the rules of safety", "M-02\nDark lamp\nkeeps the rules of safety") == [
        "M-01",
        "M-02",
    ]


def test_a_name_that_filled_its_line_goes_on_in_the_next() -> None:
    assert names("Adjustable standing desks set\nFjord", "Chair") == ["Adjustable standing desks set Fjord", "Chair"]


def test_a_line_that_ends_with_a_hyphen_after_a_number_goes_on_without_a_space() -> None:
    assert names("4-\nRide ticket for one day", "Chair") == ["4-Ride ticket for one day", "Chair"]


def test_a_name_in_a_narrow_column_goes_on_over_several_lines_up_to_a_wider_gap() -> None:
    texts = [("Article", "Quantity", "Amount"), ("Folding", "2", "12.00"), ("garden",), ("chair",), (), ("Valid now",)]

    found = value(NAMED, page(spread(texts, (40, 260, 460))))
    assert rows(found["items"]) == [["Folding garden chair", 2, 12.0]]
