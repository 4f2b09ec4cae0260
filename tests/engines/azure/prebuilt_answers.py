"""What Azure's prebuilt models answer, made by hand, and what becomes of it."""

import json
from typing import Any

from docsieve.domain.extraction import Found, Material
from docsieve.engines.azure.engine import propose_from_analyses
from tests.remote.azure.azure_service import succeeded


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
