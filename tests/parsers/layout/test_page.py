"""Pages are read as people read them, and what surrounds their text is marked."""

from random import Random

import pytest

from docsieve.domain.pages.page import Box, Line
from docsieve.parsers.layout.page import lay_out
from tests.parsers.layout.samples import HEIGHT, line

PROSE = "a line of text that fills its column"


def read(lines: list[Line], rules: list[Box] | None = None) -> list[str]:
    """The order of the lines, wherever the file has them."""
    shuffled = list(lines)
    Random(4).shuffle(shuffled)
    return [shuffled[at].text for at in lay_out(shuffled, HEIGHT, rules=rules or []).order]


def column(name: str, x: float, y: float, rows: int) -> list[Line]:
    return [line(f"{name}{row} {PROSE}", x, y + 12 * row) for row in range(rows)]


def texts(lines: list[Line]) -> list[str]:
    return [each.text for each in lines]


@pytest.mark.parametrize("lower_by", [0, 5])
def test_columns_are_read_one_after_the_other_under_their_title(lower_by: float) -> None:
    lines = [line("A title over both of the columns and more", 150, 100, width=8)]
    lines += [*column("left", 50, 130, 12), *column("right", 320, 130 + lower_by, 9)]

    assert read(lines) == texts(lines)


def test_blocks_side_by_side_are_read_one_after_the_other_and_labels_with_their_values() -> None:
    address = [line(text, 50, 120 + 12 * at) for at, text in enumerate(("Anna Berg", "Weg 7", "50667 Stadt"))]
    pairs = [
        part
        for at, (label, value) in enumerate((("Invoice:", "4711"), ("Date:", "1.2.2026"), ("Customer:", "99")))
        for part in (line(label, 350, 120 + 12 * at), line(value, 440, 120 + 12 * at))
    ]

    assert read([*address, *pairs]) == texts([*address, *pairs])


def test_rows_of_a_table_are_read_one_after_the_other() -> None:
    rows = [
        line(text, x, 150 + 14 * at)
        for at, row in enumerate((("Item", "Count", "Price"), *((f"thing {n}", f"{n}", f"{n}.50") for n in range(6))))
        for text, x in zip(row, (50, 250, 400), strict=True)
    ]

    assert read(rows) == texts(rows)


def test_cells_of_a_ruled_table_are_read_one_after_the_other() -> None:
    xs, ys = (50.0, 200.0, 350.0), (100.0, 140.0, 180.0, 220.0)
    rules = [(x, ys[0], x, ys[-1]) for x in xs] + [(xs[0], y, xs[-1], y) for y in ys]
    cells = [
        line(f"{name} {row} {side}", x + 4, y + 4 + down)
        for row, y in enumerate(ys[:-1])
        for side, x in enumerate(xs[:-1])
        for name, down in (("label", 0), ("value", 14))
    ]

    assert read(cells, rules) == texts(cells)


def test_what_surrounds_the_text_is_read_around_it_and_marked() -> None:
    header = [line("Report on bridges", 50, 30, size=8), line("May", 500, 30, size=8)]
    body = [*column("left", 50, 100, 40), *column("right", 320, 100, 40)]
    note = [line("1 See the minutes", 50, 640, size=7), line("of the year before", 50, 649, size=7)]
    footer = [
        line(f"{name} {row}", x, 780 + 9 * row, size=7)
        for name, x in (("office", 50), ("bank", 230), ("register", 400))
        for row in range(3)
    ]
    lines = [*footer, *note, *body, *header]

    order = lay_out(lines, HEIGHT).order

    assert [lines[at].text for at in order] == texts([*header, *body, *note, *footer])
    roles = {role: [each for each in lines if each.role == role] for role in ("footnote", "footer")}
    assert roles == {"footnote": note, "footer": footer}


def test_the_last_row_of_a_widely_spaced_table_is_not_a_footer() -> None:
    rows = [line(text, x, 100 + 25 * at) for at in range(27) for text, x in ((f"payment {at}", 50), (f"{at}7.50", 450))]

    found = lay_out(rows, HEIGHT)

    assert [each.role for each in rows] == [None] * len(rows)
    assert found.tables[0].rows == 27


def test_right_columns_are_read_first_where_text_runs_left() -> None:
    right = [line(f"ימין {'אבגד ' * 6}", 320, 100 + 12 * row) for row in range(8)]
    left = [line(f"שמאל {'אבגד ' * 6}", 50, 100 + 12 * row) for row in range(8)]

    assert read([*right, *left]) == texts([*right, *left])


def test_text_that_runs_down_a_margin_comes_last() -> None:
    margin = Line("printed on paper", (20, 100, 30, 700))
    lines = [*column("text", 50, 100, 20), margin]

    assert read(lines) == texts(lines)


def test_a_page_without_lines_has_no_order() -> None:
    assert lay_out([], HEIGHT).order == []
