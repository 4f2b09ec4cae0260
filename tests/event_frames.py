"""Event streams as clients read them."""

import json
from dataclasses import dataclass
from typing import Any

import httpx

START = "00000000-0000-0000-0000-000000000000"


@dataclass(frozen=True)
class Frame:
    """One block of a stream; a comment has neither event nor data."""

    id: str | None
    event: str | None
    data: dict[str, Any] | None

    @classmethod
    def of(cls, block: str) -> "Frame":
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        return cls(fields.get("id"), fields.get("event"), json.loads(fields["data"]) if "data" in fields else None)


def frames_of(text: str) -> list[Frame]:
    return [Frame.of(block) for block in text.split("\n\n") if block]


async def happened(client: httpx.AsyncClient, *, after: str = START, **query: Any) -> list[Frame]:
    """The events after this one that have happened so far."""
    asked = {"last_event_id": after, "follow": "false", **query}
    response = await client.get("/events", params=asked)
    assert response.status_code == 200, response.text
    return [each for each in frames_of(response.text) if each.event is not None]


async def types(client: httpx.AsyncClient, **query: Any) -> list[str | None]:
    return [each.event for each in await happened(client, **query)]
