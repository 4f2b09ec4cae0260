"""Check marks are read next to their label, and in the cell of a form under it."""

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page, table

BOOLEAN: Schema = {"type": "boolean"}


def values(given: Page, **fields: Schema) -> dict[str, object]:
    found = LocalFields().propose(material(given), {"type": "object", "properties": fields}, lessons=None).found
    return {path: each.value for path, each in found.items() if each.value is not None}


def test_the_box_before_a_label_says_yes_or_no() -> None:
    given = page([line(40, 40, "[x] Smoker"), line(40, 54, "[ ] Pregnant"), line(40, 68, "☐ Insured abroad")])
    assert values(given, smoker=BOOLEAN, pregnant=BOOLEAN, insured_abroad=BOOLEAN) == {
        "smoker": True, "pregnant": False, "insured_abroad": False,
    }  # fmt: skip


def test_a_cross_under_a_label_in_the_cell_of_a_form_says_yes_and_an_empty_cell_no() -> None:
    texts = [["Statutory member\nX", "Retirement plan"], ["Office\nUtrecht", "Level\nSenior"], ["Unit\nK", "Site\nB"]]
    ruled, _ = table(texts, row_height=30)
    lines = [
        line(cell.box[0] + 2, cell.box[1] + 2 + 12 * at, text)
        for cell in ruled.cells
        for at, text in enumerate(cell.text.split("\n"))
    ]
    found = values(page(lines, tables=[ruled]), statutory_member=BOOLEAN, retirement_plan=BOOLEAN)
    assert found == {"statutory_member": True, "retirement_plan": False}


def test_the_ticked_one_of_several_choices_is_the_value() -> None:
    choice: Schema = {"type": "string", "enum": ["single", "married", "widowed"]}
    assert values(page([line(40, 40, "[ ] Single [x] Married [ ] Widowed")]), status=choice) == {"status": "married"}
