"""From an event to a receiver, and the log of it."""

import asyncio

import standardwebhooks

from docsieve.webhooks import verify_webhook
from tests.jobs.deliver_webhook.conftest import Sending
from tests.signals import named
from tests.webhook_receiver import Answer, Receiver, receiving


async def test_an_event_is_sent_as_a_signed_envelope_and_logged(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url)
    receiver.answers = [Answer(200, body=b"<b>thanks</b>\x00")]
    async with sending.worker():
        [event_id] = await sending.emit()
        delivery = await sending.until(lambda each: each["status"] == "delivered")
    [received] = receiver.received
    assert received.headers["content-type"] == "application/json"
    message = standardwebhooks.Webhook(endpoint["secret"]).verify(received.body, received.headers)
    assert list(message) == ["id", "type", "created_at", "tenant", "project", "data"]
    assert (message["id"], message["type"], message["tenant"]) == (str(event_id), "budget.exceeded", "acme")
    assert received.id == str(event_id)
    assert (delivery["attempts"], delivery["last_status"], delivery["last_error"]) == (1, 200, None)
    [attempt] = (await sending.delivery(delivery["id"]))["log"]
    assert (attempt["number"], attempt["status"], attempt["error_code"]) == (1, 200, None)
    assert attempt["response"] == "<b>thanks</b>"
    assert attempt["duration_ms"] >= 0


async def test_a_failed_attempt_is_tried_again_with_the_same_id(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url)
    receiver.answers = [Answer(500, body=b"x" * 9000)]
    async with sending.worker():
        await sending.emit()
        failed = await sending.until(lambda each: each["attempts"] == 1)
        assert (failed["status"], failed["last_status"], failed["last_error"]) == ("pending", 500, "receiver_refused")
        await sending.make_due()
        delivery = await sending.until(lambda each: each["status"] == "delivered")
    first, second = receiver.received
    assert first.id == second.id
    assert first.message == second.message
    log = (await sending.delivery(delivery["id"]))["log"]
    assert [(each["number"], each["status"], each["error_code"]) for each in log] == [
        (1, 500, "receiver_refused"),
        (2, 200, None),
    ]
    assert len(log[0]["response"]) == 4096


async def test_a_redirect_is_a_failure_and_is_not_followed(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url)
    receiver.answers = [Answer(302, {"location": receiver.url + "/elsewhere"})]
    async with sending.worker():
        await sending.emit()
        failed = await sending.until(lambda each: each["attempts"] == 1)
    assert (failed["status"], failed["last_error"]) == ("pending", "receiver_redirected")
    assert [each.path for each in receiver.received] == ["/hook"]


async def test_a_receiver_that_does_not_listen_is_tried_again(sending: Sending) -> None:
    await sending.endpoint("http://127.0.0.1:1025/")
    async with sending.worker():
        await sending.emit()
        failed = await sending.until(lambda each: each["attempts"] == 1)
    assert (failed["status"], failed["last_status"], failed["last_error"]) == ("pending", None, "receiver_unreachable")


async def test_after_the_last_attempt_the_delivery_has_failed(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url)
    receiver.answer = lambda _: Answer(503)
    await sending.emit()
    await sending.execute("update webhook_deliveries set tries = 9")
    async with sending.worker():
        failed = await sending.until(lambda each: each["status"] == "failed")
    assert (failed["next_attempt_at"], failed["attempts"]) == (None, 1)


async def test_410_disables_the_endpoint_and_says_so_by_an_event(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url + "/watcher", events=["endpoint.disabled"])
    gone = await sending.endpoint(receiver.url, events=["budget.exceeded"])
    receiver.answer = lambda each: Answer(410 if each.path == "/hook" else 200)
    async with sending.worker():
        await sending.emit()
        await asyncio.to_thread(receiver.until, 2)
        found = await sending.until_all(lambda each: {one["status"] for one in each} == {"failed", "delivered"})
    [announced] = receiver.of_type("endpoint.disabled")
    assert announced.message["data"]["endpoint_id"] == gone["id"]
    assert announced.message["data"]["reason"] == "gone"
    shown = (await sending.client.get(f"/webhooks/endpoints/{gone['id']}")).json()
    assert (shown["enabled"], shown["disabled_reason"]) == (False, "gone")
    assert shown["disabled_at"] is not None
    assert [each["last_error"] for each in found if each["status"] == "failed"] == ["receiver_refused"]


