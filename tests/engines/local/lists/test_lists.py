"""What the local engine makes of lists: ruled tables, columns without lines, and the purchases of a receipt."""

import pytest

from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.fields import Schema
from docsieve.domain.schemas.shape import shaped
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import line, material, page, table
from tests.engines.local.lists.asking import spread

ITEMS: Schema = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "description": {"type": "string"},
                    "quantity": {"type": "number"},
                    "unit_price": {"type": "number"},
                    "line_total": {"type": "number"},
                },
            },
        }
    },
}


def rows(*pages: Page, schema: Schema = ITEMS) -> list[list[object]]:
    found = LocalFields().propose(material(*pages), schema, lessons=None).found
    value = shaped(schema, {path: each.value for path, each in found.items()})
    return [list(each.values()) for each in value["items"]]


def test_columns_of_a_table_are_known_by_their_headings_and_its_total_is_not_an_item() -> None:
    ruled, lines = table(
        [
            ["Pos", "Bezeichnung", "Menge", "Einzelpreis", "Gesamt"],
            ["1", "Amboss", "2", "1.000,00", "2.000,00"],
            ["2", "Kette", "10", "3,50", "35,00"],
            ["Summe", "", "", "", "2.035,00"],
        ]
    )

    assert rows(page(lines, tables=[ruled])) == [["Amboss", 2, 1000.0, 2000.0], ["Kette", 10, 3.5, 35.0]]


def test_columns_with_unknown_headings_are_recognized_by_arithmetic() -> None:
    ruled, lines = table(
        [
            ["Amount", "Product", "VAT", "Price", "Total"],
            ["400.00", "Balloons", "19%", "0.79", "316.00"],
            ["800.00", "Hot air", "19%", "0.25", "200.00"],
        ]
    )

    assert rows(page(lines, tables=[ruled])) == [["Balloons", 400.0, 0.79, 316.0], ["Hot air", 800.0, 0.25, 200.0]]


def test_a_table_goes_on_overleaf_with_its_heading_and_without() -> None:
    first, first_lines = table([["Description", "Quantity", "Total"], ["One", "1", "10.00"]])
    second, second_lines = table([["Description", "Quantity", "Total"], ["Two", "2", "20.00"]])
    third, third_lines = table([["Three", "3", "30.00"], ["Total", "", "60.00"]])
    pages = [
        page(first_lines, tables=[first]),
        page(second_lines, number=2, tables=[second]),
        page(third_lines, number=3, tables=[third]),
    ]

    assert [row[0] for row in rows(*pages)] == ["One", "Two", "Three"]


def test_columns_without_lines_are_read_under_their_headings() -> None:
    places = (40, 260, 360, 460)
    texts = [
        ("Description", "Qty", "Price", "Amount"),
        ("Blue paint for walls", "2", "10.00", "20.00"),
        ("Brush", "1", "4.50", "4.50"),
    ]
    lines = [line(x, 100 + 14 * at, text) for at, row in enumerate(texts) for x, text in zip(places, row, strict=True)]
    lines += [line(360, 150, "Total"), line(460, 150, "24.50")]

    assert rows(page(lines)) == [["Blue paint for walls", 2, 10.0, 20.0], ["Brush", 1, 4.5, 4.5]]


def test_the_purchases_of_a_receipt_are_its_lines_above_the_total() -> None:
    texts = [("1 GREY GOOSE", "14.00"), ("2 DUCK", "60.00"), ("SUBTOTAL", "74.00"), ("TAX", "6.00"), ("TOTAL", "80.00")]
    lines = [line(150, 40, "THE DINER", 14)]
    lines += [
        line(x, 100 + 14 * at, text) for at, row in enumerate(texts) for x, text in zip((40, 400), row, strict=True)
    ]

    assert rows(page(lines)) == [["GREY GOOSE", 1, None, 14.0], ["DUCK", 2, None, 60.0]]


def test_signs_between_the_words_of_a_purchase_belong_to_its_name() -> None:
    texts = [("* FISH & CHIPS", "14.00"), ("TADA - SALMON", "60.00"), ("TOTAL", "74.00")]
    lines = [
        line(x, 100 + 14 * at, text) for at, row in enumerate(texts) for x, text in zip((40, 400), row, strict=True)
    ]

    assert [row[0] for row in rows(page(lines))] == ["FISH & CHIPS", "TADA - SALMON"]


def test_a_list_that_is_not_there_is_empty() -> None:
    assert rows(page([line(40, 40, "Dear reader, there is nothing to pay.")])) == []


def test_a_plain_list_of_addresses_takes_all_there_are() -> None:
    schema: Schema = {
        "type": "object",
        "properties": {"items": {"type": "array", "items": {"type": "string", "format": "email"}}},
    }
    pages = page(
        [line(40, 40, "Write to ada@example.org or bob@example.org,"), line(40, 54, "or ada@example.org again.")]
    )

    found = LocalFields().propose(material(pages), schema, lessons=None).found
    assert [each.value for each in found.values()] == ["ada@example.org", "bob@example.org"]


LINES: Schema = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "position": {"type": "string", "x-labels": ["Pos", "Item"]},
                    "description": {"type": "string", "x-labels": ["Description", "Item"]},
                    "amount": {"type": "number"},
                },
            },
        }
    },
}


@pytest.mark.parametrize(
    ("headings", "expected"),
    [
        (("Item", "Description", "Amount"), [["A1", "Anvil", 20.0], ["A2", "Chain", 35.0]]),
        (("Pos", "Item", "Amount"), [["A1", "Anvil", 20.0], ["A2", "Chain", 35.0]]),
        (("Zeta", "Item", "Amount"), [[None, "Anvil", 20.0], [None, "Chain", 35.0]]),
    ],
)
def test_a_heading_that_fits_two_fields_is_the_one_s_that_has_no_other(
    headings: tuple[str, ...], expected: list[list[object]]
) -> None:
    body = [("A1", "Anvil", "20.00"), ("A2", "Chain", "35.00")]
    ruled, lines = table([list(headings), *map(list, body)])

    assert rows(page(lines, tables=[ruled]), schema=LINES) == expected
    assert rows(page(spread([headings, *body], (40, 200, 400))), schema=LINES) == expected
