"""Blocks of labels and values as entries, and tables within entries."""

from tests.engines.local.drawing import line, page, table, written
from tests.engines.local.lists.asking import TEXT, listed, rows, value

FLIGHTS = {"flights": listed(flight_number=TEXT, destination=TEXT, seat=TEXT)}


def test_labels_that_repeat_are_entries() -> None:
    text = """
Your journey
Flight 1
Flight number: LH 1172
Destination: Lisbon
Seat: 14C
Flight 2
Flight number: TP 1699
Destination: Funchal
Seat: 7A
"""
    assert rows(value(FLIGHTS, written(text))["flights"]) == [
        ["LH 1172", "Lisbon", "14C"],
        ["TP 1699", "Funchal", "7A"],
    ]


def test_labels_that_occur_once_are_no_list() -> None:
    text = """
Flight number: LH 1172
Destination: Lisbon
Seat: 14C
"""
    assert value(FLIGHTS, written(text))["flights"] == []


def test_cells_with_labels_and_values_are_not_headings_of_columns() -> None:
    cars = {"cars": listed(make=TEXT, model=TEXT)}
    lines, tables = [], []
    for at, (make, model) in enumerate([("Ford", "Transit"), ("Nissan", "Ariya")]):
        made, cells = table([[f"Make: {make}", f"Model: {model}"], ["Year: 2021", "Doors: 4"]], top=200.0 + 60 * at)
        tables.append(made)
        lines += cells
    found = value(cars, page([line(40, 100, "Cars that are insured"), *lines], tables=tables))
    assert rows(found["cars"]) == [["Ford", "Transit"], ["Nissan", "Ariya"]]


def test_each_table_is_the_inner_list_of_the_number_over_it() -> None:
    deliveries = {"deliveries": listed(number=TEXT, products=listed(product=TEXT, quantity=TEXT))}
    deliveries["deliveries"]["items"]["properties"]["number"]["description"] = "delivery number"
    lines, tables = [], []
    for at, number in enumerate(("D-5501", "D-5519")):
        top = 120.0 + 100 * at
        made, cells = table([["Product", "Quantity"], ["Flour", "25 bags"], ["Sugar", "10 bags"]], top=top)
        tables.append(made)
        lines += [line(40, top - 16, f"Delivery {number}"), *cells]
    found = value(deliveries, page(lines, tables=tables))["deliveries"]
    assert [each["number"] for each in found] == ["D-5501", "D-5519"]
    assert [len(each["products"]) for each in found] == [2, 2]
