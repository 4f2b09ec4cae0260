"""Documents whose schema is chosen by their class, through real processes."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from docsieve.domain.classes import UNCERTAIN_BELOW
from docsieve.services.samples import SAMPLES
from tests.service import Service

LETTER = b"""Dear Ms. Weaver,

thank you for your letter of last week. We were very glad to hear from you.

Kind regards,
Yours sincerely
Tom Field
"""
INVOICE_OR_RECEIPT = b"Invoice\nReceipt\nContract\n"
BILL = {"type": "object", "properties": {"total": {"type": "number", "x-labels": ["Total"]}}}


@pytest.fixture(scope="module")
def shared_service(share_service: Callable[..., Service]) -> Service:
    service = share_service()
    service.api()
    service.client.post("/schemas", json={"name": "bill", "schema": BILL}).raise_for_status()
    service.worker()
    return service


@pytest.fixture
def service(shared_service: Service) -> Iterator[Service]:
    """An API and a worker, without documents, and a default project as it comes."""
    yield shared_service
    shared_service.delete_documents()
    _change(shared_service, schema=None, class_schemas=None)


def test_a_sample_of_each_kind_is_extracted_without_naming_a_schema(service: Service) -> None:
    for sample in SAMPLES.values():
        document = _ready(service, sample.content(), sample.filename)
        assert (document["schema"], document["no_fields"]) == (None, None)
        answer = _fields(service, document)
        assert answer["schema"] == f"{sample.schema_ref}@0"
        assert any(each["value"] is not None for each in answer["fields"])


def test_a_class_without_a_schema_yields_no_fields_and_the_document_says_why(service: Service) -> None:
    document = _ready(service, LETTER)
    assert document["class"] == "letter"
    assert document["no_fields"] == {
        "code": "class_without_schema",
        "message": "Project default assigns no schema to the class letter.",
    }
    answer = _fields(service, document)
    assert answer == {"schema_requested": False, "extraction_id": None, "schema": None, "fields": []}


def test_an_uncertain_class_yields_no_fields_and_the_document_says_why(service: Service) -> None:
    document = _ready(service, INVOICE_OR_RECEIPT)
    assert document["class"] == "invoice"
    assert document["class_confidence"] < UNCERTAIN_BELOW
    assert document["no_fields"]["code"] == "class_uncertain"
    assert _fields(service, document)["extraction_id"] is None


def test_the_schema_of_the_upload_comes_before_that_of_the_project_and_that_before_the_class(service: Service) -> None:
    invoice = SAMPLES["invoice"]
    _change(service, schema="contract")
    of_project = _ready(service, invoice.content(), invoice.filename)
    of_upload = _ready(service, invoice.content(), invoice.filename, schema="bill")
    of_class = _ready(service, invoice.content(), invoice.filename, schema="auto")
    assert [_fields(service, each)["schema"] for each in (of_project, of_upload, of_class)] == [
        "contract@0",
        "bill@1",
        "invoice@0",
    ]


def test_none_reads_only_from_the_upload_and_from_the_project(service: Service) -> None:
    invoice = SAMPLES["invoice"]
    of_upload = _ready(service, invoice.content(), invoice.filename, schema="none")
    _change(service, schema="none")
    of_project = _ready(service, invoice.content(), invoice.filename)
    for document in (of_upload, of_project):
        assert (document["status"], document["no_fields"]) == ("ready", None)
        assert _fields(service, document)["extraction_id"] is None


def test_a_json_schema_may_come_with_the_upload(service: Service) -> None:
    invoice = SAMPLES["invoice"]
    wanted = {"type": "object", "properties": {"total": {"type": "number"}, "due_date": {"type": "string"}}}
    document = _ready(service, invoice.content(), invoice.filename, schema=json.dumps(wanted))
    assert document["schema"] is None
    answer = _fields(service, document)
    assert (answer["schema"], [each["path"] for each in answer["fields"]]) == (None, ["total", "due_date"])
    extraction = service.client.get(f"/extractions/{answer['extraction_id']}").json()
    assert (extraction["schema_definition"], extraction["value"]["total"]) == (wanted, 6757.3)


def test_a_project_maps_built_in_and_own_classes_to_its_schemas(service: Service) -> None:
    service.client.post(
        "/classes", json={"name": "gas_bill", "description": "a gas meter reading with cubic meters and total"}
    ).raise_for_status()
    changed = _change(service, class_schemas={"gas_bill": "bill", "receipt": None, "invoice": "bill@1"})
    expected = {"gas_bill": "bill", "invoice": "bill@1", "contract": "contract"}
    assert {**changed["class_schemas"], **expected} == changed["class_schemas"]
    assert "receipt" not in changed["class_schemas"]
    invoice, receipt = SAMPLES["invoice"], SAMPLES["receipt"]
    assert _fields(service, _ready(service, invoice.content(), invoice.filename))["schema"] == "bill@1"
    assert _ready(service, receipt.content(), receipt.filename)["no_fields"]["code"] == "class_without_schema"


def test_reprocessing_with_auto_chooses_again_and_clears_the_reason(service: Service) -> None:
    document = _ready(service, LETTER)
    _change(service, class_schemas={"letter": "bill"})
    again = service.client.post(f"/documents/{document['id']}/reprocess", json={"schema": "auto"})
    again.raise_for_status()
    service.settled(document["id"])
    document = service.client.get(f"/documents/{document['id']}").json()
    assert (document["schema"], document["no_fields"]) == ("auto", None)
    assert _fields(service, document)["schema"] == "bill@1"


def test_an_extraction_by_class_shows_the_schema_that_was_chosen(service: Service) -> None:
    invoice = SAMPLES["invoice"]
    letter = _ready(service, LETTER, schema="none")
    document = _ready(service, invoice.content(), invoice.filename, schema="none")
    for asked in ({"schema": "auto"}, {}):
        found = _extracted(service, [letter, document], **asked)
        assert (found["status"], found["schema"]) == ("completed", "invoice@0")
        assert found["value"]["total"] == 6757.3
        assert "properties" in found["schema_definition"]


def test_an_extraction_by_class_fails_where_no_document_has_a_class_with_a_schema(service: Service) -> None:
    found = _extracted(service, [_ready(service, LETTER)], schema="auto")
    assert (found["status"], found["schema"], found["error"]["code"]) == ("failed", "auto", "class_without_schema")


def test_a_schema_that_a_class_is_mapped_to_cannot_be_deleted(service: Service) -> None:
    service.client.post("/schemas", json={"name": "short-lived", "schema": BILL}).raise_for_status()
    _change(service, class_schemas={"letter": "short-lived"})
    refused = service.client.delete("/schemas/short-lived")
    assert (refused.status_code, refused.json()["code"]) == (409, "still_in_use")
    _change(service, class_schemas={"letter": None})
    assert service.client.delete("/schemas/short-lived").status_code == 204


def _ready(service: Service, content: bytes, filename: str = "a.txt", **fields: str) -> dict[str, Any]:
    document_id: str = service.upload(content, filename, **fields).raise_for_status().json()["id"]
    assert service.settled(document_id)["status"] == "ready"
    document: dict[str, Any] = service.client.get(f"/documents/{document_id}").json()
    return document


def _fields(service: Service, document: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = service.client.get(f"/documents/{document['id']}/fields").raise_for_status().json()
    return answer


def _change(service: Service, **changes: Any) -> dict[str, Any]:
    project: dict[str, Any] = service.client.patch("/projects/default", json=changes).raise_for_status().json()
    return project


def _extracted(service: Service, documents: list[dict[str, Any]], **asked: Any) -> dict[str, Any]:
    body = {"document_ids": [each["id"] for each in documents], **asked}
    started = service.client.post("/extractions", json=body).raise_for_status().json()

    def ended() -> dict[str, Any] | None:
        found: dict[str, Any] = service.client.get(f"/extractions/{started['id']}").raise_for_status().json()
        return found if found["status"] in ("completed", "failed", "cancelled") else None

    found: dict[str, Any] = service.wait_until(ended, seconds=60, what="the extraction to end")
    return found
