"""Requests and responses about webhook endpoints and deliveries."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints

from docsieve.api.text import Name, Text, WebUrl
from docsieve.api.wire.base import Body, ListPage, Moment, Wire
from docsieve.db.webhooks.deliveries import Delivery, DeliveryAttempt
from docsieve.db.webhooks.endpoints import Endpoint
from docsieve.domain.events import EventType
from docsieve.domain.webhooks import DeliveryStatus, DisabledReason, Payload
from docsieve.services.webhooks.endpoints import EndpointSettings
from docsieve.services.webhooks.secrets import NewSecret

Description = Annotated[Text, StringConstraints(max_length=500)]


def _sent(types: list[EventType]) -> list[EventType]:
    if EventType.DOCUMENT_PAGES_READ in types:
        raise ValueError(f"{EventType.DOCUMENT_PAGES_READ} is in event streams only")
    return types


EventTypes = Annotated[
    list[EventType],
    Field(
        max_length=len(EventType),
        description=f"Types of events to send. Empty for all. `{EventType.DOCUMENT_PAGES_READ}` is never sent.",
    ),
    AfterValidator(_sent),
]


class EndpointCreate(Body):
    url: WebUrl = Field(description="Where messages are sent with POST.")
    description: Description = ""
    project: Name | None = Field(None, description="Send only events of this project. By default, of the tenant.")
    events: EventTypes = Field(default_factory=list)
    payload: Payload = Field(
        "thin", description="`thin` messages have ids and links, `full` ones the document, extraction or batch too."
    )
    enabled: bool = True
    asymmetric: bool = Field(
        False, description="Also sign with a key pair, so that receivers can verify messages with a public key."
    )

    def settings(self) -> EndpointSettings:
        wanted = self.model_dump(exclude={"project"})
        return EndpointSettings(**wanted)


class EndpointUpdate(Body):
    """Omitted fields keep their value. Enabling an endpoint or changing its URL ends its pause."""

    url: WebUrl | None = None
    description: Description | None = None
    events: EventTypes | None = None
    payload: Payload | None = None
    enabled: bool | None = None

    def changes(self) -> dict[str, Any]:
        return self.model_dump(exclude_none=True)


class EndpointRead(Wire):
    id: UUID
    project: str | None = Field(description="Null if it gets the events of all projects.")
    url: str
    description: str
    events: list[str] = Field(description="Types of events that it gets. Empty for all.")
    payload: Payload
    enabled: bool
    disabled_reason: DisabledReason | None = Field(
        description="Why it was disabled without a request: it answered 410 (`gone`) or `webhook-delivery: disable` "
        "(`refused`), or no attempt succeeded for days (`failing`)."
    )
    disabled_at: datetime | None
    public_key: str | None = Field(description="Verifies its asymmetric signatures.")
    failing_since: datetime | None = Field(description="First failed attempt since the last success.")
    paused_until: datetime | None = Field(
        description="Only tests are sent before, because attempts failed repeatedly or the receiver asked to wait."
    )
    created_at: datetime
    updated_at: datetime


class EndpointPage(ListPage):
    endpoints: list[EndpointRead]


class EndpointCreated(EndpointRead):
    secret: str = Field(description="Verifies its signatures. Cannot be retrieved later.")

    @classmethod
    def of(cls, endpoint: Endpoint, secret: NewSecret) -> Self:
        read = EndpointRead.model_validate(endpoint)
        return cls(**dict(read), secret=secret.secret)


class SecretCreated(Wire):
    secret: str = Field(description="The new secret. Cannot be retrieved later.")
    previous_until: datetime | None = Field(
        description="Until then, messages also have a signature with the previous secret. Null if there was none."
    )


class ReplayRequest(Body):
    since: Moment = Field(description="Events that happened since then.")
    all: bool = Field(False, description="Also send messages again that were delivered.")


class Replayed(Wire):
    count: int = Field(description="Number of messages that will be sent.")


class DeliveryRead(Wire):
    id: UUID
    endpoint_id: UUID | None = Field(description="Null if it goes to the `webhook_url` of an upload or request.")
    url: str
    event_id: UUID = Field(description="ID of the message: the header `webhook-id`, the same for all attempts.")
    event_type: str
    event_created_at: datetime
    subject_id: UUID | None = Field(description="The document, extraction, batch or endpoint that it is about.")
    status: DeliveryStatus
    attempts: int
    next_attempt_at: datetime | None
    last_attempt_at: datetime | None
    last_status: int | None = Field(description="HTTP status of the last attempt. Null if there was no answer.")
    last_error: str | None = Field(description="Why the last attempt failed, as a code.")
    created_at: datetime
    completed_at: datetime | None


class DeliveryPage(ListPage):
    deliveries: list[DeliveryRead]


class DeliveryAttemptRead(Wire):
    number: int
    started_at: datetime
    duration_ms: int
    status: int | None = Field(description="HTTP status. Null if there was no answer.")
    error_code: str | None = Field(description="Null if the message was delivered.")
    response: str = Field(description="The beginning of the answer, or what kept it away. Do not render it as HTML.")


class DeliveryDetails(DeliveryRead):
    log: list[DeliveryAttemptRead] = Field(description="Every attempt, oldest first.")

    @classmethod
    def of(cls, delivery: Delivery, log: Sequence[DeliveryAttempt]) -> Self:
        read = DeliveryRead.model_validate(delivery)
        return cls(**dict(read), log=[DeliveryAttemptRead.model_validate(each) for each in log])
