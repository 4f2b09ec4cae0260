"""Forms with ruled cells, each with its label inside: labels and values stay in their cells."""

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page, table

TEXT: Schema = {"type": "string"}
DATE: Schema = {"type": "string", "format": "date"}
FORM = [
    ["Notify party", "Place of receipt\nColumbus"],
    ["Ocean vessel\nPacific Wren", "Voyage\n984M"],
    ["Terms\nDue date", "Issue date\n3 May 2024"],
]


def form(texts: list[list[str]], *, row_height: float = 30) -> Page:
    """A page with a ruled form: a label in each cell, and its value under it."""
    ruled, _ = table(texts, row_height=row_height)
    lines = [
        line(cell.box[0] + 2, cell.box[1] + 2 + 12 * at, text)
        for cell in ruled.cells
        for at, text in enumerate(cell.text.split("\n"))
    ]
    return page(lines, tables=[ruled])


def values(given: Page, **fields: Schema) -> dict[str, object]:
    found = LocalFields().propose(material(given), {"type": "object", "properties": fields}, lessons=None).found
    return {path: each.value for path, each in found.items() if each.value is not None}


def test_the_label_of_the_next_cell_of_a_form_is_not_a_value() -> None:
    assert values(form(FORM), notify_party=TEXT, vessel=TEXT, voyage=TEXT, seller_name=TEXT) == {
        "vessel": "Pacific Wren",
        "voyage": "984M",
    }


def test_a_value_does_not_cross_the_border_of_a_cell_of_a_form() -> None:
    assert values(form(FORM), due_date=DATE, issue_date=DATE) == {"issue_date": "2024-05-03"}


def test_a_label_for_name_and_address_is_that_of_both() -> None:
    texts = [
        ["a Payer's name, address, and telephone no.\nHolm Ltd.\n12 Lake Street, Austin, TX 78701\n(969) 634-4283"],
        ["Account number\n3698-36628"],
        ["Income\n5,648.85"],
    ]
    payer: Schema = {"type": "object", "properties": {"name": TEXT, "address": TEXT, "phone": TEXT}}
    assert values(form(texts, row_height=60), payer=payer) == {
        "payer.name": "Holm Ltd.",
        "payer.address": "12 Lake Street, Austin, TX 78701",
        "payer.phone": "(969) 634-4283",
    }


def test_the_label_of_a_cell_goes_on_in_lines_that_begin_in_lower_case() -> None:
    texts = [["2 Federal income tax\nwithheld\n3,107.88"], ["3 State income tax\nwithheld\n998.15"], ["Unit\nA"]]
    amount: Schema = {"type": "number"}
    found = values(form(texts, row_height=40), federal_income_tax_withheld=amount, state_income_tax_withheld=amount)
    assert found == {"federal_income_tax_withheld": 3107.88, "state_income_tax_withheld": 998.15}
