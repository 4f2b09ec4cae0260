import pytest

from docsieve.domain.pages.page import Page
from tests.engines.local.drawing import page
from tests.engines.local.lists.asking import NUMBER, TEXT, listed, rows, spread, value


def purchases(*lines: tuple[str, str]) -> list[list[object]]:
    receipt: Page = page(spread([*lines, ("Total", "99.00")], (40, 300)))
    return rows(value({"items": listed(name=TEXT, quantity=NUMBER, amount=NUMBER)}, receipt)["items"])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (("2 x GREEN TEA", "8.00"), ["GREEN TEA", 2, 8.0]),
        (("4006381333931 GREEN TEA", "8.00"), ["GREEN TEA", None, 8.0]),
        (("GREEN TEA 4006381333931", "8.00 A"), ["GREEN TEA", None, 8.0]),
        (("BAR S BACON", ".88"), ["BAR S BACON", None, 0.88]),
        (("1 BURGER SIDE: SLAW", "8.00"), ["BURGER SIDE: SLAW", 1, 8.0]),
    ],
)
def test_a_purchase_is_named_without_its_code_or_sign_of_multiplication(
    line: tuple[str, str], expected: list[object]
) -> None:
    assert purchases(line, ("PLUM CAKE", "3.00"))[0] == expected


def test_a_name_over_its_quantity_and_price_has_no_code_either() -> None:
    assert purchases(("4006381333931 GREEN TEA", ""), ("2 x 4.00", "8.00"), ("TABLE: 5", "9.00")) == [
        ["GREEN TEA", 2, 8.0],
    ]


def test_a_line_with_the_weight_and_price_of_a_purchase_is_not_a_purchase() -> None:
    assert purchases(("1.95 lb", ".30 / lb"), ("FLOUR", "0.59"), ("3 @ 1.20", "3.60"), ("RICE", "3.60")) == [
        ["FLOUR", None, 0.59],
        ["RICE", None, 3.6],
    ]


def test_the_letter_of_a_tax_before_many_purchases_is_not_part_of_their_names() -> None:
    names = [
        name for name, *_ in purchases(("T TEA", "1.00"), ("T RICE", "2.00"), ("T PLUMS", "3.00"), ("A PEAR", "4.00"))
    ]

    assert names == ["TEA", "RICE", "PLUMS", "A PEAR"]


def test_discounts_are_not_purchases_unless_the_goods_were_returned() -> None:
    assert purchases(("TEA", "5.00"), ("RICE", "2.00"), ("STAFF OFFER", "-1.00"), ("PLUMS", "3.00")) == [
        ["TEA", None, 5.0],
        ["RICE", None, 2.0],
        ["PLUMS", None, 3.0],
    ]
    assert purchases(("TEA", "-5.00"), ("RICE", "-2.00")) == [["TEA", None, -5.0], ["RICE", None, -2.0]]


def test_taxes_and_lines_about_savings_are_not_purchases() -> None:
    assert purchases(("TEA", "5.00"), ("WAS 2.09 SAVINGS", ".60"), ("RICE", "2.00"), ("H-VAT 13%", "0.91")) == [
        ["TEA", None, 5.0],
        ["RICE", None, 2.0],
    ]


def test_sums_of_charges_and_credits_end_the_purchases() -> None:
    assert purchases(("TEA", "5.00"), ("RICE", "2.00"), ("Charges", "7.00"), ("Credits", "0.00")) == [
        ["TEA", None, 5.0],
        ["RICE", None, 2.0],
    ]


def test_letters_of_a_tax_rate_may_touch_the_amount_but_a_unit_makes_it_a_measure() -> None:
    assert purchases(("TEA", "5.00TI"), ("RICE", "2.00F"), ("OIL", "1.50L")) == [
        ["TEA", None, 5.0],
        ["RICE", None, 2.0],
    ]
