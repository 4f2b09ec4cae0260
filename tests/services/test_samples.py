"""The sample documents: offered, added once, and read so that the first minute shows something true."""

import asyncio
from collections.abc import Callable
from typing import Any

from samples import contract, invoice, medical_report, receipt

from docsieve.db.access.tenants import Tenant
from docsieve.domain.schemas.ready import READY
from docsieve.parsers import registry
from docsieve.parsers.port import HEAD_BYTES
from docsieve.services.samples import SAMPLES
from tests.api.running import Running, assert_problem
from tests.service import Service

# What the documents say, by the path of the field.
SAID: dict[str, dict[str, Any]] = {
    "invoice": {
        "invoice_number": "NL-2026-0417",
        "issue_date": "2026-03-12",
        "due_date": "2026-04-11",
        "seller.name": "Nordlicht Furniture GmbH",
        "seller.vat_id": "DE136695976",
        "buyer.name": "Kestrel & Finch Architects B.V.",
        "buyer.vat_id": "NL004495445B01",
        "line_items[0].description": "Standing desk Fjord, oak, 160 x 80 cm",
        "line_items[1].unit_price": 289.5,
        "line_items[4].amount": 310.0,
        "subtotal": 5678.4,
        "tax_total": 1078.9,
        "total": 6757.3,
        "currency": "EUR",
        "iban": "DE89370400440532013000",
        "bic": "HAHBDEH2XXX",
    },
    "receipt": {
        "merchant": "HARBOUR MARKET",
        "date": "2026-05-07",
        "receipt_number": "004871",
        "line_items[0].description": "Sourdough loaf",
        "line_items[5].amount": 5.95,
        "total": 26.85,
        "amount_paid": 30.0,
        "change": 3.15,
        "currency": "EUR",
    },
    "medical-report": {
        "report_type": "Discharge letter",
        "patient.name": "Tomas Lindqvist",
        "patient.birth_date": "1961-09-14",
        "facility": "Havsvik General Hospital",
        "physician": "Dr. Elin Sandberg",
        "admission_date": "2026-02-02",
        "diagnoses[0].code": "J18.9",
        "diagnoses[2].description": "Type 2 diabetes mellitus without complications",
        "lab_results[0].value": "148",
        "medications[1].dose": "500 mg",
    },
    "contract": {
        "contract_number": "SA-2026-031",
        "parties[0].name": "Bluewater Analytics Ltd",
        "parties[1].role": "Client",
        "effective_date": "2026-02-01",
        "end_date": "2028-01-31",
        "notice_period": "three months",
        "value": 84000.0,
        "currency": "GBP",
        "governing_law": "England and Wales",
        "signatures[1].name": "Owen Pritchard",
    },
}


async def test_the_samples_are_listed_with_title_schema_and_description(api: Running, acme: Tenant) -> None:
    reader = await api.client(await api.key(acme, "read"))
    offered = (await reader.get("/samples")).json()["samples"]
    assert [each["name"] for each in offered] == list(SAMPLES)
    for each in offered:
        assert set(each) == {"name", "title", "filename", "media_type", "schema", "description"}
        assert each["schema"] in READY


def test_each_sample_is_of_the_type_it_is_said_to_be() -> None:
    for sample in SAMPLES.values():
        assert registry.detect(sample.content()[:HEAD_BYTES]) == sample.media_type


async def test_samples_are_uploaded_with_their_schemas_and_only_once(api: Running, acme: Tenant) -> None:
    writer = await api.client(await api.key(acme, "write"))
    added = await writer.post("/samples", json={})
    assert added.status_code == 200, added.text
    documents = added.json()["documents"]
    assert [(each["filename"], each["schema"]) for each in documents] == [
        (sample.filename, sample.schema_ref) for sample in SAMPLES.values()
    ]
    assert {each["project"] for each in documents} == {"default"}
    again = (await writer.post("/samples", json={"names": None, "project": "default"})).json()["documents"]
    assert [each["id"] for each in again] == [each["id"] for each in documents]
    assert await api.count("documents") == len(SAMPLES)


async def test_those_who_ask_at_once_get_the_same_document(api: Running, acme: Tenant) -> None:
    writer = await api.client(await api.key(acme, "write"))
    asked = [writer.post("/samples", json={"names": ["contract"]}) for _ in range(4)]
    answers = [answer.json()["documents"] for answer in await asyncio.gather(*asked)]
    assert len({documents[0]["id"] for documents in answers}) == 1
    assert await api.count("documents") == 1
    assert len(await api.blobs()) == 1


async def test_each_project_has_separate_samples_and_a_deleted_one_can_be_added_again(
    api: Running, acme: Tenant
) -> None:
    await api.project(acme, "side")
    admin = await api.admin(acme)
    ids = set()
    for project in ("default", "side"):
        body = {"names": ["invoice", "invoice"], "project": project}
        (document,) = (await admin.post("/samples", json=body)).json()["documents"]
        assert document["project"] == project
        ids.add(document["id"])
    assert (await admin.delete(f"/documents/{document['id']}")).status_code == 204
    (back,) = (await admin.post("/samples", json=body)).json()["documents"]
    assert len({*ids, back["id"]}) == 3


async def test_a_key_limited_to_a_project_adds_them_there(api: Running, acme: Tenant) -> None:
    limited = await api.admin(acme, project_id=await api.project(acme, "side"))
    (document,) = (await limited.post("/samples", json={"names": ["receipt"]})).json()["documents"]
    assert document["project"] == "side"
    stray = await limited.post("/samples", json={"project": "default"})
    assert_problem(stray, 422, "unknown_project")
    assert await api.count("documents") == 1
    assert len(await api.blobs()) == 1


async def test_one_unknown_name_adds_nothing(api: Running, acme: Tenant) -> None:
    admin = await api.admin(acme)
    refused = await admin.post("/samples", json={"names": ["invoice", "no-such-sample"]})
    assert_problem(refused, 422, "unknown_sample")
    assert_problem(await admin.post("/samples", json={"project": "no-such-project"}), 422, "unknown_project")
    assert await api.count("documents") == 0
    assert await api.blobs() == set()


def test_the_samples_come_out_the_same_each_time_they_are_made() -> None:
    for kind in (invoice, receipt, medical_report, contract):
        assert kind.make() == kind.make()


def test_a_real_worker_reads_every_sample_as_it_is_written(start_service: Callable[..., Service]) -> None:
    service = start_service()
    service.api()
    service.worker("default=2")
    documents = service.client.post("/samples", json={}).raise_for_status().json()["documents"]
    for name, document in zip(SAMPLES, documents, strict=True):
        assert service.settled(document["id"])["status"] == "ready", name
        fields = service.client.get(f"/documents/{document['id']}/fields").raise_for_status().json()["fields"]
        found = {field["path"]: field for field in fields}
        assert {path: found[path]["value"] for path in SAID[name]} == SAID[name]
        for path in SAID[name]:
            assert found[path]["grounded"], (name, path)
            assert found[path]["evidence"], (name, path)
        assert service.client.get(f"/documents/{document['id']}").json()["page_count"] == (
            2 if name == "medical-report" else 1
        )
