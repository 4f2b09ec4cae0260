"""From an upload with a schema to fields with their proof, through real processes."""

from collections.abc import Callable

import pytest

from tests.faults.checker import check
from tests.jobs.conftest import INVOICE, SCHEMA, extracted, fields_of, ready, settled, start
from tests.service import Service


def test_an_upload_with_a_schema_has_fields_with_their_proof_when_it_is_ready(working_service: Service) -> None:
    service = working_service
    document_id = ready(service, INVOICE, schema="bill")
    state = service.status(document_id)
    found = fields_of(service, document_id)
    assert found["invoice_number"]["value"] == "INV-2041"
    assert found["invoice_date"]["value"] == "2026-03-04"
    assert found["total"]["value"] == 118.5
    assert (found["purchase_order"]["value"], found["purchase_order"]["grounded"]) == (None, False)
    [evidence] = found["total"]["evidence"]
    assert (evidence["document_id"], evidence["page"]) == (document_id, 1)
    assert "118.50" in evidence["text"]
    x0, y0, x1, y1 = evidence["box"]
    assert 0 <= x0 < x1 <= evidence["page_width"] and 0 <= y0 < y1 <= evidence["page_height"]
    extraction = service.client.get(f"/extractions/{state['extraction']['id']}").json()
    assert extraction["status"] == "completed"
    assert list(extraction["value"]) == ["invoice_number", "invoice_date", "total", "purchase_order"]
    assert extraction["metadata"].keys() == extraction["value"].keys()
    assert (extraction["schema"], extraction["engine"], extraction["documents"]) == ("bill@1", "local", [document_id])
    assert extraction["usage"]["pages"] == 1
    assert extraction["needs_review"] is state["extraction"]["needs_review"]
    check(service, [document_id])


def test_an_upload_to_a_project_with_a_schema_is_extracted_without_asking(working_service: Service) -> None:
    service = working_service
    service.client.patch("/projects/default", json={"schema": "bill"}).raise_for_status()
    try:
        document_id = ready(service, INVOICE)
    finally:
        service.client.patch("/projects/default", json={"schema": None}).raise_for_status()
    assert fields_of(service, document_id)["invoice_number"]["value"] == "INV-2041"


def test_an_upload_that_is_only_read_has_no_fields(working_service: Service) -> None:
    service = working_service
    document_id = ready(service, INVOICE, schema="none")
    answer = service.client.get(f"/documents/{document_id}/fields").json()
    assert answer == {"schema_requested": False, "extraction_id": None, "schema": None, "fields": []}
    assert service.status(document_id)["extraction"] is None


def test_an_extraction_waits_for_its_documents_and_keeps_their_order(service: Service) -> None:
    first = service.upload(b"Purchase order: 4711\n", "order.txt").json()["id"]
    second = service.upload(INVOICE, "invoice.txt").json()["id"]
    asked = start(service, second, first, metadata={"case": 7}, priority=5)
    assert (asked["status"], asked["documents"], asked["value"]) == ("pending", [second, first], None)
    service.worker()
    found = settled(service, asked["id"])
    assert found["status"] == "completed"
    assert found["documents"] == [second, first]
    assert found["client_metadata"] == {"case": 7}
    assert found["value"]["purchase_order"] == "4711"
    assert found["metadata"]["purchase_order"]["evidence"][0]["document_id"] == first
    assert found["metadata"]["total"]["evidence"][0]["document_id"] == second
    assert fields_of(service, first)["purchase_order"]["extraction_id"] == asked["id"]
    assert "total" not in fields_of(service, first)
    check(service, [first, second])


def test_a_schema_may_come_with_the_request(working_service: Service) -> None:
    service = working_service
    document_id = ready(service, INVOICE)
    wanted = {"type": "object", "properties": {"total": {"type": "number"}}}
    found = extracted(service, document_id, schema=wanted)
    assert (found["schema"], found["schema_definition"], found["value"]) == (None, wanted, {"total": 118.5})


