"""Lists with headings over each other and entries of several lines."""

from tests.engines.local.drawing import page
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, spread, value

PLACES = (40, 140, 300, 460)
ITEMS = {"items": listed(name=TEXT, quantity=NUMBER, line_total=NUMBER)}


def test_each_line_of_an_entry_is_under_its_own_line_of_headings() -> None:
    texts = [
        ("EAN", "Packing", "Quantity", "Amount"),
        ("Your no.", "Description", "", ""),
        ("4711", "crate 7", "2", "12.00"),
        ("K-1", "Lamp, black", "", ""),
        ("", "kept dry", "", ""),
        ("4712", "crate 8", "5", "35.00"),
        ("K-2", "Lamp, white", "", ""),
        ("Total", "", "", "47.00"),
    ]

    found = value(ITEMS, page(spread(texts, PLACES)))
    assert rows(found["items"]) == [["Lamp, black", 2, 12.0], ["Lamp, white", 5, 35.0]]


def test_headings_of_two_lines_over_entries_of_one_are_not_stacked() -> None:
    texts = [
        ("No.", "Description", "Quantity", "Amount"),
        ("", "", "(pieces)", "(euros)"),
        ("1", "Lamp, black", "2", "12.00"),
        ("2", "Lamp, white", "5", "35.00"),
    ]

    found = value(ITEMS, page(spread(texts, PLACES)))
    assert rows(found["items"]) == [["Lamp, black", 2, 12.0], ["Lamp, white", 5, 35.0]]
