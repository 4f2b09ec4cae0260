from docsieve.domain.pages.page import Line, Word
from docsieve.parsers.tables.unruled import find_unruled_tables

PROSE = "the words of this column go on and on"


def line(text: str, x: float, y: float) -> Line:
    words = []
    for part in text.split():
        words.append(Word(part, (x, y, x + 5 * len(part), y + 8)))
        x += 5 * len(part) + 3
    return Line(text, (words[0].box[0], y, words[-1].box[2], y + 8), words)


def rows(*texts: tuple[str, ...], xs: tuple[float, ...] = (50, 200, 300, 400), pitch: float = 14) -> list[Line]:
    return [
        line(text, x, 100 + pitch * row)
        for row, cells in enumerate(texts)
        for text, x in zip(cells, xs, strict=False)
        if text
    ]


ITEMS = (
    ("Item", "Count", "Price", "Sum"),
    ("Desk lamp", "7", "12.50", "87.50"),
    ("Chair", "2", "80.00", "160.00"),
    ("Table of oak", "1", "300.00", "300.00"),
)


def test_aligned_columns_with_numbers_are_a_table_with_its_header() -> None:
    [table] = find_unruled_tables(rows(*ITEMS))

    assert (table.rows, table.columns) == (4, 4)
    assert [cell.text for cell in table.cells if cell.row == 1] == ["Desk lamp", "7", "12.50", "87.50"]
    assert [cell.text for cell in table.cells if cell.header] == ["Item", "Count", "Price", "Sum"]


def test_the_order_in_which_the_lines_were_written_does_not_matter() -> None:
    assert find_unruled_tables(rows(*ITEMS)[::-1]) == find_unruled_tables(rows(*ITEMS))


def test_the_order_of_the_words_in_a_line_does_not_matter() -> None:
    whole = [
        Line("", (50, y, 450, y + 8), [word for cell in rows(*ITEMS) if cell.box[1] == y for word in cell.words])
        for y in (100, 114, 128, 142)
    ]
    turned = [Line("", row.box, row.words[::-1]) for row in whole]

    assert find_unruled_tables(turned) == find_unruled_tables(whole) == find_unruled_tables(rows(*ITEMS))


def test_an_empty_cell_does_not_shift_the_others() -> None:
    [table] = find_unruled_tables(rows(*ITEMS, ("Delivery", "", "", "9.90")))

    assert [(cell.column, cell.text) for cell in table.cells if cell.row == 4] == [(0, "Delivery"), (3, "9.90")]


def test_columns_are_aligned_even_if_an_entry_sticks_out_to_the_left() -> None:
    header = rows(("Item", "No.", "Each", "Sum"), xs=(50, 185, 285, 400))

    [table] = find_unruled_tables([*header, *(cell for cell in rows(*ITEMS) if cell.box[1] > 100)])

    assert (table.rows, table.columns) == (4, 4)


def test_the_second_line_of_a_cell_stays_in_it() -> None:
    items = rows(*ITEMS, ("made by hand", "", "", ""), ("Bench", "1", "90.00", "90.00"), pitch=12)

    [table] = find_unruled_tables(items)

    assert "Table of oak\nmade by hand" in [cell.text for cell in table.cells]
    assert table.rows == 5


def test_currency_signs_set_apart_make_no_column() -> None:
    table_rows = [("Revenue", "$", "1,200", "1,100"), ("Cost", "", "800", "700"), ("Profit", "$", "400", "400")]

    [table] = find_unruled_tables(rows(*table_rows, xs=(50, 190, 220, 300)))

    assert table.columns == 3
    assert "$ 1,200" in [cell.text for cell in table.cells]


def test_prose_in_two_columns_is_not_a_table() -> None:
    assert not find_unruled_tables(rows(*[(PROSE, PROSE)] * 20, xs=(50, 320)))


def test_prose_in_two_columns_with_line_numbers_is_not_a_table() -> None:
    assert not find_unruled_tables(rows(*[(str(number), PROSE, PROSE) for number in range(20)], xs=(20, 50, 320)))


def test_addresses_side_by_side_are_not_a_table() -> None:
    blocks = [
        ("Lamp Ltd", "Oak and Sons"),
        ("12 High Street", "7 Low Road"),
        ("Oxford", "Bath"),
        ("England", "England"),
    ]

    assert not find_unruled_tables(rows(*blocks, xs=(50, 320)))


def test_lists_are_not_tables() -> None:
    bullets = [("•", "first thing to do"), ("•", "second thing"), ("•", "third thing"), ("•", "and the fourth")]
    numbered = [(f"{number}.", f"{number}0") for number in range(1, 6)]

    assert not find_unruled_tables(rows(*bullets, xs=(50, 80)))
    assert not find_unruled_tables(rows(*numbered, xs=(50, 80)))


def test_names_and_values_with_colons_are_not_a_table() -> None:
    pairs = [("Date:", "2024-05-01"), ("Number:", "4711"), ("Customer:", "12"), ("Page:", "1")]

    assert not find_unruled_tables(rows(*pairs, xs=(50, 200)))


def test_a_table_of_contents_with_leaders_is_not_a_table() -> None:
    entries = [(f"Chapter {number}", "." * 40, str(number * 7)) for number in range(1, 8)]

    assert not find_unruled_tables(rows(*entries, xs=(50, 200, 450)))


def test_a_page_of_single_lines_has_no_table() -> None:
    assert not find_unruled_tables([line("a line of text and nothing else", 50, 20 * row) for row in range(30)])
    assert not find_unruled_tables([])
