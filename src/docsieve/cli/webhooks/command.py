"""`docsieve webhooks`: manage endpoints, inspect and repeat deliveries, and receive on this machine."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, TypeVar
from uuid import UUID

import typer

from docsieve.cli.console.configuration import load_settings
from docsieve.cli.console.http import Server, open_server
from docsieve.cli.console.options import AsJson
from docsieve.cli.console.tables import show_empty, show_fields, show_table
from docsieve.cli.webhooks.listen import listen
from docsieve.domain.webhooks import DeliveryStatus
from docsieve.errors import Invalid

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Manage webhooks through the API at DOCSIEVE_URL.")
app.command("listen")(listen)

T = TypeVar("T")

Id = Annotated[UUID, typer.Argument(help="ID of the endpoint.")]
Limit = Annotated[int, typer.Option(min=1, max=200, help="Maximum number to show.")]

_UNITS = {"m": "minutes", "h": "hours", "d": "days"}


def _run(work: Callable[[Server], Awaitable[T]]) -> T:
    async def connect_and_work() -> T:
        async with open_server(load_settings()) as server:
            return await work(server)

    return asyncio.run(connect_and_work())


@app.command("list")
def list_endpoints(limit: Limit = 50, as_json: AsJson = False) -> None:
    """List endpoints, newest first."""
    found = _run(lambda server: server.get("/webhooks/endpoints", limit=limit))["endpoints"]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    if not found:
        show_empty("webhook endpoints")
        return
    rows = [
        [each["id"], each["url"], each["project"], ", ".join(each["events"]) or "all", _state(each)] for each in found
    ]
    show_table(["id", "url", "project", "events", "state"], rows, whole=["id"])


def _state(endpoint: dict[str, Any]) -> str:
    if not endpoint["enabled"]:
        return f"disabled: {endpoint['disabled_reason']}" if endpoint["disabled_reason"] else "disabled"
    if endpoint["paused_until"] is not None:
        return "paused"
    return "failing" if endpoint["failing_since"] is not None else "enabled"


@app.command("create")
def create_endpoint(
    url: Annotated[str, typer.Argument(help="Where messages are sent.")],
    event: Annotated[
        list[str] | None, typer.Option("--event", help="Type of event to send. Repeatable; default: all.")
    ] = None,
    project: Annotated[str | None, typer.Option(help="Only events of this project.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Send documents, extractions and batches too.")] = False,
    asymmetric: Annotated[
        bool, typer.Option("--asymmetric", help="Also sign with a key pair; receivers verify with its public key.")
    ] = False,
    description: Annotated[str, typer.Option(help="A note for people.")] = "",
    as_json: AsJson = False,
) -> None:
    """Create an endpoint and print its secret, which cannot be retrieved later."""
    body = {
        "url": url,
        "events": event or [],
        "project": project,
        "payload": "full" if full else "thin",
        "asymmetric": asymmetric,
        "description": description,
    }
    _show(_run(lambda server: server.post_once("/webhooks/endpoints", body)), as_json)


@app.command("show")
def show_endpoint(id: Id, as_json: AsJson = False) -> None:
    """Show one endpoint in detail."""
    _show(_run(lambda server: server.get(f"/webhooks/endpoints/{id}")), as_json)


@app.command("rotate")
def rotate_secret(
    id: Annotated[
        UUID | None, typer.Argument(help="ID of the endpoint. Without it, the secret of one-off URLs is replaced.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Replace a secret and print the new one. For 24 hours, messages are signed with both."""
    path = f"/webhooks/endpoints/{id}/rotate" if id is not None else "/webhooks/secret/rotate"
    _show(_run(lambda server: server.post_once(path)), as_json)


@app.command("delete")
def delete_endpoint(id: Id) -> None:
    """Delete an endpoint with its log. Waiting messages are not sent."""
    _run(lambda server: server.delete(f"/webhooks/endpoints/{id}"))
    print(f"Endpoint {id} deleted.")