def test_an_extraction_over_a_document_that_could_not_be_read_fails_and_says_so(working_service: Service) -> None:
    service = working_service
    good = ready(service, INVOICE)
    bad = service.upload(b"%POISON no-such-poison").json()["id"]
    assert service.settled(bad)["status"] == "failed"
    found = extracted(service, good, bad)
    assert (found["status"], found["error"]["code"], found["value"]) == ("failed", "document_not_ready", None)
    check(service, [good, bad])


def test_an_extraction_that_may_leaves_out_documents_that_could_not_be_read(working_service: Service) -> None:
    service = working_service
    bad = service.upload(b"%POISON no-such-poison", "bad.pdf").json()["id"]
    good = ready(service, INVOICE)
    code = service.settled(bad)["error"]["code"]
    found = extracted(service, bad, good, allow_missing=True)
    assert (found["status"], found["value"]["invoice_number"]) == ("completed", "INV-2041")
    [left_out] = found["missing"]
    assert (left_out["document_id"], left_out["filename"], left_out["code"]) == (bad, "bad.pdf", code)
    assert {each["document_id"] for each in fields_of(service, good).values()} == {good}
    check(service, [good, bad])


def test_an_extraction_without_any_readable_document_fails_even_if_it_may_leave_some_out(
    working_service: Service,
) -> None:
    bad = working_service.upload(b"%POISON no-such-poison").json()["id"]
    working_service.settled(bad)
    found = extracted(working_service, bad, allow_missing=True)
    assert (found["status"], found["error"]["code"], found["missing"]) == ("failed", "document_not_ready", [])


def test_a_cancelled_extraction_stays_cancelled_and_leaves_its_documents_alone(service: Service) -> None:
    document_id = service.upload(INVOICE).json()["id"]
    asked = start(service, document_id)
    assert service.client.post(f"/extractions/{asked['id']}/cancel").json()["status"] == "cancelled"
    again = service.client.post(f"/extractions/{asked['id']}/cancel")
    assert (again.status_code, again.json()["code"]) == (409, "job_not_cancellable")
    service.worker()
    assert service.settled(document_id)["status"] == "ready"
    found = service.client.get(f"/extractions/{asked['id']}").json()
    assert (found["status"], found["value"], found["error"]["code"]) == ("cancelled", None, "cancelled")
    check(service, [document_id])


def test_reprocessing_with_another_schema_makes_a_new_extraction_next_to_the_old(working_service: Service) -> None:
    service = working_service
    document_id = ready(service, INVOICE, schema="bill")
    old = service.status(document_id)["extraction"]["id"]
    wanted = {"type": "object", "properties": {"total": {"type": "number"}, "buyer": {"type": "string"}}}
    service.client.post("/schemas", json={"name": "small", "schema": wanted}).raise_for_status()
    service.client.post(f"/documents/{document_id}/reprocess", json={"schema": "small"}).raise_for_status()
    assert service.settled(document_id)["status"] == "ready"
    new = service.status(document_id)["extraction"]["id"]
    listed = service.client.get(f"/documents/{document_id}/extractions").json()["extractions"]
    assert [each["id"] for each in listed] == [new, old]
    assert fields_of(service, document_id).keys() == {"total", "buyer"}
    assert fields_of(service, document_id, extraction_id=old)["invoice_number"]["value"] == "INV-2041"
    compared = service.client.get(f"/extractions/{old}/compare/{new}").json()
    outcomes = {each["path"]: each["outcome"] for each in compared["fields"]}
    assert outcomes["total"] == "same"
    assert outcomes["invoice_number"] == "only_here"
    assert (compared["same"], compared["different"]) == (3, 2)
    check(service, [document_id])


@pytest.mark.parametrize(
    ("fields", "code"), [({"schema": "no-such"}, "unknown_schema"), ({"engine": "no-such"}, "unknown_engine")]
)
def test_an_upload_that_names_an_unknown_schema_or_engine_is_refused(
    service: Service, fields: dict[str, str], code: str
) -> None:
    refused = service.upload(INVOICE, **fields)
    assert (refused.status_code, refused.json()["code"]) == (422, code)
    assert service.client.get("/documents").json()["documents"] == []


