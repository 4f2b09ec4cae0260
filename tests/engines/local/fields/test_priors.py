"""What else lowers a candidate: another field that its label fits better, and a value of another type."""

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page

TEXT: Schema = {"type": "string"}


def scores(given: Page, **fields: Schema) -> dict[str, float]:
    found = LocalFields().propose(material(given), {"type": "object", "properties": fields}, lessons=None).found
    return {path: each.score or 0.0 for path, each in found.items() if each.value is not None}


def test_a_label_that_fits_another_field_better_is_that_fields() -> None:
    given = page([line(40, 40, "Foreign branch tips: 5,648.85"), line(40, 60, "Grade: B")])
    amount: Schema = {"type": "number"}
    alone = scores(given, allocated_tips=amount, grade=TEXT)
    assert "foreign_branch_tips" in scores(given, allocated_tips=amount, foreign_branch_tips=amount)
    assert scores(given, allocated_tips=amount, foreign_branch_tips=amount).get("allocated_tips", 0.0) < (
        alone.get("allocated_tips", 0.0) or 0.01
    )


def test_an_amount_of_money_is_hardly_the_value_of_a_text() -> None:
    assert scores(page([line(40, 40, "Sum insured: 489,700.00 EUR")]), insured=TEXT).get("insured", 0.0) < 0.5
    assert scores(page([line(40, 40, "Insured: Irene Hathaway")]), insured=TEXT)["insured"] > 0.8
