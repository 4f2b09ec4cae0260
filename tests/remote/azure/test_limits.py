"""All workers together keep within the limits of a remote parser, as they do for language models."""

import asyncio
from collections.abc import Callable
from io import BytesIO
from typing import Any

from PIL import Image

from tests.remote.azure.azure_service import KEY, AzureService, refused
from tests.service import Service


def _picture(shade: int) -> bytes:
    content = BytesIO()
    Image.new("L", (80, 60), shade).save(content, "PNG")
    return content.getvalue()


def _held(running: Service, shade: int) -> dict[str, Any]:
    """Send a document that has to wait; returns its job."""
    sent = running.upload(_picture(shade), "a.png", parser="azure-read").raise_for_status().json()["id"]

    def waiting() -> dict[str, Any] | None:
        job: dict[str, Any] | None = running.status(sent)["job"]
        return job if job is not None and job["run_at"] is not None else None

    return running.wait_until(waiting, what="the document waits")


async def test_a_remote_parser_that_asks_to_wait_is_left_alone_for_all_documents(
    service: AzureService, start_service: Callable[..., Service]
) -> None:
    service.submits = [refused(429, "TooManyRequests", **{"Retry-After": "90"})]
    running = start_service(
        DOCSIEVE_SHUTDOWN_SECONDS="5",
        DOCSIEVE_PROVIDER_URLS=f"azure-document-intelligence={service.endpoint}",
        DOCSIEVE_PROVIDER_KEYS=f"azure-document-intelligence={KEY}",
    )

    def send_two() -> list[dict[str, Any]]:
        running.api()
        running.worker()
        return [_held(running, shade) for shade in (100, 200)]

    jobs = await asyncio.to_thread(send_two)

    assert [(job["status"], job["attempts"]) for job in jobs] == [("pending", 0)] * 2
    assert len(service.documents) == 1
