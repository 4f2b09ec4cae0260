"""What codes say, by name where their format gives one."""

from docsieve.domain.pages.coded import coded_fields
from docsieve.domain.pages.page import Code

BOX = (10.0, 10.0, 60.0, 60.0)


def values(text: str) -> dict[str, object]:
    return {field.name: field.value for field in coded_fields([Code("qr_code", text, BOX)])}


def test_a_payment_code_has_what_is_to_be_paid_to_whom() -> None:
    epc = "BCD\n002\n1\nSCT\nCOBADEFF\nACME GmbH\nDE89370400440532013000\nEUR12.50\n\n\nInvoice 7"

    assert values(epc) == {
        "BIC": "COBADEFF",
        "payee": "ACME GmbH",
        "IBAN": "DE89370400440532013000",
        "payment reference": "Invoice 7",
        "currency": "EUR",
        "amount due": "12.50",
    }
    assert "amount due" not in values(epc.replace("EUR12.50", "EUR"))


def test_a_swiss_qr_bill_is_a_payment_code() -> None:
    creditor = ["CH4431999123000889012", "S", "Muster AG", "Weg", "1", "8000", "Bern", "CH", *[""] * 7]
    bill = "\r\n".join(
        ["SPC", "0200", "1", *creditor, "1949.75", "CHF", *[""] * 7, "QRR", "210000000003139471430009017"]
    )

    assert values(bill) == {
        "IBAN": "CH4431999123000889012",
        "payee": "Muster AG",
        "amount due": "1949.75",
        "currency": "CHF",
        "payment reference": "210000000003139471430009017",
    }


def test_gs1_has_names_and_dates() -> None:
    assert values("(01)09501101530003(17)270531(10)AB-123") == {
        "GTIN": "09501101530003",
        "expiry date": "2027-05-31",
        "batch number": "AB-123",
    }
    assert values("(17)270500")["expiry date"] == "270500"


def test_another_code_is_its_text_without_a_name_unless_it_is_long() -> None:
    assert values("INV-2026-0042") == {"": "INV-2026-0042"}
    assert values("line one\nline two") == {}
    assert values("x" * 300) == {}
