"""Webhook endpoints of a tenant: created with a secret, changed, tested, replayed."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from docsieve.db.connection.session import Session
from docsieve.db.webhooks import deliveries, endpoints
from docsieve.db.webhooks import secrets as secret_rows
from docsieve.db.webhooks.deliveries import Delivery
from docsieve.db.webhooks.endpoints import Endpoint, NewEndpoint
from docsieve.domain.audit import Action
from docsieve.domain.ids import new_id
from docsieve.domain.webhooks import Payload
from docsieve.errors import NotFound
from docsieve.errors.webhooks import EndpointDisabled, TooManyEndpoints
from docsieve.outbound import check_url
from docsieve.resources import Resources
from docsieve.services.access import projects
from docsieve.services.webhooks import secrets
from docsieve.services.webhooks.secrets import NewSecret
from docsieve.settings import Settings
from docsieve.webhooks import new_key_pair

MAX_ENDPOINTS = 1_000
"""Each event may become a message to each of them."""


@dataclass(frozen=True, slots=True)
class EndpointSettings:
    """`asymmetric` adds a key pair, so that receivers can verify messages without a secret."""

    url: str
    description: str = ""
    events: Sequence[str] = ()
    payload: Payload = "thin"
    enabled: bool = True
    asymmetric: bool = False


async def create(
    session: Session, resources: Resources, wanted: EndpointSettings, *, project: str | None
) -> tuple[Endpoint, NewSecret]:
    """Add an endpoint for a project, or for the tenant. If the caller's key is limited to a project, so is it.

    Raises UnknownProject, UrlInvalid, AddressNotAllowed and TooManyEndpoints.
    """
    check_url(wanted.url, resources.settings)
    if await endpoints.count(session) >= MAX_ENDPOINTS:
        raise TooManyEndpoints(f"A tenant can have {MAX_ENDPOINTS} webhook endpoints.")
    private, public = new_key_pair() if wanted.asymmetric else (None, None)
    new = NewEndpoint(
        id=new_id(),
        project_id=session.scope.project_id if project is None else await projects.resolve(session, project),
        url=wanted.url,
        description=wanted.description,
        events=list(dict.fromkeys(wanted.events)),
        payload=wanted.payload,
        enabled=wanted.enabled,
        public_key=public,
    )
    await endpoints.add(session, new)
    secret = await secrets.rotate(session, resources.sealer, new.id)
    if private is not None:
        await secret_rows.add(session, new.id, "ed25519", resources.sealer.seal(private))
    details = {"host": urlsplit(new.url).hostname, "project": project, "events": new.events, "enabled": new.enabled}
    session.audit(Action.endpoint_created, "endpoint", new.id, details, project_id=new.project_id)
    return await found(session, new.id), secret


async def found(session: Session, endpoint_id: UUID) -> Endpoint:
    endpoint = await endpoints.find(session, endpoint_id)
    if endpoint is None:
        raise NotFound("Webhook endpoint not found.")
    return endpoint


async def change(session: Session, settings: Settings, endpoint_id: UUID, changes: dict[str, Any]) -> Endpoint:
    """Raises NotFound, UrlInvalid and AddressNotAllowed."""
    if "url" in changes:
        check_url(changes["url"], settings)
    if "events" in changes:
        changes = {**changes, "events": list(dict.fromkeys(changes["events"]))}
    if not await endpoints.change(session, endpoint_id, changes):
        raise NotFound("Webhook endpoint not found.")
    # the names alone: a URL or a description may contain a secret
    session.audit(Action.endpoint_changed, "endpoint", endpoint_id, {"changed": sorted(changes)})
    return await found(session, endpoint_id)


async def delete(session: Session, endpoint_id: UUID) -> None:
    """Delete an endpoint with its secrets and its log. Raises NotFound."""
    if not await endpoints.delete(session, endpoint_id):
        raise NotFound("Webhook endpoint not found.")
    session.audit(Action.endpoint_deleted, "endpoint", endpoint_id)


async def rotate(session: Session, resources: Resources, endpoint_id: UUID) -> NewSecret:
    """Raises NotFound."""
    await found(session, endpoint_id)
    session.audit(Action.endpoint_rotated, "endpoint", endpoint_id)
    return await secrets.rotate(session, resources.sealer, endpoint_id)


async def rotate_one_off(session: Session, resources: Resources) -> NewSecret:
    """Replace the secret that signs messages to one-off URLs."""
    session.audit(Action.endpoint_rotated, "endpoint", None)
    return await secrets.rotate(session, resources.sealer, None)


async def test(session: Session, endpoint_id: UUID) -> Delivery:
    """Send a test event, also to an endpoint that is disabled or paused. Raises NotFound."""
    await found(session, endpoint_id)
    event_id = await endpoints.announce_test(session, endpoint_id)
    session.woken.add("webhook")
    delivery_id = await deliveries.of_event(session, endpoint_id, event_id)
    assert delivery_id is not None
    return await _delivery(session, delivery_id)


async def replay(session: Session, delivery_id: UUID) -> Delivery:
    """Send a message again, whatever became of it. Raises NotFound and EndpointDisabled."""
    delivery = await _delivery(session, delivery_id)
    if delivery.endpoint_id is not None:
        await _require_enabled(session, delivery.endpoint_id)
    await deliveries.replay(session, delivery_id)
    details = {"endpoint": delivery.endpoint_id, "event": delivery.event_id}
    session.audit(Action.delivery_replayed, "delivery", delivery_id, details)
    return await _delivery(session, delivery_id)


async def replay_since(session: Session, endpoint_id: UUID, since: datetime, *, delivered_too: bool) -> int:
    """Send again what the endpoint did not get since then, or everything. Raises NotFound and EndpointDisabled."""
    await _require_enabled(session, endpoint_id)
    session.audit(Action.deliveries_replayed, "endpoint", endpoint_id, {"since": since, "all": delivered_too})
    return await deliveries.replay_since(session, endpoint_id, since, delivered_too=delivered_too)


async def _require_enabled(session: Session, endpoint_id: UUID) -> None:
    if not (await found(session, endpoint_id)).enabled:
        raise EndpointDisabled


async def _delivery(session: Session, delivery_id: UUID) -> Delivery:
    delivery = await deliveries.find(session, delivery_id)
    if delivery is None:
        raise NotFound("Delivery not found.")
    return delivery
