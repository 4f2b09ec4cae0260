"""Values are located where they are, and nowhere else."""

from typing import Any

import pytest

from docsieve.analysis.proof.grounding.ground import Grounding, ground
from docsieve.domain.extraction import Found, Spot
from docsieve.domain.pages.page import Code, FormField
from docsieve.domain.schemas.fields import Scalar
from tests.analysis.proof.samples import document, found, object_of, page_of

RECEIPT = page_of(
    [
        "ACME Sdn Bhd",
        "12 Long Street",
        "Springfield 12345",
        "Date: 03/05/2018 Table 7",
        "Widget 2 1.25 2.50",
        "Gadget 1 2.50 2.50",
        "Subtotal 5.00",
        "Tax 0.50",
        "Total RM 5.50",
        "Cash 5.50",
        "Change 0.00",
    ]
)


def texts(grounding: Grounding) -> list[str]:
    return [each.text for each in grounding.evidence]


def ground_one(page: Any, value: Any, **field: Any) -> Grounding:
    schema = object_of(field={"type": "string", **field})
    return ground([document(page)], schema, {"field": Found(value)})["field"]


def test_a_text_is_found_whatever_its_case_spaces_and_punctuation() -> None:
    assert texts(ground_one(RECEIPT, "acme  SDN. BHD.")) == ["ACME Sdn Bhd"]


def test_a_value_over_several_lines_has_one_evidence_for_each_on_the_same_page() -> None:
    grounding = ground_one(RECEIPT, "12 Long Street, Springfield, 12345")
    assert texts(grounding) == ["12 Long Street", "Springfield 12345"]
    assert {each.page for each in grounding.evidence} == {1}


def test_a_date_is_found_by_meaning() -> None:
    assert texts(ground_one(RECEIPT, "2018-05-03", format="date")) == ["03/05/2018"]


def test_a_number_is_found_by_meaning_and_not_inside_others() -> None:
    page = page_of(["1.234,50 EUR", "12 345", "A12", "2012"])
    assert texts(ground_one(page, 1234.5, type="number")) == ["1.234,50 EUR"]
    assert texts(ground_one(page, 12345, type="integer")) == ["12 345"]
    assert ground_one(page, 12, type="integer").evidence == []


def test_a_few_misread_letters_do_not_hide_a_name() -> None:
    page = page_of(["SANG KEE CHERA5 RESTAURAMT"])
    grounding = ground_one(page, "SANG KEE CHERAS RESTAURANT")
    assert texts(grounding) == ["SANG KEE CHERA5 RESTAURAMT"]
    assert 0.8 < grounding.match < 1.0


def test_another_digit_is_another_number() -> None:
    page = page_of(["Contract number 4711-0815-33"])
    assert ground_one(page, "Contract number 4711-0815-34").evidence == []


def test_a_value_that_is_not_on_the_page_is_not_grounded() -> None:
    for value in ("Nowhere Inc.", "ACM", "2.5O1", "Sdn"[:2]):
        grounding = ground_one(RECEIPT, value)
        assert grounding.evidence == [] and grounding.match == 0.0, value


def test_a_word_is_not_found_inside_another() -> None:
    page = page_of(["Subtotal 5.00"])
    assert ground_one(page, "total").evidence == []


def test_the_label_chooses_among_equal_values() -> None:
    schema = object_of(total="number", cash="number")
    groundings = ground([document(RECEIPT)], schema, found(total=5.5, cash=5.5))
    assert texts(groundings["total"]) == ["RM 5.50"]
    assert groundings["cash"].evidence[0].box[1] > groundings["total"].evidence[0].box[1]
    assert groundings["total"].occurrences == 2


def test_labels_of_the_schema_choose_too() -> None:
    schema = object_of(amount={"type": "number", "x-labels": ["Betrag in bar"]})
    page = page_of(["Summe 5,50", "Gegeben 5,50", "Betrag in bar 5,50"])
    [evidence] = ground([document(page)], schema, found(amount=5.5))["amount"].evidence
    assert evidence.box[1] == pytest.approx(34)


def test_items_of_a_list_are_laid_along_their_rows() -> None:
    schema = object_of(
        items={"type": "array", "items": object_of(name="string", quantity="integer", price="number", total="number")}
    )
    rows = [[(20.0, "Screw"), (200.0, "1"), (300.0, "1.00"), (400.0, "1.00")] for _ in range(3)]
    rows[1] = [(20.0, "Bolt"), (200.0, "2"), (300.0, "1.00"), (400.0, "2.00")]
    page = page_of([[(20.0, "Item"), (200.0, "Quantity"), (300.0, "Price"), (400.0, "Total")], *rows])
    items: list[tuple[Scalar, ...]] = [("Screw", 1, 1.0, 1.0), ("Bolt", 2, 1.0, 2.0), ("Screw", 1, 1.0, 1.0)]
    values = {
        f"items[{row}].{name}": Found(value)
        for row, cells in enumerate(items)
        for name, value in zip(("name", "quantity", "price", "total"), cells, strict=True)
    }
    groundings = ground([document(page)], schema, values)
    for row in range(3):
        for name, x in (("name", 20), ("quantity", 200), ("price", 300), ("total", 400)):
            [evidence] = groundings[f"items[{row}].{name}"].evidence
            assert evidence.box[:2] == pytest.approx((x, 22 + 12 * row)), (row, name)


