"""Lists of periods and values, from the lines of statements."""

import pytest

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.lists.statements.periods import fiscal_label, last_month, period_of
from tests.engines.local.drawing import page
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, spread, value

PLACES = (40, 330, 460)
FISCAL: Schema = {"type": "string", "description": "label of the period, such as 'FY2025 Q3' or 'FY2025 H1'"}
KIND: Schema = {"type": "string", "enum": ["actual", "guidance"], "default": "actual"}
SERIES = listed(data_period=FISCAL, kind=KIND, scale={"type": "integer"}, value=NUMBER)


def _income() -> Page:
    texts = [
        ("CONSOLIDATED STATEMENTS OF INCOME",),
        ("(in millions)",),
        ("", "Three Months Ended", ""),
        ("", "March 31, 2025", "March 31, 2024"),
        ("Net sales", "4,285", "3,032"),
        ("Interest expense", "(95)", "(108)"),
        ("Net income", "594", "287"),
        ("Net income per share:",),
        ("Basic", "1.68", "0.93"),
    ]
    return page(spread(texts, PLACES))


def test_the_periods_of_a_line_are_the_entries_of_the_list_with_its_name() -> None:
    found = value({"net_income": SERIES}, _income())
    assert rows(found["net_income"]) == [
        ["FY2025 Q1", "actual", 1_000_000, 594],
        ["FY2024 Q1", "actual", 1_000_000, 287],
    ]


def test_a_line_is_known_by_the_heading_over_it_and_what_is_per_share_is_not_scaled() -> None:
    found = value({"basic_eps": SERIES}, _income())
    assert rows(found["basic_eps"]) == [["FY2025 Q1", "actual", 1, 1.68], ["FY2024 Q1", "actual", 1, 0.93]]


def test_a_line_that_names_another_list_better_is_not_used() -> None:
    found = value({"net_income_growth": SERIES, "net_income": SERIES}, _income())
    assert found["net_income_growth"] == []
    assert len(found["net_income"]) == 2


def test_an_expense_in_parentheses_is_a_positive_expense() -> None:
    found = value({"interest_expense": SERIES}, _income())
    assert [row["value"] for row in found["interest_expense"]] == [95, 108]


def test_a_list_of_names_periods_and_values_has_an_entry_for_each_cell() -> None:
    found = value({"lines": listed(name=TEXT, period=TEXT, value=NUMBER)}, _income())
    assert rows(found["lines"])[:2] == [
        ["Net sales", "Three Months Ended March 31, 2025", 4285],
        ["Net sales", "Three Months Ended March 31, 2024", 3032],
    ]


@pytest.mark.parametrize(
    ("heading", "ends", "label"),
    [
        ("Three Months Ended December 31, 2024", 6, "FY2025 Q2"),
        ("Six Months Ended December 31, 2024", 6, "FY2025 H1"),
        ("June 30, 2024", 6, "FY2024"),
        ("December 31, 2024", 6, "FY2025 Q2"),
        ("Nine Months Ended September 30, 2024", 12, "FY2024 YTD"),
        ("2023", 12, "FY2023"),
    ],
)
def test_a_heading_names_a_part_of_the_fiscal_year(heading: str, ends: int, label: str) -> None:
    period = period_of(heading)
    assert period is not None
    assert fiscal_label(period, ends) == label


def test_the_earlier_day_of_a_balance_sheet_ends_the_fiscal_year() -> None:
    days = [period for text in ("December 31, 2024", "June 30, 2024") if (period := period_of(text)) is not None]
    assert last_month(days) == 6
