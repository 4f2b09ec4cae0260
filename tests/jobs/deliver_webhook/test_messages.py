"""What receivers get: one-off URLs, thin and full messages, and what the clients of reports expect."""

import asyncio
from datetime import datetime
from typing import Any

from docsieve.api.routing import API_PREFIX
from docsieve.domain.events import API_PATH
from docsieve.webhooks import verify_webhook
from tests.api.extracting import SCHEMA, VALUE, begun, complete, completed, result
from tests.api.running import assert_problem, upload, uploaded
from tests.jobs.deliver_webhook.conftest import Sending
from tests.webhook_receiver import Answer, Receiver


async def sent(sending: Sending, receiver: Receiver, count: int) -> list[Any]:
    """The messages that come when a worker starts."""
    async with sending.worker():
        received = await asyncio.to_thread(receiver.until, count)
        await sending.until_all(lambda found: {each["status"] for each in found} == {"delivered"})
    return received


def test_links_lead_to_the_api() -> None:
    assert API_PATH == API_PREFIX


async def test_the_url_of_an_upload_is_told_that_the_document_is_ready(sending: Sending, receiver: Receiver) -> None:
    document = await uploaded(sending.client, webhook_url=receiver.url)
    [job] = await sending.api.claim()
    await sending.api.complete(job, "page one")
    [received] = await sent(sending, receiver, 1)
    message = received.message
    assert (message["type"], message["tenant"], message["project"]) == ("document.ready", "acme", "default")
    assert message["data"] == {
        "document_id": document["id"],
        "status": "ready",
        "links": {"document": f"/api/v1/documents/{document['id']}"},
    }


async def test_the_url_of_an_upload_is_told_that_the_document_has_failed(sending: Sending, receiver: Receiver) -> None:
    await uploaded(sending.client, webhook_url=receiver.url)
    [job] = await sending.api.claim()
    await sending.api.fail(job)
    [received] = await sent(sending, receiver, 1)
    assert received.message["type"] == "document.failed"
    assert received.message["data"]["error_code"] == "corrupt_document"


async def test_the_url_of_an_extraction_is_told_about_its_end_only(sending: Sending, receiver: Receiver) -> None:
    extraction = await completed(sending.api, sending.client, confidence=0.1, webhook_url=receiver.url)
    [received] = await sent(sending, receiver, 1)
    assert received.message["type"] == "extraction.completed"
    assert received.message["data"]["extraction_id"] == extraction["id"]


async def test_the_url_of_a_batch_is_told_that_it_is_completed(sending: Sending, receiver: Receiver) -> None:
    document = await uploaded(sending.client)
    [job] = await sending.api.claim()
    await sending.api.complete(job, "A1")
    wanted = {"name": "all", "schema": SCHEMA, "webhook_url": receiver.url}
    batch = (await sending.client.post("/batches", json=wanted)).json()["id"]
    await sending.client.post(f"/batches/{batch}/documents", json={"document_ids": [document["id"]]})
    await sending.client.post(f"/batches/{batch}/start")
    listed = await sending.client.get("/extractions", params={"batch_id": batch})
    [extraction] = listed.json()["extractions"]
    await complete(sending.api, extraction["id"], result(VALUE, document["id"]))
    [received] = await sent(sending, receiver, 1)
    assert received.message["type"] == "batch.completed"
    assert received.message["data"]["batch_id"] == batch


async def test_one_off_messages_are_signed_with_the_secret_of_the_tenant(sending: Sending, receiver: Receiver) -> None:
    secret = (await sending.client.post("/webhooks/secret/rotate")).json()["secret"]
    await uploaded(sending.client, webhook_url=receiver.url)
    [job] = await sending.api.claim()
    await sending.api.complete(job, "page one")
    [received] = await sent(sending, receiver, 1)
    verify_webhook(received.headers, received.body, secret)


async def test_one_off_messages_are_signed_even_before_anybody_asked_for_the_secret(
    sending: Sending, receiver: Receiver
) -> None:
    await uploaded(sending.client, webhook_url=receiver.url)
    [job] = await sending.api.claim()
    await sending.api.complete(job, "page one")
    [received] = await sent(sending, receiver, 1)
    assert received.headers["webhook-signature"].startswith("v1,")
    rotated = (await sending.client.post("/webhooks/secret/rotate")).json()
    assert rotated["previous_until"] is not None


async def test_a_full_message_has_the_extraction_with_corrections(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url, events=["extraction.corrected"], payload="full")
    extraction = await completed(sending.api, sending.client)
    fixes = {"fields": [{"path": "number", "value": "A2"}]}
    response = await sending.client.patch(f"/extractions/{extraction['id']}/fields", json=fixes)
    assert response.status_code == 200
    [received] = await sent(sending, receiver, 1)
    shown = received.message["data"]["extraction"]
    assert shown["id"] == extraction["id"]
    assert shown["value"] == {**VALUE, "number": "A2"}
    assert (shown["status"], shown["documents"]) == ("completed", extraction["documents"])


