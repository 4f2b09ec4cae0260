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


def form(texts: list[list[str]]) -> Page:
    """A page with a ruled form: a label in each cell, and its value under it."""
    ruled, _ = table(texts, row_height=30)
    lines = [
        line(cell.box[0] + 2, cell.box[1] + 2 + 12 * at, text)
        for cell in ruled.cells
        for at, text in enumerate(cell.text.split("\n"))
    ]
    return page(lines, tables=[ruled])


def values(given: Page, **fields: Schema) -> dict[str, object]:
    found = LocalFields().propose(material(given), {"type": "object", "properties": fields}, lessons=None).found
    return {path: each.value for path, each in found.items() if each.value is not None}


def test_the_label_of_the_next_cell_of_a_form_is_no_value() -> None:
    assert values(form(FORM), notify_party=TEXT, vessel=TEXT, voyage=TEXT, seller_name=TEXT) == {
        "vessel": "Pacific Wren",
        "voyage": "984M",
    }


def test_a_value_does_not_cross_the_border_of_a_cell_of_a_form() -> None:
    assert values(form(FORM), due_date=DATE, issue_date=DATE) == {"issue_date": "2024-05-03"}
