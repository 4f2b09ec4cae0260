import pytest

from docsieve.parsers.office.sheets.cell_values import plain_number, shown_number
from docsieve.parsers.office.sheets.number_formats import shown_by


@pytest.mark.parametrize(
    ("code", "value", "shown"),
    [
        ("0%", 0.19, "19%"),
        ("0.00%", 0.6666666, "66.67%"),
        ("#,##0.00", 1234567.891, "1,234,567.89"),
        ("#,##0", 12.5, "13"),
        ("0.00", 2.675, "2.68"),
        ("0.0#", 2.5, "2.5"),
        ('#,##0.00 "€"', 1234.5, "1,234.50 €"),
        ("[$€-407] #,##0.00", -5, "-€ 5.00"),
        ("$#,##0.00;($#,##0.00)", -3, "($3.00)"),
        ('_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', 0, "-"),
        ('_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', 7, "7.00"),
        ("00000", 501, "00501"),
        ("000-00-0000", 123456789, "123-45-6789"),
        ("#,##0,", 1234567, "1,235"),
        ("0.00E+00", 12345, "1.23E+04"),
        ("General", 0.1 + 0.2, "0.3"),
        ("# ?/?", 0.25, "0.25"),
        ("yyyy-mm-dd", 45322, "2024-01-31"),
        ("dd.mm.yyyy hh:mm", 45322.5, "2024-01-31 12:00"),
        ("mmm-yy", 45322, "2024-01-31"),
        ("h:mm", 0.75, "18:00"),
        ("mm:ss", 0.5 / 24, "00:30"),
        ("[h]:mm:ss", 1.5, "36:00:00"),
        ("d/m/yy", 59, "1900-02-28"),
        ("yyyy-mm-dd", -1, "-1"),
        ('"text only"', 5, "text only"),
        (";;;", 5, ""),
        ("0", -0.2, "0"),
    ],
)
def test_numbers_are_shown_as_their_format_shows_them(code: str, value: float, shown: str) -> None:
    assert shown_by(code, value) == shown


def test_dates_count_from_1904_where_the_workbook_says_so() -> None:
    assert shown_by("yyyy-mm-dd", 0, since_1904=True) == "1904-01-01"


@pytest.mark.parametrize(
    ("value", "shown"),
    [(5.0, "5"), (0.1 + 0.2, "0.3"), (1e-7, "0.0000001"), (1.5e18, "1500000000000000000"), (-2.50, "-2.5")],
)
def test_plain_numbers_have_neither_noise_nor_exponents(value: float, shown: str) -> None:
    assert shown_number(value) == shown


def test_text_that_is_not_a_number_stays_as_it_is() -> None:
    assert plain_number("1.2.3") == "1.2.3"
    assert plain_number("007") == "007"
