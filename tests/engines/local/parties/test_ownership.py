"""Numbers and addresses on the web belong to one party."""

from docsieve.domain.pages.page import Page
from docsieve.engines.local.engine import LocalFields
from tests.engines.local.drawing import material, written


def values(pages: Page, *names: str) -> dict[str, object]:
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}}
    found = LocalFields().propose(material(pages), schema, lessons=None).found
    return {path: each.value for path, each in found.items() if each.value is not None}


def test_a_number_that_only_the_sellers_footer_has_is_not_the_buyers() -> None:
    invoice = written(
        """Oak GmbH
Hauptstraße 4, 10115 Berlin

Rechnungsempfänger
Elm KG
Am Markt 2, 70173 Stuttgart

Rechnung Nr. 4711


Oak GmbH · USt-IdNr. DE136695976 · Steuernr. 27/114/03526
"""
    )

    assert values(invoice, "seller_vat_id", "seller_tax_number", "buyer_vat_id", "buyer_tax_number") == {
        "seller_vat_id": "DE136695976",
        "seller_tax_number": "27/114/03526",
    }


def test_a_registration_number_has_all_its_groups_of_digits() -> None:
    assert values(written("Oak SARL\nTax number: 418 226 573 00017"), "seller_tax_number") == {
        "seller_tax_number": "418 226 573 00017"
    }


def test_a_tax_rate_is_not_a_tax_number() -> None:
    assert values(written("Oak SARL\nTVA 20 %"), "seller_tax_number") == {}


def test_the_place_of_delivery_next_to_the_buyers_label_is_not_the_buyer() -> None:
    invoice = written(
        """Oak Ltda.

Cliente                            Local de entrega
Elm & Filhos, Lda.                 Rua Nova, 355, 20040-002 Rio de Janeiro
Travessa Velha, 220, 80020-300 Curitiba
"""
    )

    assert values(invoice, "buyer_name") == {"buyer_name": "Elm & Filhos, Lda."}


def test_a_postal_code_is_not_a_phone_number() -> None:
    assert values(written("Oak Ltda.\nRua Nova, 355, 4050-253 Porto"), "seller_phone") == {}


def test_the_number_of_a_registration_may_be_short() -> None:
    page = written("Name of registrant:   Oak Bridge LLC\nRegistration No.   5712")
    assert values(page, "registration_number") == {"registration_number": "5712"}


def test_an_item_over_an_address_is_not_the_buyer() -> None:
    note = written("Oak GmbH\nHauptstraße 4, 10115 Berlin\n\n\n\nAnvil 250 kg\nAm Markt 2, 70173 Stuttgart")

    assert "buyer_name" not in values(note, "buyer_name")
