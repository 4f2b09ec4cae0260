"""Azure's prebuilt models: asked through the vendor's client, their fields mapped onto our schemas."""

import json
from pathlib import Path
from typing import Any

import pytest

from docsieve.domain.extraction import Found, Material
from docsieve.domain.pages import Page
from docsieve.domain.schemas.ready import READY
from docsieve.engines.azure_prebuilt import propose_from_analyses
from docsieve.errors import CorruptDocument, UnsupportedType
from docsieve.pipelines.prebuilt import Analyses, NoPrebuiltModel, Original, analyse
from docsieve.providers import ProviderBusy, ProviderError
from docsieve.remote.azure_prebuilt import AzureAccount, prebuilt_model
from tests.remote.azure_service import KEY, RUNNING, AzureService, accepted, failed, refused, succeeded


def region(page: int = 1, x: float = 1.0, y: float = 1.0) -> list[dict[str, Any]]:
    return [{"pageNumber": page, "polygon": [x, y, x + 1, y, x + 1, y + 0.2, x, y + 0.2]}]


def field(kind: str, content: str | None = None, confidence: float = 0.9, **value: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"type": kind, "confidence": confidence, **value}
    if content is not None:
        made |= {"content": content, "boundingRegions": region(), "spans": [{"offset": 0, "length": len(content)}]}
    return made


def text(content: str, confidence: float = 0.9) -> dict[str, Any]:
    return field("string", content, confidence, valueString=content)


def money(content: str, amount: float, code: str = "EUR") -> dict[str, Any]:
    return field("currency", content, valueCurrency={"currencySymbol": "€", "amount": amount, "currencyCode": code})


def day(content: str, iso: str) -> dict[str, Any]:
    return field("date", content, valueDate=iso)


def address(content: str, **parts: str) -> dict[str, Any]:
    return field("address", content, valueAddress=parts)


def row(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "valueObject": fields}


def array(*items: Any) -> dict[str, Any]:
    return {"type": "array", "valueArray": list(items)}


def analysis(fields: dict[str, Any], doc_type: str = "invoice", pages: int = 1, **page: Any) -> dict[str, Any]:
    shapes = [
        {"pageNumber": number, "angle": 0, "width": 8.5, "height": 11, "unit": "inch", "words": [], **page}
        for number in range(1, pages + 1)
    ]
    documents = [{"docType": doc_type, "fields": fields, "confidence": 1, "boundingRegions": [], "spans": []}]
    return {"pages": shapes, "documents": documents, "content": ""}


INVOICE = analysis(
    {
        "InvoiceId": text("INV-7"),
        "InvoiceDate": day("31.01.2026", "2026-01-31"),
        "DueDate": day("14.02.2026", "2026-02-14"),
        "VendorName": text("ACME GmbH", 0.8),
        "VendorAddress": address("Weg 1, 10115 Berlin", city="Berlin", postalCode="10115", streetAddress="Weg 1"),
        "VendorTaxId": text("DE123456789"),
        "CustomerName": text("Bolt Ltd"),
        "CustomerAddress": address("High St 2, London", city="London"),
        "PurchaseOrder": text("PO-9"),
        "SubTotal": money("100,00 €", 100.0),
        "TotalTax": money("19,00 €", 19.0),
        "InvoiceTotal": money("119,00 €", 119.0),
        "AmountDue": money("119,00 €", 119.0),
        "PaymentTerm": text("14 days"),
        "Items": array(
            row(
                Description=text("Tea"),
                Quantity=field("number", "2", valueNumber=2),
                UnitPrice=money("20,00", 20.0),
                Amount=money("40,00", 40.0),
            ),
            row(
                Description=text("Cups"),
                Quantity=field("number", "3", valueNumber=3),
                UnitPrice=money("20,00", 20.0),
                Amount=money("60,00", 60.0),
            ),
        ),
    }
)


def propose(answer: dict[str, Any], schema: dict[str, Any], material: Material | None = None) -> dict[str, Found]:
    body = json.dumps(succeeded(answer).body).encode()
    return propose_from_analyses([body], [material] if material else [], schema).found