def test_a_long_table_is_laid_out_row_by_row_over_its_pages() -> None:
    schema = object_of(rows={"type": "array", "items": object_of(name="string", amount="number")})
    pages = [
        page_of([[(20.0, f"part {n % 7}"), (300.0, f"{n % 5}.00")] for n in range(first, first + 60)], number)
        for number, first in enumerate(range(0, 600, 60), 1)
    ]
    values = {}
    for n in range(600):
        values[f"rows[{n}].name"] = Found(f"part {n % 7}")
        values[f"rows[{n}].amount"] = Found(float(n % 5))
    groundings = ground([document(*pages)], schema, values)
    for n in range(600):
        for name in ("name", "amount"):
            [evidence] = groundings[f"rows[{n}].{name}"].evidence
            assert (evidence.page, evidence.box[1]) == (n // 60 + 1, 10 + 12 * (n % 60)), (n, name)


def test_the_engines_location_is_used_if_the_value_is_there() -> None:
    last = RECEIPT.lines[9].words[1].box
    schema = object_of(total="number")
    spotted = {"total": Found(5.5, spots=[Spot(1, last)])}
    grounding = ground([document(RECEIPT)], schema, spotted)["total"]
    assert grounding.evidence[0].box == last
    assert grounding.spotted


def test_the_engines_location_is_rejected_if_something_else_is_there() -> None:
    elsewhere = RECEIPT.lines[0].words[0].box
    schema = object_of(total="number")
    grounding = ground([document(RECEIPT)], schema, {"total": Found(5.5, spots=[Spot(1, elsewhere)])})["total"]
    assert texts(grounding) == ["RM 5.50"]
    assert not grounding.spotted
    invented = ground([document(RECEIPT)], schema, {"total": Found(77.7, spots=[Spot(1, elsewhere)])})["total"]
    assert invented.evidence == []


def test_a_boolean_is_confirmed_by_the_mark_next_to_its_label() -> None:
    schema = object_of(llc="boolean", partnership="boolean")
    page = page_of(["☒ LLC", "☐ Partnership"])
    groundings = ground([document(page)], schema, found(llc=True, partnership=True))
    assert texts(groundings["llc"]) == ["☒ LLC"]
    assert groundings["partnership"].evidence == []


def test_a_forms_own_box_proves_a_boolean_and_its_fields_prove_texts() -> None:
    page = page_of(["A form"])
    page.form_fields = [
        FormField("is_resident", "checkbox", True, (100.0, 100.0, 110.0, 110.0)),
        FormField("full_name", "text", "Jane Doe", (100.0, 200.0, 300.0, 215.0)),
    ]
    schema = object_of(is_resident="boolean", full_name="string")
    groundings = ground([document(page)], schema, found(is_resident=True, full_name="Jane Doe"))
    assert groundings["is_resident"].evidence[0].box[:2] == (100.0, 100.0)
    assert texts(groundings["full_name"]) == ["Jane Doe"]


def test_a_code_proves_what_it_says() -> None:
    page = page_of(["A bill"])
    page.codes = [Code("code_128", "SH-4711-08", (100.0, 200.0, 300.0, 215.0))]
    groundings = ground([document(page)], object_of(shipment="string"), found(shipment="SH-4711-08"))
    assert groundings["shipment"].evidence[0].box == (100.0, 200.0, 300.0, 215.0)


def test_an_address_in_one_of_two_columns_is_found_in_pieces() -> None:
    page = page_of(
        [
            [(20.0, "Bei Spiel GmbH"), (300.0, "Theodor Est")],
            [(20.0, "Ecke 12"), (300.0, "Bahnstr. 42")],
            [(20.0, "12345 Stadthausen"), (300.0, "88802 Spielkreis")],
        ]
    )
    assert texts(ground_one(page, "Ecke 12, 12345 Stadthausen")) == ["Ecke 12", "12345 Stadthausen"]


def test_evidence_names_the_document_and_how_surely_its_words_were_read() -> None:
    first, second = page_of(["nothing"]), page_of(["Total 9.99"], confidence=0.9)
    materials = [document(first, id="one"), document(second, id="two")]
    grounding = ground(materials, object_of(total="number"), found(total=9.99))["total"]
    assert [(each.document_id, each.page) for each in grounding.evidence] == [("two", 1)]
    assert grounding.ocr == pytest.approx(0.9)


def test_a_value_attached_to_its_label_has_its_own_box() -> None:
    page = page_of(["Total:5.50"])
    [evidence] = ground_one(page, 5.5, type="number").evidence
    assert evidence.text == "5.50"
    assert evidence.box[0] == pytest.approx(20 + 6 * 5)


def test_a_currency_is_proved_by_its_symbol() -> None:
    assert texts(ground_one(page_of(["Total 5,50 €"]), "EUR", format="currency")) == ["€"]


def test_an_identifier_may_be_written_in_groups() -> None:
    assert texts(ground_one(page_of(["NIP: 774-00-01-454"]), 7740001454, type="integer")) == ["774-00-01-454"]


def test_null_and_empty_values_have_no_location() -> None:
    groundings = ground([document(RECEIPT)], object_of(a="string", b="string"), found(a=None, b=""))
    assert groundings["a"].evidence == groundings["b"].evidence == []


def test_pages_without_words_ground_nothing() -> None:
    page = page_of(["x"])
    page.lines = []
    assert ground_one(page, "anything").evidence == []


def test_numbers_of_two_columns_are_not_taken_for_one() -> None:
    page = page_of([[(20.0, "19"), (120.0, "100.16")]])
    assert texts(ground_one(page, 19, type="integer")) == ["19"]
    assert ground_one(page, 19100.16, type="number").evidence == []


def test_a_name_is_found_among_ideographs_which_have_no_spaces() -> None:
    page = page_of(["請求書株式会社山田商店御中"])
    assert ground_one(page, "山田商店").evidence
    assert ground_one(page, "田中商店").evidence == []
