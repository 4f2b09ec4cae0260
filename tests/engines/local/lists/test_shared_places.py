"""Lists that could be in the same tables."""

from docsieve.domain.pages.page import Page
from tests.engines.local.drawing import page, table
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, value

HEADS = ["Label", "Current year", "Prior year"]


def two_tables() -> Page:
    first, first_lines = table([HEADS, ["Cash", "1250", "980"], ["Stock", "1870", "2100"]])
    second, second_lines = table([HEADS, ["Sales", "18500", "16200"], ["Rents", "700", "600"]], top=400)
    return page([*first_lines, *second_lines], tables=[first, second])


def test_tables_with_the_same_headings_are_one_list() -> None:
    found = value({"lines": listed(label=TEXT, current_year=NUMBER, prior_year=NUMBER)}, two_tables())
    assert [row[0] for row in rows(found["lines"])] == ["Cash", "Stock", "Sales", "Rents"]


def test_two_lists_of_the_same_shape_have_a_table_each() -> None:
    shape = listed(label=TEXT, current_year=NUMBER, prior_year=NUMBER)

    found = value({"sheet": shape, "income": shape}, two_tables())
    assert [row[0] for row in rows(found["sheet"])] == ["Cash", "Stock"]
    assert [row[0] for row in rows(found["income"])] == ["Sales", "Rents"]
