"""Dates as documents write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docsieve.values.dates import day_order, find_dates, parse_date, read_dates

DAYS = st.dates(date(1950, 1, 1), date(2049, 12, 31))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Apr16/20", "2020-04-16"),
        ("JAN31'13", "2013-01-31"),
        ("28-04-18", "2018-04-28"),
        ("3. März 2024", "2024-03-03"),
        ("2018年5月3日", "2018-05-03"),
        ("2018년 5월 3일", "2018-05-03"),
        ("2018-05-03T12:30:00Z", "2018-05-03"),
        ("Tue, 3 March 2024 14:05", "2024-03-03"),
        ("12 de mayo de 2020", "2020-05-12"),
        ("1er janvier 2020", "2020-01-01"),
        ("3rd of May 2019", "2019-05-03"),
        ("30th day of September, 2016", "2016-09-30"),
        ("the 1st day of May 2019", "2019-05-01"),
        ("3 rd day of May, 2004", "2004-05-03"),
        ("twenty-first day of May, 2004", "2004-05-21"),
        ("third of June 1999", "1999-06-03"),
        ("Sept. 30, 2020", "2020-09-30"),
        ("30-JUN-2019 10:05 PM", "2019-06-30"),
        ("31. 12. 2019", "2019-12-31"),
        ("14 października 2021", "2021-10-14"),
        ("7. joulukuuta 2020", "2020-12-07"),
        ("20180503", "2018-05-03"),
        ("03/05/201812:30", "2018-05-03"),
        ("O3/05/2018", "2018-05-03"),
        ("28–04–2018", "2018-04-28"),
    ],
)
def test_a_date_is_read_in_many_ways_of_writing(text: str, expected: str) -> None:
    assert parse_date(text) == date.fromisoformat(expected)


@pytest.mark.parametrize(
    "text", ["06/01/2", "10.10.10.1", "1,234.56", "31/02/2020", "99/99/9999", "march on", "date 3/4/20", "12:30", ""]
)
def test_text_that_is_not_a_date_is_none(text: str) -> None:
    assert parse_date(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("01/05/2016-01/31/2016", ["2016-01-05", "2016-01-31"]),
        ("10/24/16-10/30/16", ["2016-10-24", "2016-10-30"]),
        ("2016/05/01-2016/05/31", ["2016-05-01", "2016-05-31"]),
        ("01.05.2016–31.05.2016", ["2016-05-01", "2016-05-31"]),
        ("10/31/2016-4711", ["2016-10-31"]),
        ("10.10.10.1-2", []),
        ("1/2/20/3-4/5", []),
        ("01-05-2016-5", []),
    ],
)
def test_a_dash_ends_a_date_that_has_other_marks(text: str, expected: list[str]) -> None:
    found = [value.isoformat() for _, _, value in find_dates(text, day_first=None if "." in text else False)]
    assert found == expected


def test_the_callers_order_decides_between_day_and_month() -> None:
    assert parse_date("03/05/2018", day_first=True) == date(2018, 5, 3)
    assert parse_date("03/05/2018", day_first=False) == date(2018, 3, 5)
    assert parse_date("25/05/2018", day_first=False) == date(2018, 5, 25)


def test_the_order_is_taken_from_the_dates_that_can_be_read_one_way_only() -> None:
    assert day_order(["Issued 03/05/2018", "due 25/05/2018"]) is True
    assert day_order(["Issued 03/05/2018", "due 05/25/2018"]) is False
    assert day_order(["Issued 03/05/2018"]) is None


def test_an_address_in_the_united_states_decides_the_order_of_ambiguous_dates() -> None:
    assert day_order(["Dallas, TX 75201", "03/05/2018"]) is False


def test_dates_in_a_sentence_are_found_with_their_places() -> None:
    text = "From 05/28/20 to June 1, 2020, invoice 12.34.56"
    assert [(text[start:end], day.isoformat()) for start, end, day in find_dates(text)] == [
        ("05/28/20", "2020-05-28"),
        ("June 1, 2020", "2020-06-01"),
    ]


def test_a_date_that_could_be_read_two_ways_says_so() -> None:
    [(_, _, read)] = read_dates("03/05/2018")
    assert read.ambiguous
    [(_, _, read)] = read_dates("05/05/2018")
    assert not read.ambiguous


@given(DAYS, st.sampled_from(["%d.%m.%Y", "%d/%m/%Y", "%d-%m-%y", "%Y-%m-%d", "%d %B %Y", "%B %d, %Y", "%d-%b-%Y"]))
def test_a_written_date_reads_back(day: date, way: str) -> None:
    assert parse_date(day.strftime(way), day_first=True) == day


@given(DAYS, st.sampled_from(["%m/%d/%Y", "%m-%d-%y"]))
def test_a_date_written_with_the_month_first_reads_back(day: date, way: str) -> None:
    assert parse_date(day.strftime(way), day_first=False) == day


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text: str) -> None:
    parse_date(text)
    for start, end, _ in find_dates(text):
        assert 0 <= start < end <= len(text)


def test_a_long_run_of_digits_and_marks_is_read_in_time_that_grows_with_its_length() -> None:
    assert find_dates("1/" * 10_000) == []
    assert find_dates("1 jan" * 4_000) is not None
