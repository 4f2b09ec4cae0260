import re
from typing import Any

from tests.cli.terminal import CommandLine

NOWHERE = "00000000-0000-0000-0000-000000000001"


def create(docsieve: CommandLine, *options: str) -> dict[str, Any]:
    created: dict[str, Any] = docsieve("webhooks", "create", "https://example.com/hook", *options, "--json").json()
    return created


def test_an_endpoint_is_created_shown_listed_and_deleted(docsieve: CommandLine) -> None:
    endpoint = create(docsieve, "--event", "batch.completed", "--full", "--description", "for the batches")
    assert endpoint["secret"].startswith("whsec_")
    assert (endpoint["events"], endpoint["payload"]) == (["batch.completed"], "full")
    shown = docsieve("webhooks", "show", endpoint["id"])
    assert shown.code == 0
    assert "for the batches" in shown.out
    assert "secret" not in shown.out
    listed = docsieve("webhooks", "list")
    assert re.search(rf"{endpoint['id']} +https://example.com/hook .*batch.completed +enabled", listed.out)
    deleted = docsieve("webhooks", "delete", endpoint["id"])
    assert (deleted.code, deleted.out) == (0, f"Endpoint {endpoint['id']} deleted.\n")
    gone = docsieve("webhooks", "show", endpoint["id"])
    assert (gone.code, gone.err) == (1, "not_found: Webhook endpoint not found.\n")


def test_the_secret_of_an_endpoint_is_printed_and_replaced(docsieve: CommandLine) -> None:
    ran = docsieve("webhooks", "create", "https://example.com/hook", "--asymmetric")
    assert "whsec_" in ran.out
    assert "whpk_" in ran.out
    endpoint = create(docsieve)
    rotated = docsieve("webhooks", "rotate", endpoint["id"], "--json").json()
    assert rotated["secret"] not in ("", endpoint["secret"])
    assert "whsec_" in docsieve("webhooks", "rotate").out


def test_a_test_is_logged_and_can_be_replayed(docsieve: CommandLine) -> None:
    endpoint = create(docsieve)
    delivery = docsieve("webhooks", "test", endpoint["id"], "--json").json()["id"]
    listed = docsieve("webhooks", "deliveries", "--endpoint", endpoint["id"], "--status", "pending")
    assert re.search(rf"{delivery} +webhook.test +pending +0", listed.out)
    assert "webhook.test" in docsieve("webhooks", "deliveries", delivery).out
    assert docsieve("webhooks", "deliveries", delivery, "--json").json()["log"] == []
    replayed = docsieve("webhooks", "replay", delivery)
    assert (replayed.code, replayed.out) == (0, f"Delivery {delivery} will be sent again.\n")
    since = docsieve("webhooks", "replay", "--endpoint", endpoint["id"], "--since", "2h")
    assert re.fullmatch(r"\d+ messages? will be sent\.\n", since.out)
    assert "There are no matching deliveries" in docsieve("webhooks", "deliveries", "--status", "failed").out


def test_a_replay_needs_a_delivery_or_an_endpoint_and_a_time(docsieve: CommandLine) -> None:
    for given in ((), (NOWHERE, "--endpoint", NOWHERE), ("--endpoint", NOWHERE), (NOWHERE, "--since", "2h")):
        assert docsieve("webhooks", "replay", *given).code == 2
    wrong = docsieve("webhooks", "replay", "--endpoint", NOWHERE, "--since", "yesterday")
    assert wrong.code == 1
    assert "--since yesterday" in wrong.err


def test_a_url_that_must_not_be_called_is_one_clear_line(docsieve: CommandLine) -> None:
    ran = docsieve("webhooks", "create", "http://127.0.0.1:9/")
    assert ran.code == 1
    assert ran.err.startswith("address_not_allowed: ")