@app.command("deliveries")
def show_deliveries(
    id: Annotated[UUID | None, typer.Argument(help="ID of a delivery, to show its attempts.")] = None,
    endpoint: Annotated[UUID | None, typer.Option(help="Only deliveries to this endpoint.")] = None,
    status: Annotated[DeliveryStatus | None, typer.Option(help="Only deliveries with this status.")] = None,
    event: Annotated[str | None, typer.Option("--event", help="Only events of this type.")] = None,
    limit: Limit = 50,
    as_json: AsJson = False,
) -> None:
    """List deliveries, newest first, or show one with its attempts."""
    if id is not None:
        _show_delivery(_run(lambda server: server.get(f"/webhooks/deliveries/{id}")), as_json)
        return
    criteria = {"endpoint_id": endpoint, "status": status, "event_type": event}
    found = _run(lambda server: server.get("/webhooks/deliveries", limit=limit, **criteria))["deliveries"]
    if as_json:
        print(json.dumps(found, indent=2))
        return
    if not found:
        show_empty("matching deliveries")
        return
    rows = [
        [each["id"], each["event_type"], each["status"], each["attempts"], each["last_status"], each["last_error"]]
        for each in found
    ]
    show_table(["id", "event", "status", "attempts", "answer", "error"], rows, whole=["id", "event", "status"])


def _show_delivery(delivery: dict[str, Any], as_json: bool) -> None:
    log = delivery["log"]
    _show(delivery if as_json else {name: value for name, value in delivery.items() if name != "log"}, as_json)
    if not as_json and log:
        rows = [
            [each["number"], each["started_at"], each["duration_ms"], each["status"], each["error_code"]]
            for each in log
        ]
        show_table(["attempt", "started", "ms", "answer", "error"], rows)


@app.command("replay")
def replay(
    delivery: Annotated[UUID | None, typer.Argument(help="ID of the delivery to send again.")] = None,
    endpoint: Annotated[UUID | None, typer.Option(help="Send again what this endpoint did not get.")] = None,
    since: Annotated[
        str | None, typer.Option(help="With --endpoint: since when, as 2026-01-31T12:00Z or as 30m, 12h or 3d ago.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="With --endpoint: also delivered messages.")] = False,
) -> None:
    """Send one message again, or all that an endpoint did not get since a time."""
    if (delivery is None) == (endpoint is None) or (endpoint is None) != (since is None):
        raise typer.BadParameter("give either the ID of a delivery, or --endpoint and --since")
    if delivery is not None:
        _run(lambda server: server.post_once(f"/webhooks/deliveries/{delivery}/replay"))
        print(f"Delivery {delivery} will be sent again.")
        return
    body = {"since": _moment(since or ""), "all": everything}
    count = _run(lambda server: server.post_once(f"/webhooks/endpoints/{endpoint}/replay", body))["count"]
    print(f"{count} {'message' if count == 1 else 'messages'} will be sent.")


def _moment(text: str) -> str:
    if text[:-1].isdigit() and text[-1] in _UNITS:
        return (datetime.now(UTC) - timedelta(**{_UNITS[text[-1]]: int(text[:-1])})).isoformat()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise Invalid(f"--since {text}: write it as 2026-01-31T12:00Z, or as 30m, 12h or 3d.") from error
    return moment.astimezone().isoformat()


@app.command("test")
def send_test(id: Id, as_json: AsJson = False) -> None:
    """Send a test event to an endpoint. See `docsieve webhooks deliveries ID` for the answer."""
    delivery = _run(lambda server: server.post_once(f"/webhooks/endpoints/{id}/test"))
    if as_json:
        print(json.dumps(delivery, indent=2))
        return
    print(f"Delivery {delivery['id']} was created.")


def _show(found: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(found, indent=2))
        return
    shown: dict[str, object] = {}
    for name, value in found.items():
        is_time = name.endswith(("_at", "_until", "_since")) and value is not None
        shown[name.replace("_", " ")] = datetime.fromisoformat(value) if is_time else value
    show_fields(shown)
