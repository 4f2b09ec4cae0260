import pytest

from docsieve.domain.pages.page import Box, Line, Word
from docsieve.parsers.layout.page import lay_out
from docsieve.parsers.tables.ruled import find_ruled_tables


def line(text: str, x: float, y: float) -> Line:
    words = []
    for part in text.split():
        words.append(Word(part, (x, y, x + 5 * len(part), y + 8)))
        x += 5 * len(part) + 3
    box = words[0].box[0], y, words[-1].box[2], y + 8
    return Line(text, box, words)


def across(y: float, x0: float = 0, x1: float = 300) -> Box:
    return x0, y, x1, y + 0.5


def down(x: float, y0: float = 0, y1: float = 60) -> Box:
    return x, y0, x + 0.5, y1


GRID = [*(across(y) for y in (0, 20, 40, 60)), *(down(x) for x in (0, 100, 200, 300))]
WORDS = [line(f"{name}{row}", x, 20 * row + 6) for row in range(3) for name, x in (("a", 10), ("b", 110), ("c", 210))]


def texts(lines: list[Line], rules: list[Box]) -> list[tuple[int, int, int, int, str]]:
    [table] = find_ruled_tables(lines, rules)
    return [(cell.row, cell.column, cell.row_span, cell.column_span, cell.text) for cell in table.cells]


def test_crossing_lines_make_cells() -> None:
    assert texts(WORDS, GRID) == [
        (row, column, 1, 1, f"{'abc'[column]}{row}") for row in range(3) for column in range(3)
    ]


def test_a_missing_piece_of_line_joins_two_cells() -> None:
    rules = [rule for rule in GRID if rule != down(100)] + [down(100, 20, 60)]

    cells = texts(WORDS, rules)

    assert cells[0] == (0, 0, 1, 2, "a0\nb0")
    assert (1, 0, 1, 1, "a1") in cells


@pytest.mark.parametrize(("begins", "columns"), [(4, [0, 1, 2]), (8, [0, 1, 2]), (12, [0, 2])])
def test_a_line_parts_two_cells_if_it_is_drawn_along_half_of_them(begins: float, columns: list[int]) -> None:
    rules = [rule for rule in GRID if rule != down(100)] + [down(100, begins, 60)]

    assert [column for row, column, *_ in texts(WORDS, rules) if row == 0] == columns


def test_a_cell_may_span_rows() -> None:
    rules = [rule for rule in GRID if rule != across(20)] + [across(20, 100, 300)]

    cells = texts(WORDS, rules)

    assert cells[0] == (0, 0, 2, 1, "a0\na1")
    assert (1, 1, 1, 1, "b1") in cells


def test_words_of_one_line_stay_together_in_a_cell_that_may_have_several_rows() -> None:
    there, back = line("one", 10, 6), line("two", 40, 6)
    aside, below = line("aside", 110, 6), line("below", 210, 26)
    leaping = [*there.words, *aside.words, *back.words, *below.words]

    cells = texts([Line("one aside two below", (10, 6, 240, 34), leaping), line("three", 10, 12)], GRID)

    assert [text for *_, text in cells if text] == ["one two\nthree", "aside", "below"]


def test_lines_of_pieces_and_doubled_lines_are_one() -> None:
    pieces = [piece for y in (0, 20, 40, 60) for piece in (across(y, 0, 99), across(y + 1, 101, 300))]
    doubled = [rule for x in (0, 100, 200, 300) for rule in (down(x), down(x + 2))]

    assert len(texts(WORDS, [*pieces, *doubled])) == 9


def test_a_table_may_be_open_at_its_sides() -> None:
    rules = [*(across(y) for y in (0, 20, 40, 60)), down(100), down(200)]

    assert len(texts(WORDS, rules)) == 9


def test_frames_boxes_and_charts_are_not_tables() -> None:
    frame = [across(0), across(60), down(0), down(300)]
    empty_chart = [*(across(y) for y in range(0, 70, 10)), *(down(x) for x in range(0, 310, 50))]
    labels = [line("0 10 20 30", 10, 70), line("Growth", 120, 80)]

    assert not find_ruled_tables(WORDS, frame)
    assert not find_ruled_tables(labels, empty_chart)


def test_two_tables_on_a_page_stay_two() -> None:
    below = [(x0, y0 + 100, x1, y1 + 100) for x0, y0, x1, y1 in GRID]
    words = [*WORDS, *(line(f"d{row}{x}", x, 20 * row + 106) for row in range(3) for x in (10, 110, 210))]

    assert [table.box[1] for table in lay_out(words, 842, rules=[*below, *GRID]).tables] == [0.25, 100.25]