async def test_a_receiver_can_abort_a_message_and_disable_its_endpoint(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url)
    receiver.answers = [Answer(400, {"webhook-delivery": "abort-message"})]
    async with sending.worker():
        await sending.emit()
        await sending.until(lambda each: each["status"] == "failed")
        shown = (await sending.client.get(f"/webhooks/endpoints/{endpoint['id']}")).json()
        assert (shown["enabled"], shown["failing_since"]) == (True, None)
        receiver.answers = [Answer(200, {"webhook-delivery": "disable"})]
        await sending.emit()
        await sending.until_all(lambda found: {each["status"] for each in found} == {"failed", "delivered"})
        await sending.emit()
    shown = (await sending.client.get(f"/webhooks/endpoints/{endpoint['id']}")).json()
    assert (shown["enabled"], shown["disabled_reason"]) == (False, "refused")
    assert len(receiver.received) == 2


async def test_an_endpoint_that_failed_for_days_is_disabled(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url)
    receiver.answer = lambda _: Answer(500)
    async with sending.worker():
        await sending.emit()
        await sending.until(lambda each: each["attempts"] == 1)
        shown = (await sending.client.get(f"/webhooks/endpoints/{endpoint['id']}")).json()
        assert shown["enabled"]
        assert shown["failing_since"] is not None
        await sending.execute("update webhook_endpoints set failing_since = failing_since - interval '5 days'")
        await sending.make_due()
        await sending.until(lambda each: each["attempts"] == 2)
        shown = (await sending.client.get(f"/webhooks/endpoints/{endpoint['id']}")).json()
        assert (shown["enabled"], shown["disabled_reason"]) == (False, "failing")
        await sending.make_due()
        ended = await sending.until(lambda each: each["status"] == "failed")
    assert (ended["last_error"], ended["attempts"]) == ("endpoint_disabled", 2)


async def test_a_success_ends_the_failures_of_an_endpoint(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url)
    receiver.answers = [Answer(500)]
    async with sending.worker():
        await sending.emit()
        await sending.until(lambda each: each["attempts"] == 1)
        await sending.make_due()
        await sending.until(lambda each: each["status"] == "delivered")
    shown = (await sending.client.get(f"/webhooks/endpoints/{endpoint['id']}")).json()
    assert (shown["failing_since"], shown["paused_until"]) == (None, None)


async def test_after_five_failures_nothing_is_sent_for_a_while_but_tests(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url)
    receiver.answers = [Answer(500)] * 5
    async with sending.worker():
        await sending.emit()
        for attempts in range(1, 6):
            await sending.until(lambda each, n=attempts: each["attempts"] == n)  # type: ignore[misc]
            await sending.make_due()
        shown = (await sending.client.get(f"/webhooks/endpoints/{endpoint['id']}")).json()
        assert shown["paused_until"] is not None
        await sending.emit()
        waiting = await sending.fetchval("select count(*) from jobs where status = 'scheduled' and run_at > now()")
        assert waiting >= 1
        assert len(receiver.received) == 5
        test = (await sending.client.post(f"/webhooks/endpoints/{endpoint['id']}/test")).json()
        await asyncio.to_thread(receiver.until, 6)
        await sending.until_all(lambda found: any(each["status"] == "delivered" for each in found))
    assert receiver.received[5].message["type"] == "webhook.test"
    assert test["event_type"] == "webhook.test"
    shown = (await sending.client.get(f"/webhooks/endpoints/{endpoint['id']}")).json()
    assert shown["paused_until"] is None


async def test_a_paused_endpoint_gets_nothing_and_the_message_waits_without_using_up_attempts(
    sending: Sending, receiver: Receiver
) -> None:
    await sending.endpoint(receiver.url)
    await sending.emit()
    await sending.execute("update webhook_endpoints set open_until = now() + interval '1 minute', failures = 5")
    async with sending.worker():
        await sending.signals.until(lambda each: each.name == "attempt.ended" and each.subject.endswith(" snoozed"))
    assert receiver.received == []
    [delivery] = await sending.deliveries()
    assert (delivery["status"], delivery["attempts"]) == ("pending", 0)


async def test_a_message_that_waited_until_it_expired_has_failed(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url)
    await sending.emit()
    await sending.execute("update webhook_endpoints set open_until = now() + interval '1 minute', failures = 5")
    await sending.execute("update webhook_deliveries set expires_at = now()")
    async with sending.worker():
        failed = await sending.until(lambda each: each["status"] == "failed")
    assert failed["last_error"] == "receiver_down"
    assert receiver.received == []


async def test_a_hanging_receiver_holds_one_slot_and_delays_no_other(sending: Sending, receiver: Receiver) -> None:
    with receiving() as hanging:
        hanging.open.clear()
        await sending.endpoint(hanging.url)
        await sending.endpoint(receiver.url)
        await sending.emit(count=30)
        async with sending.worker(slots=4):
            await asyncio.to_thread(receiver.until, 30)
            assert len(hanging.received) == 1
            hanging.open.set()


