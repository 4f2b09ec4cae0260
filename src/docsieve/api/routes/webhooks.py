"""Webhook endpoints, and the log of deliveries."""

from typing import Annotated
from uuid import UUID

from fastapi import Depends, Query, Response

from docsieve.api.access import Admin, Reader, Resources, Session, Writer
from docsieve.api.cursors import Before, Limit, next_cursor
from docsieve.api.problems import COMMON, problems
from docsieve.api.routing import Router
from docsieve.api.wire.base import Moment
from docsieve.api.wire.webhooks import (
    DeliveryDetails,
    DeliveryPage,
    DeliveryRead,
    EndpointCreate,
    EndpointCreated,
    EndpointPage,
    EndpointRead,
    EndpointUpdate,
    Replayed,
    ReplayRequest,
    SecretCreated,
)
from docsieve.db.webhooks import deliveries
from docsieve.db.webhooks import endpoints as rows
from docsieve.db.webhooks.deliveries import Delivery, DeliveryFilter
from docsieve.db.webhooks.endpoints import Endpoint
from docsieve.domain.events import EventType
from docsieve.domain.webhooks import DeliveryStatus
from docsieve.errors import Forbidden, NotFound, UnknownProject
from docsieve.errors.outbound import AddressNotAllowed, UrlInvalid
from docsieve.errors.webhooks import EndpointDisabled, TooManyEndpoints
from docsieve.services.webhooks import endpoints
from docsieve.services.webhooks.secrets import NewSecret

router = Router(prefix="/webhooks", tags=["webhooks"], responses=COMMON)

_BAD_URL = (UrlInvalid, AddressNotAllowed)


@router.get("/endpoints", response_model=EndpointPage)
async def list_webhook_endpoints(caller: Reader, session: Session, before: Before, limit: Limit = 50) -> EndpointPage:
    """List endpoints, newest first."""
    found = await rows.list_page(session, before=before, limit=limit)
    return EndpointPage(
        endpoints=[EndpointRead.model_validate(each) for each in found], next_cursor=next_cursor(found, limit)
    )


@router.post(
    "/endpoints",
    response_model=EndpointCreated,
    status_code=201,
    responses=problems(UnknownProject, *_BAD_URL, TooManyEndpoints),
)
async def create_webhook_endpoint(
    body: EndpointCreate, caller: Admin, session: Session, resources: Resources
) -> EndpointCreated:
    """Create an endpoint. The response has its secret, which cannot be retrieved later."""
    created = await endpoints.create(session, resources, body.settings(), project=body.project)
    return EndpointCreated.of(*created)


@router.get("/endpoints/{endpoint_id}", response_model=EndpointRead, responses=problems(NotFound))
async def get_webhook_endpoint(endpoint_id: UUID, caller: Reader, session: Session) -> Endpoint:
    """Get one endpoint."""
    return await endpoints.found(session, endpoint_id)


@router.patch("/endpoints/{endpoint_id}", response_model=EndpointRead, responses=problems(NotFound, *_BAD_URL))
async def change_webhook_endpoint(
    endpoint_id: UUID, body: EndpointUpdate, caller: Admin, session: Session, resources: Resources
) -> Endpoint:
    """Change an endpoint. Messages that are waiting are sent to the new URL."""
    return await endpoints.change(session, resources.settings, endpoint_id, body.changes())


@router.delete("/endpoints/{endpoint_id}", status_code=204, responses=problems(NotFound))
async def delete_webhook_endpoint(endpoint_id: UUID, caller: Admin, session: Session) -> Response:
    """Delete an endpoint with its secrets and its log. Waiting messages are not sent."""
    await endpoints.delete(session, endpoint_id)
    return Response(status_code=204)


@router.post("/endpoints/{endpoint_id}/rotate", response_model=SecretCreated, responses=problems(NotFound))
async def rotate_webhook_secret(endpoint_id: UUID, caller: Admin, session: Session, resources: Resources) -> NewSecret:
    """Replace the secret. For 24 hours, messages have a signature with each."""
    return await endpoints.rotate(session, resources, endpoint_id)


@router.post("/secret/rotate", response_model=SecretCreated)
async def rotate_one_off_webhook_secret(caller: Admin, session: Session, resources: Resources) -> NewSecret:
    """Replace the secret of messages to one-off URLs (`webhook_url`). For 24 hours, they have a signature with each."""
    if caller.scope.project_id is not None:
        raise Forbidden("This key is restricted to one project.")
    return await endpoints.rotate_one_off(session, resources)


@router.post("/endpoints/{endpoint_id}/test", response_model=DeliveryRead, responses=problems(NotFound))
async def test_webhook_endpoint(endpoint_id: UUID, caller: Writer, session: Session) -> Delivery:
    """Send a `webhook.test` event to this endpoint, even if it is disabled. Follow the delivery to see the answer."""
    return await endpoints.test(session, endpoint_id)


@router.post("/endpoints/{endpoint_id}/replay", response_model=Replayed, responses=problems(NotFound, EndpointDisabled))
async def replay_webhook_deliveries(
    endpoint_id: UUID, body: ReplayRequest, caller: Writer, session: Session
) -> Replayed:
    """Send what the endpoint did not get since a time: what failed, and what happened while it was disabled."""
    count = await endpoints.replay_since(session, endpoint_id, body.since, delivered_too=body.all)
    return Replayed(count=count)


async def _filter(
    status: DeliveryStatus | None = None,
    endpoint_id: UUID | None = None,
    event_type: EventType | None = None,
    subject_id: UUID | None = None,
    since: Annotated[Moment | None, Query(description="Only deliveries created since then.")] = None,
) -> DeliveryFilter:
    return DeliveryFilter(status, endpoint_id, event_type, subject_id, since)


@router.get("/deliveries", response_model=DeliveryPage)
async def list_webhook_deliveries(
    caller: Reader,
    session: Session,
    wanted: Annotated[DeliveryFilter, Depends(_filter)],
    before: Before,
    limit: Limit = 50,
) -> DeliveryPage:
    """List deliveries, newest first. They are kept for 30 days."""
    found = await deliveries.list_page(session, wanted, before=before, limit=limit)
    return DeliveryPage(
        deliveries=[DeliveryRead.model_validate(each) for each in found], next_cursor=next_cursor(found, limit)
    )


@router.get("/deliveries/{delivery_id}", response_model=DeliveryDetails, responses=problems(NotFound))
async def get_webhook_delivery(delivery_id: UUID, caller: Reader, session: Session) -> DeliveryDetails:
    """Get one delivery with its attempts."""
    delivery = await deliveries.find(session, delivery_id)
    if delivery is None:
        raise NotFound("Delivery not found.")
    return DeliveryDetails.of(delivery, await deliveries.attempts_of(session, delivery_id))


@router.post(
    "/deliveries/{delivery_id}/replay", response_model=DeliveryRead, responses=problems(NotFound, EndpointDisabled)
)
async def replay_webhook_delivery(delivery_id: UUID, caller: Writer, session: Session) -> Delivery:
    """Send a message again with the same ID, whatever became of it."""
    return await endpoints.replay(session, delivery_id)