async def test_a_full_message_has_the_document(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url, payload="full")
    document = await uploaded(sending.client, metadata='{"case": 7}')
    [job] = await sending.api.claim()
    await sending.api.complete(job, "page one")
    [received] = await sent(sending, receiver, 1)
    shown = received.message["data"]["document"]
    assert (shown["id"], shown["filename"], shown["page_count"]) == (document["id"], "a.txt", 1)
    assert shown["metadata"] == {"case": 7}


async def test_the_url_of_a_report_gets_what_its_clients_expect(sending: Sending, receiver: Receiver) -> None:
    answer = await sending.client.post(
        "/tenants/acme/projects/default/reports",
        files={"file": ("letter.txt", b"A1")},
        params={"webhook_url": receiver.url},
    )
    accepted = answer.json()
    [reading] = [job for job in await sending.api.claim(9) if job.document_id is not None]
    await sending.api.complete(reading, "A1")
    await sending.execute(
        "update jobs set status = 'failed', error_code = 'no_fields', error_message = 'No.', worker_id = null,"
        " completed_at = now() where id = $1",
        accepted["job_id"],
    )
    [received] = await sent(sending, receiver, 1)
    message = received.message
    moment = datetime.fromisoformat(message.pop("timestamp"))
    assert moment.tzinfo is not None
    assert message == {
        "job_id": accepted["job_id"],
        "tenant_id": "acme",
        "project_id": "default",
        "report_id": accepted["report_id"],
        "status": "failed",
        "parsed_data": None,
    }
    status = (await sending.client.get(f"/job/status/{accepted['job_id']}")).json()["webhook_status"]
    assert (status["delivered"], status["status"], status["attempts"]) == (True, "success", 1)
    assert status["last_attempt_at"] > 0


async def test_the_status_of_a_report_says_that_its_webhook_is_tried_again(
    sending: Sending, receiver: Receiver
) -> None:
    receiver.answers = [Answer(500)]
    extraction = await completed(sending.api, sending.client, webhook_url=receiver.url)
    path = f"/job/status/{extraction['job_id']}"
    before = (await sending.client.get(path)).json()["webhook_status"]
    assert before == {"delivered": False, "status": "not_sent", "attempts": 0, "last_attempt_at": None}
    async with sending.worker():
        await sending.until(lambda each: each["attempts"] == 1)
    after = (await sending.client.get(path)).json()["webhook_status"]
    assert (after["delivered"], after["status"], after["attempts"]) == (False, "retrying", 1)


async def test_events_of_another_project_or_type_are_not_sent(sending: Sending, receiver: Receiver) -> None:
    await sending.api.project(sending.tenant, "side")
    await sending.endpoint(receiver.url, project="side")
    await sending.endpoint(receiver.url, events=["document.failed"])
    await uploaded(sending.client)
    [job] = await sending.api.claim()
    await sending.api.complete(job, "page one")
    assert await sending.deliveries() == []


async def test_deliveries_are_deleted_with_their_document(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url)
    document = await uploaded(sending.client, webhook_url=receiver.url)
    [job] = await sending.api.claim()
    await sending.api.complete(job, "page one")
    await sent(sending, receiver, 2)
    extraction = await begun(sending.client, document["id"], schema=SCHEMA)
    await complete(sending.api, extraction["id"], result(VALUE, document["id"]))
    assert len(await sending.deliveries()) == 3
    assert (await sending.client.delete(f"/documents/{document['id']}")).status_code == 204
    assert await sending.deliveries() == []
    assert await sending.api.count("webhook_attempts") == 0


async def test_a_webhook_url_that_must_not_be_called_is_refused(sending: Sending) -> None:
    wrong = "http://169.254.169.254/latest/meta-data"
    assert_problem(await upload(sending.client, webhook_url=wrong), 422, "address_not_allowed")
    batch = {"name": "all", "schema": SCHEMA, "webhook_url": wrong}
    assert_problem(await sending.client.post("/batches", json=batch), 422, "address_not_allowed")
    document = await uploaded(sending.client)
    body = {"document_ids": [document["id"]], "schema": SCHEMA, "webhook_url": wrong}
    assert_problem(await sending.client.post("/extractions", json=body), 422, "address_not_allowed")
    report = await sending.client.post(
        "/tenants/acme/projects/default/reports", files={"file": b"A1"}, params={"webhook_url": wrong}
    )
    assert_problem(report, 422, "address_not_allowed")
    endpoint = await sending.client.post("/webhooks/endpoints", json={"url": wrong})
    assert_problem(endpoint, 422, "address_not_allowed")
