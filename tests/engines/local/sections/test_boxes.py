"""Lists in the labeled boxes of a form."""

from typing import Any

from docsieve.domain.pages.page import Cell, Line, Page, Table
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import shaped
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page

STATES: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"state": {"type": "string"}, "income_tax": {"type": "number"}, "locality": {"type": "string"}},
    },
}


def value(*pages: Page) -> Any:
    whole: Schema = {"type": "object", "properties": {"states": STATES}}
    found = LocalFields().propose(material(*pages), whole, lessons=None).found
    return shaped(whole, {path: each.value for path, each in found.items()})["states"]


def form(rows: list[list[list[str]]]) -> Page:
    """Ruled boxes, each with lines of text of which the first is its label."""
    cells: list[Cell] = []
    lines: list[Line] = []
    for down, row in enumerate(rows):
        for across, texts in enumerate(row):
            x, y = 40 + 160 * across, 60 + 48 * down
            cells.append(Cell(down, across, " ".join(texts), (x, y, x + 160, y + 48)))
            lines += [line(x + 4, y + 2 + 14 * at, text, 8) for at, text in enumerate(texts)]
    box = (40.0, 60.0, 40.0 + 160 * len(rows[0]), 60.0 + 48 * len(rows))
    return page(lines, tables=[Table(box, len(rows), len(rows[0]), cells)])


def test_each_line_in_the_boxes_of_a_form_is_an_entry() -> None:
    boxes = form(
        [
            [["Employee", "Ada Lovelace"], ["Employer", "Tern Ltd"], ["Control code", "X"]],
            [["State", "NY", "NJ"], ["Income tax", "4,655.59", "120.00"], ["Locality", "YONKERS", "NEWARK"]],
        ]
    )

    assert value(boxes) == [
        {"state": "NY", "income_tax": 4655.59, "locality": "YONKERS"},
        {"state": "NJ", "income_tax": 120.0, "locality": "NEWARK"},
    ]


def test_numbers_of_boxes_do_not_keep_a_row_from_being_headings() -> None:
    heads = [(40, "15 State"), (200, "17 Income tax"), (340, "20 Locality")]
    cells = [(40, "NY"), (200, "4,655.59"), (340, "YONKERS")]
    lines = [line(x, y, text) for y, row in ((60, heads), (74, cells)) for x, text in row]

    assert value(page(lines)) == [{"state": "NY", "income_tax": 4655.59, "locality": "YONKERS"}]