async def test_a_receiver_is_left_alone_for_as_long_as_it_asks(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url)
    receiver.answers = [Answer(429, {"retry-after": "120"})]
    async with sending.worker():
        await sending.emit()
        await sending.until(lambda each: each["attempts"] == 1)
    seconds = await sending.fetchval(
        "select extract(epoch from next_attempt_at - last_attempt_at)::float8 from webhook_deliveries"
    )
    assert 119 < seconds < 125
    shown = (await sending.client.get(f"/webhooks/endpoints/{endpoint['id']}")).json()
    assert shown["paused_until"] is not None


async def test_after_a_rotation_messages_are_signed_with_both_secrets(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url, asymmetric=True)
    rotated = (await sending.client.post(f"/webhooks/endpoints/{endpoint['id']}/rotate")).json()
    assert rotated["secret"] != endpoint["secret"]
    async with sending.worker():
        await sending.emit()
        await sending.until(lambda each: each["status"] == "delivered")
        await sending.execute("update webhook_secrets set expires_at = now() where expires_at is not null")
        await sending.emit()
        await asyncio.to_thread(receiver.until, 2)
    first, second = receiver.received
    for key in (endpoint["secret"], rotated["secret"], endpoint["public_key"]):
        verify_webhook(first.headers, first.body, key)
    assert len(first.headers["webhook-signature"].split()) == 3
    assert len(second.headers["webhook-signature"].split()) == 2
    verify_webhook(second.headers, second.body, rotated["secret"])


async def test_a_delivered_message_can_be_replayed_with_the_same_id(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url)
    async with sending.worker():
        await sending.emit()
        delivery = await sending.until(lambda each: each["status"] == "delivered")
        replayed = await sending.client.post(f"/webhooks/deliveries/{delivery['id']}/replay")
        assert replayed.json()["status"] == "pending"
        await sending.until(lambda each: each["attempts"] == 2 and each["status"] == "delivered")
    first, second = receiver.received
    assert first.id == second.id


async def test_replaying_since_a_time_sends_failed_and_missed_messages(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url)
    path = f"/webhooks/endpoints/{endpoint['id']}"
    receiver.answers = [Answer(400, {"webhook-delivery": "abort-message"})]
    async with sending.worker():
        [failed] = await sending.emit()
        await sending.until(lambda each: each["status"] == "failed")
        [delivered] = await sending.emit()
        await sending.until_all(lambda found: sum(each["status"] == "delivered" for each in found) == 1)
        await sending.client.patch(path, json={"enabled": False})
        [missed] = await sending.emit()
        refused = await sending.client.post(f"{path}/replay", json={"since": "2020-01-01T00:00:00Z"})
        assert (refused.status_code, refused.json()["code"]) == (409, "endpoint_disabled")
        await sending.client.patch(path, json={"enabled": True})
        answer = await sending.client.post(f"{path}/replay", json={"since": "2020-01-01T00:00:00Z"})
        assert answer.json() == {"count": 2}
        await sending.until_all(lambda found: [each["status"] for each in found] == ["delivered"] * 3)
        everything = {"since": "2020-01-01T00:00:00Z", "all": True}
        assert (await sending.client.post(f"{path}/replay", json=everything)).json() == {"count": 3}
        await sending.until_all(lambda found: sum(each["attempts"] for each in found) == 7)
    assert {each.id for each in receiver.received[2:4]} == {str(failed), str(missed)}
    assert {each.id for each in receiver.received[4:]} == {str(failed), str(missed), str(delivered)}


async def test_a_deleted_endpoint_gets_nothing_more(sending: Sending, receiver: Receiver) -> None:
    endpoint = await sending.endpoint(receiver.url)
    await sending.emit(count=3)
    assert (await sending.client.delete(f"/webhooks/endpoints/{endpoint['id']}")).status_code == 204
    async with sending.worker():
        await sending.signals.until(named("attempt.ended"), times=3)
    assert receiver.received == []
    assert await sending.deliveries() == []


async def test_a_delivery_whose_job_fails_gets_another_job(sending: Sending, receiver: Receiver) -> None:
    """A job is quarantined after three lost workers; its message is not lost with it."""
    await sending.endpoint(receiver.url)
    await sending.emit()
    await sending.execute("update jobs set status = 'failed', error_code = 'quarantined'")
    async with sending.worker():
        await sending.make_due()
        delivery = await sending.until(lambda each: each["status"] == "delivered")
    assert delivery["attempts"] == 1


async def test_cancelling_the_job_cancels_the_delivery(sending: Sending, receiver: Receiver) -> None:
    await sending.endpoint(receiver.url)
    await sending.emit()
    answer = await sending.client.post("/jobs/cancel", json={"job_type": "deliver_webhook"})
    assert answer.json() == {"count": 1}
    [delivery] = await sending.deliveries()
    assert (delivery["status"], delivery["last_error"]) == ("cancelled", "cancelled")
