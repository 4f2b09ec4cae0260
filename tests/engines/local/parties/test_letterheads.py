from dataclasses import replace

import pytest

from docsieve.domain.pages.page import Page
from docsieve.engines.local.page.view import PageView, said, view
from docsieve.engines.local.parties.letterheads import Name, names_in
from docsieve.engines.local.parties.postal import address_blocks, address_lines
from tests.engines.local.drawing import line, material, page, written


def seen(drawn: Page) -> PageView:
    return view(material(drawn)).pages[0]


def best(drawn: Page) -> Name:
    return max(names_in(seen(drawn)), key=lambda name: name.score)


def address(drawn: Page) -> str:
    return " ".join(token.text for run, _ in address_lines(best(drawn)) for token in run)


def scanned(drawn: Page) -> Page:
    return replace(drawn, origin="ocr")


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("OAK AND MAPLE\nTRADING\n4 High Street, 10115 Berlin", "OAK AND MAPLE TRADING"),
        ("OAK AND MAPLE (OLD\nTOWN) LTD\n4 High Street, 10115 Berlin", "OAK AND MAPLE (OLD TOWN) LTD"),
        ("MAPLE CORNER\nOAK LUMBER LTD\n4 High Street, 10115 Berlin", "OAK LUMBER LTD"),
        ("OAK LUMBER LTD 862725-U\n4 High Street, 10115 Berlin", "OAK LUMBER LTD"),
    ],
)
def test_a_name_goes_on_in_the_next_line_if_that_is_not_a_separate_name(head: str, name: str) -> None:
    assert best(written(head)).text == name


def test_a_wide_space_does_not_end_a_name_or_an_address_on_a_scan() -> None:
    receipt = page(
        [line(40, 40, "OAK LUMBER   LTD"), line(40, 54, "No   4 High Street,"), line(40, 68, "10115 Berlin")]
    )

    assert best(scanned(receipt)).text == "OAK LUMBER LTD"
    assert address(scanned(receipt)) == "No 4 High Street, 10115 Berlin"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("Oak GmbH · Hauptstraße 4, 10115 Berlin · +49 30 123456", "Hauptstraße 4, 10115 Berlin"),
        (
            "Oak Ltda. · Avenida Nova, 222,\n80020-300 Curitiba · +55 11 912 345",
            "Avenida Nova, 222, 80020-300 Curitiba",
        ),
        ("Oak GmbH\nHauptstraße 4\n10115 Berlin\n030 1234567\nMitte", "Hauptstraße 4 10115 Berlin"),
        (
            "Oak GmbH\nHauptstraße 4, 10115 Berlin\nKunde\nElm KG\nAm Markt 2, 70173 Stuttgart",
            "Hauptstraße 4, 10115 Berlin",
        ),
    ],
)
def test_an_address_ends_before_a_phone_number_and_before_the_other_party(head: str, expected: str) -> None:
    assert address(written(head)) == expected


def test_the_line_with_the_house_number_above_a_town_begins_the_address() -> None:
    assert address(written("OAK CORNER LTD\nA1122334455\n979 OAK HARBOR BLV\nSLIDELL LA 70458")) == (
        "979 OAK HARBOR BLV SLIDELL LA 70458"
    )


def test_a_town_with_a_state_is_not_a_name() -> None:
    names = [name.text for name in names_in(seen(written("OAK GRILL\nLAS VEGAS, NV 89139"))) if name.plausible]

    assert names == ["OAK GRILL"]


def test_an_address_far_from_the_name_is_found_by_its_form() -> None:
    receipt = written(
        "Oak Grill\n\n\n\nTea  2.00\n\n\n\nThank you\n1260 East Ontario Ave\nCorona, CA 92881\n(951) 555-0100"
    )

    found = [said(token for run, _ in lines for token in run) for lines in address_blocks(seen(receipt))]

    assert found == ["1260 East Ontario Ave Corona, CA 92881"]


@pytest.mark.parametrize("under", ["Operator 35259 THOMAS", "Auth No: 01336 Elm Street"])
def test_a_line_about_something_else_does_not_begin_an_address(under: str) -> None:
    assert address(written(f"OAK GRILL LTD\n{under}\nWELCOME")) == ""


def test_items_with_prices_are_not_an_address() -> None:
    receipt = page([line(40, 40, "OAK GRILL LTD"), line(40, 54, "46199 Spinach Level 2"), line(300, 54, "1.79")])

    assert address(receipt) == ""
    assert not list(address_blocks(seen(receipt)))


def test_nothing_follows_the_country_of_an_address() -> None:
    head = "OAK LUMBER LTD\nNo 8, Jalan Besar\n56000 Kuala Lumpur, Malaysia\nCITY MALL"

    assert address(written(head)) == "No 8, Jalan Besar 56000 Kuala Lumpur, Malaysia"
    assert address(written("OAK LUMBER LTD\nNo 8, Jalan Besar\n56000 Shah Alam\nSELANGOR")).endswith("SELANGOR")
