"""Tables repaired with the text of the page."""

from collections.abc import Sequence

from docsieve.domain.pages.page import Cell, Table
from docsieve.engines.local.lists.tables.grids import grids_of
from docsieve.engines.local.page.view import view
from tests.engines.local.drawing import line, material, page, table
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, spread, value

BODY = [("Paint", "2", "20.00"), ("Brush", "1", "4.50"), ("Tape", "3", "6.00")]


def unruled(texts: Sequence[tuple[str, ...]], places: tuple[float, ...], top: float) -> Table:
    """A table whose cells are as wide as their text, as found without rules."""
    cells = [
        Cell(at, place, text, (places[place], top + 14 * at, places[place] + 5 * len(text), top + 14 * at + 10))
        for at, row in enumerate(texts)
        for place, text in enumerate(row)
    ]
    return Table((places[0], top, cells[-1].box[2], cells[-1].box[3]), len(texts), len(texts[0]), cells)


def test_headings_right_over_a_table_without_any_are_its_headings() -> None:
    lines = spread([("Description", "Qty", "Amount"), *BODY], (40, 260, 460))
    found = unruled(BODY, (40, 260, 460), 114)

    grid = grids_of(view(material(page(lines, tables=[found]))))[0]
    assert [cell.text for cell in grid.rows[0].values()] == ["Description", "Qty", "Amount"]
    items = value({"items": listed(description=TEXT, quantity=NUMBER, amount=NUMBER)}, page(lines, tables=[found]))
    assert rows(items["items"]) == [["Paint", 2, 20.0], ["Brush", 1, 4.5], ["Tape", 3, 6.0]]


def test_a_line_of_text_over_a_table_is_not_its_headings() -> None:
    lines = [line(40, 95, "All amounts in euros"), *spread(BODY, (40, 260, 460), top=114)]

    grid = grids_of(view(material(page(lines, tables=[unruled(BODY, (40, 260, 460), 114)]))))[0]
    assert len(grid.rows) == 3
    assert grid.caption == "All amounts in euros"


def test_two_columns_read_as_one_are_split_at_their_gap() -> None:
    heads = ("Description", "Qty", "Amount")
    lines = spread([heads, *BODY], (40, 260, 300))
    joined = [(name, f"{quantity} {amount}") for name, quantity, amount in (heads, *BODY)]
    edges = (40.0, 250.0, 400.0)
    cells = [
        Cell(at, place, text, (edges[place], 98 + 14 * at, edges[place + 1], 112 + 14 * at))
        for at, row in enumerate(joined)
        for place, text in enumerate(row)
    ]
    found = Table((40, 98, 400, 154), 4, 2, cells)

    items = value({"items": listed(description=TEXT, quantity=NUMBER, amount=NUMBER)}, page(lines, tables=[found]))
    assert rows(items["items"]) == [["Paint", 2, 20.0], ["Brush", 1, 4.5], ["Tape", 3, 6.0]]


def test_a_grid_says_whether_its_table_is_ruled() -> None:
    ruled, ruled_lines = table([["Name", "Amount"], ["Paint", "20.00"]])
    lines = spread(BODY, (40, 260, 460), top=414)

    grids = grids_of(view(material(page([*ruled_lines, *lines], tables=[ruled, unruled(BODY, (40, 260, 460), 414)]))))
    assert [grid.kind for grid in grids] == ["a ruled table", "an unruled table"]


def test_a_form_whose_cells_hold_labels_and_values_is_one_entry_and_no_table() -> None:
    cells = [["1 State", "2 State tax", "3 State income"], ["4 Payer", "5 Payer tax", "6 Payer income"]]
    form, labels = table(cells, row_height=28)
    values = [line(each.box[0], each.box[1] + 12, str(100 * at + 7)) for at, each in enumerate(labels)]

    schema = {"states": listed(state=TEXT, state_tax=NUMBER, state_income=NUMBER)}
    found = value(schema, page([*labels, *values], tables=[form]))["states"]
    assert found == [{"state": "7", "state_tax": 107, "state_income": 207}]