def values(answer: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    return {path: found.value for path, found in propose(answer, schema).items()}


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
            "colour": {"type": "string"},
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


def test_a_receipt_fills_the_ready_made_schema() -> None:
    receipt = analysis(
        {
            "MerchantName": text("Corner Shop"),
            "MerchantAddress": address("Main St 1"),
            "MerchantPhoneNumber": field("phoneNumber", "555-1234", valuePhoneNumber="+15551234"),
            "TransactionDate": day("2026-01-31", "2026-01-31"),
            "TransactionTime": field("time", "13:59", valueTime="13:59:00"),
            "Subtotal": money("9.00", 9.0, "USD"),
            "TotalTax": money("1.00", 1.0, "USD"),
            "Tip": money("0.50", 0.5, "USD"),
            "Total": money("10.50", 10.5, "USD"),
            "Items": array(row(Description=text("Tea"), TotalPrice=money("9.00", 9.0, "USD"))),
        },
        "receipt.retailMeal",
    )
    found = values(receipt, READY["receipt"])
    assert (
        found.items()
        >= {
            "merchant": "Corner Shop",
            "address": "Main St 1",
            "phone": "555-1234",
            "date": "2026-01-31",
            "subtotal": 9,
            "tax": 1,
            "tip": 0.5,
            "total": 10.5,
            "currency": "USD",
            "line_items[0].description": "Tea",
            "line_items[0].amount": 9,
        }.items()
    )
    assert str(found["time"]).startswith("13:59")


def test_a_bank_statement_gives_the_rows_of_its_account() -> None:
    statement = analysis(
        {
            "BankName": text("First Bank"),
            "AccountHolderName": text("Ada Lovelace"),
            "StatementStartDate": day("01/01/2026", "2026-01-01"),
            "StatementEndDate": day("01/31/2026", "2026-01-31"),
            "Accounts": array(
                row(
                    AccountNumber=text("12345"),
                    BeginningBalance=field("number", "10.00", valueNumber=10.0),
                    EndingBalance=field("number", "25.00", valueNumber=25.0),
                    Transactions=array(
                        row(
                            Date=day("01/02", "2026-01-02"),
                            Description=text("Pay"),
                            DepositAmount=field("number", "20.00", valueNumber=20.0),
                        ),
                        row(
                            Date=day("01/03", "2026-01-03"),
                            Description=text("Tea"),
                            WithdrawalAmount=field("number", "5.00", valueNumber=5.0),
                        ),
                    ),
                )
            ),
        },
        "bankStatement.us",
    )
    found = values(statement, READY["bank-statement"])
    assert (
        found.items()
        >= {
            "bank": "First Bank",
            "account_holder": "Ada Lovelace",
            "account_number": "12345",
            "period_start": "2026-01-01",
            "period_end": "2026-01-31",
            "opening_balance": 10,
            "closing_balance": 25,
            "transactions[0].date": "2026-01-02",
            "transactions[0].description": "Pay",
            "transactions[0].credit": 20,
            "transactions[1].debit": 5,
        }.items()
    )


def test_a_wage_statement_and_a_numbered_box_find_their_fields() -> None:
    wages = analysis(
        {
            "TaxYear": text("2025"),
            "Employee": row(Name=text("Ada"), SocialSecurityNumber=text("123-45-6789")),
            "Employer": row(Name=text("ACME"), IdNumber=text("12-3456789")),
            "WagesTipsAndOtherCompensation": field("number", "100.00", valueNumber=100.0),
            "FederalIncomeTaxWithheld": field("number", "10.00", valueNumber=10.0),
            "SocialSecurityWages": field("number", "100.00", valueNumber=100.0),
            "IsRetirementPlan": field("string", None, valueString="true"),
            "AdditionalInfo": array(row(LetterCode=text("DD"), Amount=field("number", "5", valueNumber=5))),
            "StateTaxInfos": array(row(State=text("PA"), StateIncomeTax=field("number", "3", valueNumber=3))),
        },
        "tax.us.w2",
    )
    found = values(wages, READY["w2"])
    assert (
        found.items()
        >= {
            "employee.name": "Ada",
            "employee.ssn": "123-45-6789",
            "employer.name": "ACME",
            "employer.ein": "12-3456789",
            "wages": 100,
            "federal_income_tax": 10,
            "social_security_wages": 100,
            "box_12[0].code": "DD",
            "box_12[0].amount": 5,
            "states[0].state": "PA",
            "states[0].state_income_tax": 3,
        }.items()
    )
    interest = analysis(
        {
            "Payer": row(Name=text("Bank"), TIN=text("99")),
            "Transactions": array(
                row(Box1=field("number", "7", valueNumber=7), Box2=field("number", "1", valueNumber=1))
            ),
        },
        "tax.us.1099INT",
    )
    found = values(interest, READY["1099"])
    assert (found["interest_income"], found["early_withdrawal_penalty"]) == (7, 1)
    assert found["payer.name"] == "Bank"


def test_a_proof_of_identity_finds_its_fields() -> None:
    card = analysis(
        {
            "FirstName": text("Ada"),
            "LastName": text("Lovelace"),
            "DocumentNumber": text("X1"),
            "DateOfBirth": day("10 Dec 1815", "1815-12-10"),
            "DateOfExpiration": day("01 Jan 2030", "2030-01-01"),
            "Sex": text("F"),
            "CountryRegion": field("countryRegion", "UK", valueCountryRegion="GBR"),
        },
        "idDocument.passport",
    )
    found = values(card, READY["id-card"])
    assert (found["given_names"], found["surname"], found["document_number"]) == ("Ada", "Lovelace", "X1")
    assert (found["birth_date"], found["expiry_date"]) == ("1815-12-10", "2030-01-01")


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


@pytest.mark.parametrize(
    ("schema_name", "document_class", "model"),
    [
        ("invoice", None, "prebuilt-invoice"),
        ("our-invoices", None, "prebuilt-invoice"),
        ("w2", None, "prebuilt-tax.us.w2"),
        ("form-w-2", None, "prebuilt-tax.us.w2"),
        ("1099", None, "prebuilt-tax.us.1099Combo"),
        ("bank-statement", None, "prebuilt-bankStatement.us"),
        ("id-card", None, "prebuilt-idDocument"),
        ("nda", None, "prebuilt-contract"),
        ("anything", "receipt", "prebuilt-receipt"),
        (None, "tax_form", "prebuilt-tax.us"),
        ("paid", "letter", None),
        (None, None, None),
    ],
)
def test_the_model_follows_the_schemas_name_and_else_the_documents_class(
    schema_name: str | None, document_class: str | None, model: str | None
) -> None:
    assert prebuilt_model(schema_name, document_class) == model


class Analysing:
    """Sends one document through the real client."""

    def __init__(self, service: AzureService, folder: Path) -> None:
        self.service, self.folder = service, folder
        self.original = Original(folder / "original", "0" * 64, "application/pdf", 3)
        self.original.path.write_bytes(b"%PDF-1.7 ...")
        self.pauses: list[float] = []

    async def run(self, schema_name: str | None = "invoice", *, original: Original | None = None) -> Analyses:
        async def pause(seconds: float) -> None:
            self.pauses.append(seconds)

        account = AzureAccount(self.service.endpoint, KEY, pause)
        return await analyse(account, [original or self.original], self.folder, schema_name=schema_name)


@pytest.fixture
def analysing(service: AzureService, tmp_path: Path) -> Analysing:
    return Analysing(service, tmp_path)


async def test_a_document_is_sent_to_the_prebuilt_model_and_its_pages_are_counted(analysing: Analysing) -> None:
    analysing.service.polls = [RUNNING, succeeded(INVOICE)]
    analyses = await analysing.run()
    (path,) = analysing.service.paths("POST")
    assert "/documentModels/prebuilt-invoice:analyze" in path
    assert (analyses.usage.pages, analyses.usage.calls, round(analyses.usage.cost, 6)) == (3, 1, 0.03)
    proposal = propose_from_analyses([analyses.answers[0].read_bytes()], [], READY["invoice"])
    assert proposal.found["total"].value == 119


async def test_a_busy_provider_says_how_long_to_wait(analysing: Analysing) -> None:
    analysing.service.submits = [refused(429, "TooManyRequests", Retry_After="33")]
    with pytest.raises(ProviderBusy) as busy:
        await analysing.run()
    assert busy.value.seconds == 33


async def test_polls_keep_the_pace_that_the_provider_asks_for(analysing: Analysing) -> None:
    analysing.service.submits = [accepted()]
    slow = type(RUNNING)(body=RUNNING.body, headers={"Retry_After": "7"})
    analysing.service.polls = [slow, succeeded(INVOICE)]
    await analysing.run()
    assert analysing.pauses == [7.0]


async def test_what_is_wrong_with_the_document_comes_out_as_such(analysing: Analysing) -> None:
    analysing.service.polls = [failed("InvalidContent", "The file is corrupted.")]
    with pytest.raises(CorruptDocument):
        await analysing.run()


async def test_nothing_is_sent_that_no_model_is_made_for(analysing: Analysing) -> None:
    with pytest.raises(NoPrebuiltModel):
        await analysing.run("resume")
    text_file = Original(analysing.original.path, "0" * 64, "text/plain", 1)
    with pytest.raises(UnsupportedType):
        await analysing.run(original=text_file)
    assert analysing.service.requests == []


def test_an_account_does_not_show_its_key() -> None:
    assert KEY not in repr(AzureAccount("https://x", KEY))
