"""Lengths of time as documents write them."""

from fractions import Fraction

import pytest

from docsieve.values.durations import Duration, find_durations, parse_duration, unit_named
from docsieve.values.normal import normalized


@pytest.mark.parametrize(
    ("text", "expected", "written"),
    [
        ("two (2) years", Duration(2, "year"), "2 years"),
        ("three [3] full months", Duration(3, "month"), "3 months"),
        ("thirty-six months", Duration(36, "month"), "36 months"),
        ("90 days", Duration(90, "day"), "90 days"),
        ("ten business days", Duration(10, "working day"), "10 business days"),
        ("zehn Werktagen", Duration(10, "working day"), "10 Werktagen"),
        ("sechs Wochen", Duration(6, "week"), "6 Wochen"),
        ("dix-huit mois", Duration(18, "month"), "18 mois"),
        ("2 (dois) anos", Duration(2, "year"), "2 anos"),
        ("tres (3) años", Duration(3, "year"), "3 años"),
    ],
)
def test_a_duration_is_a_number_in_words_or_digits_and_a_unit(text: str, expected: Duration, written: str) -> None:
    found = parse_duration(text)
    assert found == expected
    assert found is not None
    assert found.text == written


@pytest.mark.parametrize(
    "text", ["years", "a few years", "the year 2020", "$30 days", "this 5 day of March", "section 2"]
)
def test_other_words_with_numbers_are_not_durations(text: str) -> None:
    assert list(find_durations(text)) == []


def test_a_duration_is_found_within_a_sentence() -> None:
    text = "shall remain in effect for a period of two (2) years from the date hereof, or 30 days' notice"
    assert [text[start:end] for start, end, _ in find_durations(text)] == ["two (2) years", "30 days"]


def test_a_duration_changes_its_unit_only_where_the_calendar_does_not_matter() -> None:
    assert Duration(2, "year").measured_in("month") == 24
    assert Duration(18, "month").measured_in("year") == Fraction(3, 2)
    assert Duration(30, "day").measured_in("month") is None


def test_the_unit_that_a_description_asks_for_is_recognized() -> None:
    assert unit_named("length of the lease in months") == "month"
    assert unit_named("an amount") is None


def test_durations_written_in_words_and_in_digits_are_the_same_value() -> None:
    assert normalized("two (2) years") == normalized("2 Years.") == normalized("zwei Jahre")
    assert normalized("two years") != normalized("two months")
