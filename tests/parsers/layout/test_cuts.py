"""Lines are cut between columns and cells, and nowhere else."""

from docsieve.domain.pages.page import Line, Word
from docsieve.parsers.layout.cuts import find_cuts, parts_of
from tests.parsers.layout.samples import joined, line, words


def texts(lines: list[Line], rules: list[tuple[float, float, float, float]] | None = None) -> list[str]:
    cuts = find_cuts(lines, rules or [])
    return [part.text for at, each in enumerate(lines) for part in parts_of(each, cuts.get(at, []))]


def test_a_line_is_cut_at_a_wide_gap() -> None:
    [left, right] = texts([joined(line("one column", 50, 100), line("another one", 320, 100))])

    assert (left, right) == ("one column", "another one")


def test_a_line_is_cut_at_the_border_of_a_cell() -> None:
    row = line("Weight 20 kg", 50, 100)
    border = (row.words[1].box[0] - 1, 90.0, row.words[1].box[0] - 1, 120.0)

    assert texts([row], [border]) == ["Weight", "20 kg"]
    assert texts([row], [(border[0], 130.0, border[2], 160.0)]) == ["Weight 20 kg"]


def test_a_narrow_gap_is_a_gutter_if_many_lines_below_each_other_share_it() -> None:
    rows = [
        joined(line("six letters of text", 50, 100 + 12 * at), line("next to it", 143, 100 + 12 * at))
        for at in range(8)
    ]

    assert texts(rows) == ["six letters of text", "next to it"] * 8
    assert texts(rows[:3]) == [row.text for row in rows[:3]]


def test_a_line_stretched_to_the_width_of_its_column_stays_whole() -> None:
    stretched = spaced(["some", "words", "far", "off"], space=12, size=10)

    assert texts([stretched]) == ["some words far off"]


def test_dots_lead_from_an_entry_to_its_page() -> None:
    dots = [Word(".", (150 + 12.0 * at, 108, 151 + 12.0 * at, 109)) for at in range(10)]
    entry = [*words("The beginning", 50, 100), *dots, *words("7", 290, 100)]

    assert texts([Line("", (50, 100, 300, 110), entry)]) == ["The beginning . . . . . . . . . . 7"]


def test_right_to_left_text_is_cut_in_its_own_direction() -> None:
    right, left = Word("ראשון", (400, 100, 450, 110)), Word("שני", (100, 100, 150, 110))

    assert texts([Line("ראשון שני", (100, 100, 450, 110), [right, left])]) == ["ראשון", "שני"]


def test_a_space_of_a_monospaced_font_is_not_a_gap_though_its_letters_are_low() -> None:
    rows = [spaced(["MILK", "WHOLE"], space=6, size=5, y=100 + 12.0 * at) for at in range(5)]

    assert texts(rows) == ["MILK WHOLE"] * 5


def spaced(texts: list[str], *, space: float, size: float, y: float = 100) -> Line:
    found, x = [], 50.0
    for text in texts:
        found.append(Word(text, (x, y, x + 6.0 * len(text), y + size)))
        x += 6.0 * len(text) + space
    return Line(" ".join(texts), (50, y, x - space, y + size), found)