def test_an_extraction_that_cannot_be_done_leaves_its_document_ready(start_service: Callable[..., Service]) -> None:
    """The API is configured for a model and the worker is not."""
    service = start_service()
    service.api(DOCSIEVE_LLM="compatible:small", DOCSIEVE_PROVIDER_URLS="compatible=http://127.0.0.1:1/v1")
    service.client.post("/schemas", json={"name": "bill", "schema": SCHEMA}).raise_for_status()
    service.worker()
    document_id = ready(service, INVOICE, schema="bill", engine="llm")
    extraction = service.status(document_id)["extraction"]
    assert (extraction["status"], extraction["error"]["code"]) == ("failed", "no_model")
    refused = service.client.get(f"/documents/{document_id}/fields")
    assert (refused.status_code, refused.json()["code"]) == (409, "extraction_not_completed")
    check(service, [document_id])


def test_an_installed_local_engine_does_not_need_the_model_of_its_project(service: Service) -> None:
    """The project names a model that this server cannot open."""
    service.worker()
    service.client.patch("/projects/default", json={"model": "anthropic:claude"}).raise_for_status()
    document_id = ready(service, INVOICE, schema="bill", engine="second")
    with_upload = settled(service, service.status(document_id)["extraction"]["id"])
    requested = extracted(service, document_id, engine="second")
    for each in (with_upload, requested):
        assert (each["status"], each["error"], each["engine_version"]) == ("completed", None, "7")
        assert each["value"]["invoice_number"] == "INV-2041"
    [about] = [each for each in service.client.get("/engines").json()["engines"] if each["name"] == "second"]
    assert (about["title"], about["remote"], about["available"]) == ("Second engine", False, True)


def test_deleting_the_last_document_takes_the_extraction_with_it(working_service: Service) -> None:
    service = working_service
    first, second = ready(service, INVOICE), ready(service, b"Purchase order: 4711\n")
    found = extracted(service, first, second)
    assert service.client.delete(f"/documents/{first}").status_code == 204
    kept = service.client.get(f"/extractions/{found['id']}").json()
    assert (kept["status"], kept["documents"]) == ("completed", [second])
    assert service.client.delete(f"/documents/{second}").status_code == 204
    assert service.client.get(f"/extractions/{found['id']}").status_code == 404
    assert service.client.get("/fields").json()["fields"] == []


def test_an_extraction_whose_document_is_deleted_before_it_began_is_cancelled(service: Service) -> None:
    first, second = (service.upload(content).json()["id"] for content in (INVOICE, b"other"))
    asked = start(service, first, second)
    assert service.client.delete(f"/documents/{first}").status_code == 204
    found = service.client.get(f"/extractions/{asked['id']}").json()
    assert (found["status"], found["error"]["code"]) == ("cancelled", "document_deleted")


def test_an_extraction_continues_without_a_deleted_document_if_it_may(service: Service) -> None:
    first, second = (service.upload(content).json()["id"] for content in (b"other", INVOICE))
    asked = start(service, first, second, allow_missing=True)
    assert service.client.delete(f"/documents/{first}").status_code == 204
    service.worker()
    found = settled(service, asked["id"])
    assert (found["status"], found["documents"]) == ("completed", [second])
    [left_out] = found["missing"]
    assert (left_out["document_id"], left_out["code"]) == (None, "not_found")


def test_the_same_request_under_one_idempotency_key_is_one_extraction(service: Service) -> None:
    document_id = service.upload(INVOICE).json()["id"]
    body = {"document_ids": [document_id], "schema": "bill"}
    answers = [service.client.post("/extractions", json=body, headers={"Idempotency-Key": "k"}) for _ in range(3)]
    assert len({each.raise_for_status().json()["id"] for each in answers}) == 1
    other = service.client.post("/extractions", json={**body, "engine": "local"}, headers={"Idempotency-Key": "k"})
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_conflict")
