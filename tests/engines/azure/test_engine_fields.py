"""Fields of Azure's prebuilt models, mapped onto schemas, with their places, however odd the answer."""

import json
from typing import Any

import pytest

from docsieve.domain.extraction import Material
from docsieve.domain.pages.page import Page
from docsieve.domain.schemas.ready import READY
from docsieve.engines.azure.engine import propose_from_analyses
from docsieve.errors.providers import ProviderError
from tests.engines.azure.prebuilt_answers import INVOICE, analysis, array, propose, region, row, text, values
from tests.remote.azure.azure_service import succeeded


def test_an_invoice_fills_the_ready_made_schema() -> None:
    assert values(INVOICE, READY["invoice"]) == {
        "invoice_number": "INV-7",
        "issue_date": "2026-01-31",
        "due_date": "2026-02-14",
        "order_number": "PO-9",
        "seller.name": "ACME GmbH",
        "seller.address": "Weg 1, 10115 Berlin",
        "seller.vat_id": "DE123456789",
        "buyer.name": "Bolt Ltd",
        "buyer.address": "High St 2, London",
        "subtotal": 100,
        "tax_total": 19,
        "total": 119,
        "amount_due": 119,
        "currency": "EUR",
        "payment_terms": "14 days",
        "line_items[0].description": "Tea",
        "line_items[0].quantity": 2,
        "line_items[0].unit_price": 20,
        "line_items[0].amount": 40,
        "line_items[1].description": "Cups",
        "line_items[1].quantity": 3,
        "line_items[1].unit_price": 20,
        "line_items[1].amount": 60,
    }


def test_a_schema_of_other_names_and_plain_strings_is_served_too() -> None:
    schema = {
        "type": "object",
        "properties": {
            "invoice_no": {"type": "string"},
            "vendor": {"type": "string"},
            "customer_name": {"type": "string"},
            "date": {"type": "string"},
            "total_amount": {"type": "string"},
            "vat": {"type": "number"},
            "supplier_city": {"type": "string"},
            "color": {"type": "string"},
            "positions": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"name": {"type": "string"}, "qty": {"type": "integer"}, "total": {"type": "number"}},
                },
            },
        },
    }
    assert values(INVOICE, schema) == {
        "invoice_no": "INV-7",
        "vendor": "ACME GmbH",
        "customer_name": "Bolt Ltd",
        "date": "31.01.2026",
        "total_amount": "119,00 €",
        "vat": 19,
        "supplier_city": "Berlin",
        "positions[0].name": "Tea",
        "positions[0].qty": 2,
        "positions[0].total": 40,
        "positions[1].name": "Cups",
        "positions[1].qty": 3,
        "positions[1].total": 60,
    }


def test_a_value_has_the_providers_certainty_and_its_place_in_points_of_our_page() -> None:
    ours = Material("d", [Page(1, 1224.0, 1584.0)])
    found = propose(INVOICE, READY["invoice"], ours)["seller.name"]
    assert found.score == 0.8
    (spot,) = found.spots
    assert (spot.page, spot.document, spot.text) == (1, 0, "ACME GmbH")
    assert spot.box == pytest.approx((144, 144, 288, 172.8))


def test_pixels_of_a_photo_become_points_of_our_page() -> None:
    photo = analysis({"InvoiceId": text("INV-7")}, unit="pixel", width=850, height=1100)
    photo["documents"][0]["fields"]["InvoiceId"]["boundingRegions"] = region(x=425.0, y=550.0)
    (spot,) = propose(photo, READY["invoice"], Material("d", [Page(1, 612.0, 792.0)]))["invoice_number"].spots
    assert spot.box[:2] == pytest.approx((306, 396))


def test_several_documents_give_all_rows_and_the_first_of_single_values() -> None:
    body = json.dumps(succeeded(INVOICE).body).encode()
    found = propose_from_analyses([body, body], [], READY["invoice"]).found
    assert found["line_items[3].description"].value == "Cups"
    assert found["line_items[3].description"].spots[0].document == 1
    assert found["total"].spots[0].document == 0


@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b'{"status": "succeeded"}', b'{"status":"succeeded","analyzeResult":{"documents":3}}']
)
def test_an_answer_that_is_none_is_the_providers_error(body: bytes) -> None:
    with pytest.raises(ProviderError):
        propose_from_analyses([body], [], READY["invoice"])


def test_an_answer_without_documents_finds_nothing() -> None:
    empty: dict[str, Any] = {"pages": [], "documents": []}
    assert values(empty, READY["invoice"]) == {}


def test_a_hostile_depth_of_nesting_ends() -> None:
    nested: dict[str, Any] = text("x")
    for _ in range(12):
        nested = array(row(Items=nested))
    assert values(analysis({"Items": nested}), READY["invoice"]) == {}
    for _ in range(100):
        nested = array(row(Items=nested))
    with pytest.raises(ProviderError):
        values(analysis({"Items": nested}), READY["invoice"])
