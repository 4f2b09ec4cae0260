"""Amounts of money and other numbers."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.values.amounts import find_amounts, parse_amount
from docsieve.values.numbers import decimal_mark, decimal_of, find_numbers, parse_number, plain
from docsieve.values.percentages import find_percentages, parse_percent

MONEY = st.decimals(min_value=Decimal("-99999999.99"), max_value=Decimal("99999999.99"), places=2)


@pytest.mark.parametrize(
    ("text", "value", "currency"),
    [
        ("1.234,56 €", "1234.56", "EUR"),
        ("$1,234.56", "1234.56", "USD"),
        ("RM 8.60", "8.60", "MYR"),
        ("RM8.60", "8.60", "MYR"),
        ("CHF 1'234.50", "1234.50", "CHF"),
        ("(123.45)", "-123.45", None),
        ("-7,67", "-7.67", None),
        ("−7,67 EUR", "-7.67", "EUR"),
        ("5,00-", "-5.00", None),
        ("-$5.00", "-5.00", "USD"),
        ("$(5.00)", "-5.00", "USD"),
        ("1 234,50 zł", "1234.50", "PLN"),
        ("12 345 678,90", "12345678.90", None),
        ("EUR 5,-", "5", "EUR"),
        ("l0.5O", "10.50", None),
        ("2.50s", "2.50", None),
        ("2.50B", "2.50", None),
        ("7,00", "7.00", None),
        ("1,00,000.00", "100000.00", None),
        ("1.234 €", "1234", "EUR"),
        ("USD 1,234", "1234", "USD"),
        ("100 Dollars", "100", "USD"),
        ("250 kr", "250", None),
    ],
)
def test_an_amount_is_read_in_many_ways_of_writing(text: str, value: str, currency: str | None) -> None:
    amount = parse_amount(text)
    assert amount is not None
    assert (amount.value, amount.currency) == (Decimal(value), currency)


@pytest.mark.parametrize("text", ["", "EUR", "Total", "1,234,56", "5.00 %", "12/05/2020", "SOS", "lOl", "A4"])
def test_text_that_is_not_an_amount_is_none(text: str) -> None:
    assert parse_amount(text) is None


def test_the_documents_decimal_mark_decides_what_one_mark_before_three_digits_means() -> None:
    assert parse_number("1.234") == Decimal("1.234")
    assert parse_number("1.234", decimal=",") == Decimal(1234)
    assert parse_number("1,234", decimal=",") == Decimal("1.234")
    assert parse_number("0.125", decimal=",") == Decimal("0.125")


def test_the_decimal_mark_is_taken_from_the_documents_own_amounts() -> None:
    assert decimal_mark(["Summe 1.234,56", "7,00"]) == ","
    assert decimal_mark(["Total 1,234.56", "7,00"]) == "."
    assert decimal_mark(["no amounts here", "12"]) is None


def test_amounts_in_a_line_are_found_and_other_numbers_are_not() -> None:
    text = "28-04-18 Total RM 8.60 (GST 0.49) 2 x 4.05, 12 pages, 19 %"
    assert [text[start:end] for start, end, _ in find_amounts(text)] == ["RM 8.60", "0.49", "4.05"]


def test_numbers_are_not_found_inside_dates_and_codes() -> None:
    assert [value for _, _, value in find_numbers("28-04-18 A12 1/2 10.10.10.1 but 7 and -3,5")] == [7, Decimal("-3.5")]


def test_percentages_are_read_with_and_without_their_sign() -> None:
    assert parse_percent("19 %") == 19
    assert parse_percent("7,5%") == Decimal("7.5")
    assert parse_percent("3.8") == Decimal("3.8")
    assert [value for _, _, value in find_percentages("19 % MwSt., 2.5% off")] == [19, Decimal("2.5")]


@given(MONEY, st.sampled_from(["€ {}", "{} EUR", "${}", "{}"]))
def test_a_formatted_amount_reads_back(value: Decimal, way: str) -> None:
    english = parse_amount(way.format(f"{value:,.2f}"))
    assert english is not None and english.value == value
    german = parse_amount(way.format(f"{value:,.2f}".translate(str.maketrans(",.", ".,"))))
    assert german is not None and german.value == value
    swiss = parse_amount(way.format(f"{value:,.2f}".replace(",", "'")))
    assert swiss is not None and swiss.value == value


@given(MONEY)
def test_the_plain_form_of_a_number_reads_back_and_has_no_needless_zeros(value: Decimal) -> None:
    assert Decimal(plain(value)) == value
    assert not plain(value).endswith(".") and not ("." in plain(value) and plain(value).endswith("0"))


@given(st.text(max_size=300))
def test_no_text_breaks_the_readers(text: str) -> None:
    parse_amount(text)
    for start, end, _ in (*find_amounts(text), *find_numbers(text), *find_percentages(text)):
        assert 0 <= start < end <= len(text)


def test_long_runs_of_digits_and_marks_end() -> None:
    for piece in ("1,", "1 ", "1.234", "$ ", "(-", "9" * 50 + " "):
        find_amounts(piece * 4_000)
        find_numbers(piece * 4_000)


def test_the_noise_of_binary_fractions_is_not_part_of_a_number() -> None:
    assert decimal_of(2.1100000000000003) == Decimal("2.11")
    assert decimal_of(0.1 + 0.2) == Decimal("0.3")
    assert decimal_of(12345678901234567890) == Decimal("12345678901234567890")
