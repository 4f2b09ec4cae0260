"""Rows that belong to a table although it was not recognized as a whole."""

from dataclasses import replace

from tests.engines.local.drawing import line, page, table
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, value

ITEMS = {"items": listed(item_number=TEXT, description=TEXT, quantity=NUMBER, weight=NUMBER)}
HEAD = ["Item no.", "Description", "Quantity", "Weight"]


def test_a_line_right_under_a_table_that_fills_its_columns_is_its_last_row() -> None:
    made, lines = table([HEAD, ["A-1", "Lamp", "2", "8.4"], ["A-2", "Shade", "6", "2.1"]], top=200)
    under = [line(x, 246, text) for x, text in ((42, "A-3"), (171, "Hook"), (300, "24"), (429, "3.6"))]
    found = value(ITEMS, page([*lines, *under], tables=[made]))["items"]
    assert [row["item_number"] for row in found] == ["A-1", "A-2", "A-3"]


def test_a_table_goes_on_under_a_line_that_heads_its_second_part() -> None:
    first, lines = table([HEAD, ["A-1", "Lamp", "2", "8.4"], ["A-2", "Shade", "6", "2.1"]], top=200)
    second, more = table([["B-1", "Hook", "24", "3.6"], ["B-2", "Cable", "12", "4.8"]], top=264)
    second.cells[:] = [replace(cell, header=False) for cell in second.cells]
    found = value(ITEMS, page([*lines, line(42, 248, "Carton 2 of 2"), *more], tables=[first, second]))["items"]
    assert [row["item_number"] for row in found] == ["A-1", "A-2", "B-1", "B-2"]


def test_the_only_columns_of_a_kind_on_both_sides_are_the_same() -> None:
    """`Nennbetrag` is no word that the engine knows, but the only number that does not count the rows."""
    holders = {"shareholders": listed(name=TEXT, residence=TEXT, nominal_amount=NUMBER)}
    made, lines = table(
        [
            ["Nr.", "Name", "Residence", "Stückelung"],
            ["1", "Anja Berg", "Kiel", "12500"],
            ["2", "Uwe Ott", "Bonn", "7500"],
        ]
    )
    found = value(holders, page(lines, tables=[made]))
    assert rows(found["shareholders"]) == [["Anja Berg", "Kiel", 12500], ["Uwe Ott", "Bonn", 7500]]
