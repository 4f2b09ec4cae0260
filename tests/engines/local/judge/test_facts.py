"""Features beyond the label of a candidate: sums, sections, ranges, and the labels of other fields."""

from typing import Any

import pytest

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import LocalFields, offer
from docsieve.engines.local.judge.facts import FACTS, Facts
from tests.engines.local.drawing import line, material, page

TEXT: Schema = {"type": "string"}
DATE: Schema = {"type": "string", "format": "date"}
AMOUNT: Schema = {"type": "number"}


def scores(given: Page, **fields: Schema) -> dict[str, float]:
    found = LocalFields().propose(material(given), {"type": "object", "properties": fields}, lessons=None).found
    return {path: each.score or 0.0 for path, each in found.items() if each.value is not None}


def facts(given: Page, fact: str, **fields: Schema) -> dict[tuple[str, str], float]:
    """One fact of each candidate, by field and text."""
    offered = offer(material(given), {"type": "object", "properties": fields})
    known = Facts(offered.scene)
    return {
        (target.field.pattern, each.text): known.of(each)[FACTS.index(fact)]
        for target, candidates in offered.single
        for each in candidates
    }


def test_an_amount_that_others_add_up_to_is_implied() -> None:
    bill = page([line(40, 40, "Subtotal: 7.50"), line(40, 60, "Tax: 0.45"), line(40, 80, "Total: 7.95")])
    assert facts(bill, "implied", total=AMOUNT)["total", "7.95"] == 1.0
    assert facts(bill, "largest", total=AMOUNT, tax=AMOUNT)["tax", "0.45"] == 0.0
    paid = page([line(40, 40, "Cash: 10.00"), line(40, 60, "Change: 2.05"), line(40, 80, "Total: 7.95")])
    assert facts(paid, "implied", total=AMOUNT)["total", "7.95"] == 2.0


@pytest.mark.parametrize("field,fact", [("start_date", 1.0), ("invoice_date", -1.0)])
def test_a_date_of_a_period_suits_a_field_about_periods(field: str, fact: float) -> None:
    period = page([line(40, 40, "Date: 03/02/2026 - 05/02/2026")])
    found = facts(period, "in_range", **{field: DATE})
    assert set(found.values()) == {fact}


def test_a_date_next_to_a_time_of_day_is_timed() -> None:
    slip = page([line(40, 40, "03/02/2026  14:05"), line(40, 80, "Exchange until 17/02/2026")])
    found = facts(slip, "timed", date=DATE)
    assert (found["date", "03/02/2026"], found["date", "17/02/2026"]) == (1.0, 0.0)


def test_a_value_under_the_heading_of_another_object_is_in_its_section() -> None:
    form = page(
        [
            *(line(40, 40, "Shipper"), line(40, 60, "Phone: 040 1234567")),
            *(line(40, 120, "Consignee"), line(40, 140, "Phone: 089 7654321")),
        ]
    )
    phone: Any = {"type": "object", "properties": {"phone": {"type": "string", "format": "phone"}}}
    found = facts(form, "section", shipper=phone, consignee=phone)
    assert found["consignee.phone", "089 7654321"] == 1.0
    assert found["consignee.phone", "040 1234567"] == -1.0


def test_a_label_that_fits_another_field_better_is_that_fields() -> None:
    given = page([line(40, 40, "Foreign branch tips: 5,648.85"), line(40, 60, "Grade: B")])
    amount: Schema = {"type": "number"}
    alone = scores(given, allocated_tips=amount, grade=TEXT)
    assert "foreign_branch_tips" in scores(given, allocated_tips=amount, foreign_branch_tips=amount)
    assert scores(given, allocated_tips=amount, foreign_branch_tips=amount).get("allocated_tips", 0.0) < (
        alone.get("allocated_tips", 0.0) or 0.01
    )


def test_an_amount_of_money_is_hardly_the_value_of_a_text() -> None:
    amount = scores(page([line(40, 40, "Sum insured: 489,700.00 EUR")]), insured=TEXT).get("insured", 0.0)
    assert scores(page([line(40, 40, "Insured: Irene Hathaway")]), insured=TEXT)["insured"] > max(0.8, amount + 0.3)
